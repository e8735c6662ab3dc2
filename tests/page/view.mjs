// What the play view and the gallery do besides playing moves.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { address, choices, close, open, PHONE, plies, serve, settled, tab, type, violations } from "./kit.mjs";

async function reload(browser, server) {
  const page = await open(browser, server, "#/play?v=chess");
  await page.waitForSelector(".target");
  await type(page, "e2e4", "e7e5", "g1f3");
  await address(page, "m=e2e4,e7e5,g1f3");
  await page.reload();
  await page.waitForSelector(".target");
  assert.deepEqual(await plies(page), ["e2e4", "e7e5", "g1f3"]);
  // The gallery shows it among the games that are kept.
  await page.goto(`${server.address}/#/`);
  await page.getByRole("link", { name: "Go on with Chess, 3 plies" }).click();
  await page.waitForSelector(".target");
  assert.deepEqual(await plies(page), ["e2e4", "e7e5", "g1f3"]);
  await close(page);
}

async function lines(browser, server) {
  const page = await open(browser, server, "#/play?v=chess");
  await page.waitForSelector(".target");
  await type(page, "e2e4", "e7e5");
  await page.getByRole("button", { name: "Back a ply" }).click();
  await settled(page);
  await type(page, "c7c5", "g1f3");
  await address(page, "m=e2e4,c7c5,g1f3");
  assert.equal(await page.locator(".aside .ply").count(), 2, "the other line stands aside");
  await page.getByRole("button", { name: "e7e5", exact: true }).click();
  await address(page, "m=e2e4,e7e5");
  await page.reload();
  await page.waitForSelector(".target");
  assert.equal((await plies(page)).length, 4, "all lines are kept");
  await page.getByRole("button", { name: "g1f3", exact: true }).click();
  await page.getByRole("button", { name: "Make this the main line" }).click();
  assert.deepEqual(await page.locator(".aside .ply").allInnerTexts(), ["e7e5"]);
  await page.getByRole("button", { name: "To the start" }).click();
  await settled(page);
  await page.getByRole("button", { name: "To the end" }).click();
  await address(page, "m=e2e4,c7c5,g1f3");
  await page.locator("body").press("Control+z");
  await page.waitForFunction(() => location.hash.endsWith("m=e2e4,c7c5"));
  await page.getByRole("button", { name: "Undo" }).click();
  await page.waitForFunction(() => location.hash.endsWith("m=e2e4"));
  await close(page);
}

async function shared(browser, server) {
  const page = await open(browser, server, "#/play?v=knights-and-pawns%2Bswitch-move&s=4");
  await page.waitForSelector(".target");
  await type(page, "b1c3", "c1");
  await address(page, "b1c3,");
  const other = await open(browser, server, new URL(page.url()).hash);
  await other.waitForSelector(".target");
  assert.deepEqual(await plies(other), await plies(page));
  assert.equal(await other.locator(".board-host svg").innerHTML(), await page.locator(".board-host svg").innerHTML());
  await tab(other, "Options");
  assert.equal(await other.getByRole("switch", { name: "switch move" }).getAttribute("aria-checked"), "true");
  await close(other);
  await close(page);
}

async function options(browser, server) {
  const page = await open(browser, server, "#/play?v=knight-scattering-chess");
  await page.waitForSelector(".target");
  await type(page, "b1c3", "d7d5", "d5b4");
  await tab(page, "Options");
  await page.getByRole("switch", { name: "royal immunity" }).click();
  await address(page, "knight-scattering-chess%2Broyal-immunity");
  await settled(page);
  await tab(page, "Moves");
  assert.deepEqual(await plies(page), ["b1c3", "d7d5", "d5b4"], "the moves go on under the new options");
  await close(page);

  // A move that another variant does not know: chosen options may end a record early.
  const clash = await open(browser, server, "#/play?v=knightshade%3Abase%3D8");
  await clash.waitForSelector(".target");
  const far = (await choices(clash)).sites.at(0).site;
  const last = await clash.evaluate(() => [...document.querySelectorAll(".target")].at(-1).dataset.site);
  await type(clash, far === "a1" ? last : far);
  await tab(clash, "Options");
  await clash.getByRole("combobox", { name: "base" }).selectOption("6");
  const alarm = clash.getByRole("alert").filter({ hasText: "legal up to ply 0" });
  const notice = clash.getByText("The options have changed");
  await alarm.or(notice).waitFor();
  if (await alarm.isVisible()) {
    await clash.getByRole("button", { name: "Keep the old game" }).click();
    assert.match(clash.url(), /base%3D8/);
    await clash.getByRole("combobox", { name: "base" }).selectOption("6");
    await clash.getByRole("button", { name: "Go on from there" }).click();
    await clash.waitForFunction(() => !location.hash.includes("base"));
  }
  await close(clash);
}

const BOUND = `
name    = "Bound"
extends = "tic-tac-toe"
[options.large]
summary = "A larger board"
[options.larger]
summary  = "A board that is larger still"
requires = ["large"]
[options.small]
summary   = "A smaller board"
conflicts = ["large"]
`;

/** What an option requires, and what it does not go with, bars its switch and says why. */
async function bound(browser, server) {
  await writeFile(path.join(server.folder, "bound.toml"), BOUND);
  const page = await open(browser, server, "#/play?v=./bound.toml");
  await page.waitForSelector(".target");
  await tab(page, "Options");
  const one = (name) => page.getByRole("switch", { name, exact: true });
  const bars = async (name, why) => {
    await page.locator(".option.barred", { hasText: why }).waitFor();
    assert.equal(await one(name).getAttribute("aria-disabled"), "true");
  };
  await bars("larger", "It needs large.");
  await one("larger").click({ force: true });
  assert.equal(await one("larger").getAttribute("aria-checked"), "false");
  await one("large").click();
  await address(page, "%2Blarge");
  await bars("small", "It does not go with large.");
  await one("larger").click();
  await address(page, "%2Blarge%2Blarger");
  await bars("large", "larger needs it.");
  await one("larger").click();
  await page.waitForFunction(() => !location.hash.includes("larger"));
  await one("large").click();
  await page.waitForFunction(() => !location.hash.includes("large"));
  await one("small").click();
  await address(page, "%2Bsmall");
  await bars("large", "It does not go with small.");
  await close(page);
}

const BEFORE_PROMOTION = "a2a4,b7b5,a4b5,a7a6,b5a6,c8b7,a6b7,h7h6";

/** What is no site is chosen at the site where it belongs, and the keys are at the board again. */
async function places(browser, server) {
  for (const look of [{}, PHONE]) {
    const page = await open(browser, server, `#/play?v=chess&m=${BEFORE_PROMOTION}`, look);
    await page.locator("[data-site=b7]").focus();
    await page.keyboard.press("Enter");
    await page.waitForSelector(".picked[data-site=b7]");
    await page.locator("[data-site=a8]").focus();
    await page.keyboard.press("Enter");
    const buttons = page.locator(".at-place");
    await buttons.waitFor();
    const [board, box] = [await page.locator(".board-host").boundingBox(), await buttons.boundingBox()];
    const site = await page.locator("[data-site=a8] .ground").boundingBox();
    assert.ok(box.x >= board.x && box.x + box.width <= board.x + board.width, "they stand on the board");
    assert.ok(box.y >= site.y + site.height && box.y < site.y + 2 * site.height, "they stand below the site");
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    assert.match(await page.evaluate(() => document.activeElement.textContent), /rook/);
    await page.keyboard.press("Enter");
    await address(page, "b7a8r");
    await page.waitForSelector(".at-place", { state: "detached" });
    assert.ok(await page.evaluate(() => document.activeElement?.closest(".board-host") !== null));
    await close(page);
  }
  // A direction is chosen by the site that lies there, or by its button.
  const page = await open(browser, server, "#/play?v=abalone");
  await page.locator("[data-site=c3]").click();
  await page.waitForSelector(".picked[data-site=c3]");
  assert.ok((await page.locator(".entry").count()) > 1);
  await page.locator("[data-site=c4]").click();
  await address(page, "m=c3n");
  await close(page);
}

/** Threatened pieces are marked, as long as that is wanted. */
async function threats(browser, server) {
  const page = await open(browser, server, "#/play?v=chess&m=e2e4,d7d5");
  await page.waitForSelector(".marks .threat");
  assert.equal(await page.locator(".marks .threat").getAttribute("data-mark"), "e4");
  assert.match(await page.locator("[data-site=e4]").getAttribute("aria-label"), /threatened/);
  await page.getByRole("button", { name: "Threats" }).click();
  await page.waitForSelector(".marks .threat", { state: "detached" });
  await page.reload();
  await page.waitForSelector(".target");
  assert.equal(await page.locator(".marks .threat").count(), 0);
  await close(page);
}

async function agents(browser, server) {
  const page = await open(browser, server, "#/play?v=tic-tac-toe");
  await page.waitForSelector(".target");
  const who = page.getByLabel(/^Who plays/);
  await who.nth(1).selectOption("level:2");
  const { sites } = await choices(page);
  await page.mouse.click(sites[4].x, sites[4].y);
  await page.waitForFunction(() => document.querySelectorAll(".moves .ply").length === 2);
  // Undo takes back what it answered too.
  await settled(page);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.waitForFunction(() => !location.hash.includes("m="));
  await page.getByRole("button", { name: "Hint" }).click();
  await page.getByText(/^Hint: \w+/).waitFor();
  // Two agents play to the end.
  await who.nth(0).selectOption("random");
  await page.waitForSelector(".prompt.over", { timeout: 20_000 });
  await close(page);
}

async function analysis(browser, server) {
  const page = await open(browser, server, "#/play?v=connect-four");
  await page.waitForSelector(".target, .entry");
  await tab(page, "Analysis");
  await page.getByRole("switch", { name: "Analysis of this position" }).click();
  await page.locator(".panel ol.lines li .ply").first().click();
  await address(page, "m=");
  await settled(page);
  await page.locator(".panel ol.lines li .ply").first().waitFor();
  await close(page);
}

async function files(browser, server) {
  const page = await open(browser, server, "#/play?v=knightcap&s=1&m=d4,b3d4");
  await page.waitForSelector(".target");
  await tab(page, "Share");
  const got = async (name) => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name, exact: true }).click(),
    ]);
    return readFile(await download.path());
  };
  assert.match((await got("SVG")).toString(), /^<svg/);
  assert.equal((await got("PNG")).subarray(1, 4).toString(), "PNG");
  assert.equal((await got("GIF")).subarray(0, 3).toString(), "GIF");
  const record = await got("Record");
  assert.match(record.toString(), /b3d4/);
  const html = (await got("Page to replay it")).toString();

  // The page works without a server.
  const alone = await page.context().newPage();
  await alone.setContent(html);
  await alone.getByLabel("To the end").click();
  assert.match(await alone.locator("#says").innerText(), /b3d4/);
  assert.equal(await alone.locator("#board [data-site=b3] .piece").count(), 0);
  await alone.close();

  await page.getByLabel("Open a record").setInputFiles({ name: "game.txt", mimeType: "text/plain", buffer: record });
  await settled(page);
  assert.deepEqual(await page.locator(".moves .ply").allTextContents(), ["d4", "b3d4"]);
  await close(page);
}

/** Plies of a turn that the game writes as one word are one in the list, and each can be gone to. */
async function joined(browser, server) {
  const setup = "8/4m3/8/4m3/3M3M/6m1/8/M7 black";
  const page = await open(browser, server, `#/play?v=draughts&s=1&u=${encodeURIComponent(setup)}`);
  await page.waitForSelector(".target");
  await type(page, "d4f6d8", "g3f2", "h4g5");
  const rows = () => page.locator(".moves .ply-list").allTextContents();
  assert.deepEqual(await rows(), ["d4f6d8", "g3f2", "h4g5"]);
  const gap = await page.evaluate(() => {
    const place = (ply) => {
      const text = document.createRange();
      text.selectNodeContents(ply);
      return text.getBoundingClientRect();
    };
    const [first, second] = [...document.querySelectorAll(".moves .ply")].map(place);
    return second.left - first.right;
  });
  assert.ok(gap >= 0 && gap < 4, `${gap} pixels are within the word`);
  await page.reload();
  await page.waitForSelector(".target");
  await settled(page);
  assert.deepEqual(await rows(), ["d4f6d8", "g3f2", "h4g5"], "a game that is kept is written alike");
  await page.getByRole("button", { name: "d4f6", exact: true }).click();
  await settled(page);
  assert.equal(await page.locator(".moves .ply[aria-current]").innerText(), "d4f6");
  assert.deepEqual((await choices(page)).sites.map((one) => one.site), ["f6"], "the turn goes on from there");
  await page.getByRole("button", { name: "To the end" }).click();
  await settled(page);
  await tab(page, "Share");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Page to replay it", exact: true }).click(),
  ]);
  const alone = await page.context().newPage();
  await alone.setContent((await readFile(await download.path())).toString());
  assert.deepEqual(await alone.locator("#moves li").allTextContents(), ["d4f6d8", "g3f2", "h4g5"]);
  await alone.getByRole("button", { name: "d8", exact: true }).click();
  assert.match(await alone.locator("#says").innerText(), /^2\. black: f6d8\./);
  await alone.close();
  await close(page);
}

/** A server that is gone is said to be gone, and nothing is lost when it is back. */
async function lost(browser, server) {
  const page = await open(browser, server, "#/play?v=chess");
  await page.waitForSelector(".target");
  await type(page, "e2e4");
  await page.route("**/api/table", (route) => route.abort());
  await page.getByLabel("Type a move").fill("e7e5");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("does not answer").waitFor();
  await page.unroute("**/api/table");
  await page.getByRole("button", { name: "Ask again" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".alarm").length === 0);
  await type(page, "e7e5");
  page.faults = page.faults.filter((fault) => !fault.includes("ERR_FAILED"));
  await close(page);
}

/** A server that is killed in the middle of a game takes no move with it. */
async function killed(browser) {
  const server = await serve();
  const page = await open(browser, server, "#/play?v=knightthrough");
  await page.waitForSelector(".target");
  await type(page, "b1c3", "b8c6", "c3d5");
  const shown = await plies(page);
  const board = await page.locator(".board-host svg").innerHTML();
  // An agent begins to think; then there is nobody left.
  await page.getByLabel(/^Who plays/).nth(1).selectOption("level:2");
  await server.stop("SIGKILL");
  await page.getByRole("alert").getByText("does not answer").waitFor();
  assert.deepEqual(await plies(page), shown);
  const again = await serve({}, [], new URL(server.address).port);
  try {
    await page.reload();
    await page.waitForFunction((plies) => document.querySelectorAll(".moves .ply").length >= plies, shown.length);
    assert.deepEqual((await plies(page)).slice(0, 3), shown, "what was shown as made is still there");
    await page.waitForFunction((plies) => document.querySelectorAll(".moves .ply").length > plies, shown.length);
    await page.getByRole("button", { name: "Back a ply" }).click();
    await settled(page);
    assert.equal(await page.locator(".board-host svg .piece").count(), (board.match(/class="piece"/g) ?? []).length);
    page.faults = page.faults.filter((fault) => !fault.includes("ERR_"));
    await close(page);
  } finally {
    await again.stop();
  }
}

/** A finger drags a piece, and does not scroll the page meanwhile. */
async function finger(browser, server) {
  const page = await open(browser, server, "#/play?v=chess", PHONE);
  await page.waitForSelector(".target");
  const client = await page.context().newCDPSession(page);
  const middle = async (site) => {
    const box = await page.locator(`[data-site=${site}] .ground`).boundingBox();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const [from, to] = [await middle("e2"), await middle("e4")];
  const touch = (type, ...touchPoints) => client.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", from);
  for (let step = 1; step <= 8; step += 1) {
    await touch("touchMove", { x: to.x, y: from.y + ((to.y - from.y) * step) / 8 });
  }
  await touch("touchEnd");
  await address(page, "m=e2e4");
  assert.equal(await page.evaluate(() => scrollY), 0);
  await close(page);
}

/** Keys take a choice back; a click beside the board does too. The board turns around. */
async function choice(browser, server) {
  const page = await open(browser, server, "#/play?v=chess");
  await page.waitForSelector(".target");
  const chosen = () => page.locator(".board-host [aria-selected=true]").count();
  await page.locator("[data-site=b1]").focus();
  await page.keyboard.press("Enter");
  await page.waitForSelector(".picked[data-site=b1]");
  await page.keyboard.press("Escape");
  await settled(page);
  assert.equal(await chosen(), 0);
  await page.keyboard.press(" ");
  await page.waitForSelector(".picked[data-site=b1]");
  await page.locator(".panel h1").click();
  await page.waitForSelector(".picked", { state: "detached" });
  await page.getByRole("button", { name: "Flip" }).click();
  const [low, high] = await page.evaluate(() =>
    ["h8", "a1"].map((site) => document.querySelector(`[data-site=${site}]`).getBoundingClientRect().y),
  );
  assert.ok(low > high, "black is at the bottom");
  await page.getByLabel("Type a move").fill("e2e5");
  await page.keyboard.press("Enter");
  await page.getByText("no legal move has this text").waitFor();
  await page.getByRole("button", { name: "Resign for white" }).click();
  await page.getByText(/^Black wins/).first().waitFor();
  await page.getByRole("button", { name: "Take the resignation back" }).click();
  await page.waitForSelector(".target");
  await close(page);
}

const DICE = `
name    = "Ring"
players = ["white", "black"]
[board.graph.edges]
"on back" = "a-b-c-d-e-f-g-h-a"
[pieces]
stone = {}
[state]
die = { type = "int", lasts = 0 }
[setup]
do = "put white stone at a; put black stone at e"
[decisions.roll]
by     = "chance"
choose = "k in 1..6"
do     = "die = k"
text   = "{k}"
[decisions.move]
choose = "from in own, to in near(from) & vacant"
do     = "move from -> to"
text   = "{from}{to}"
[turn]
main  = "roll, move"
stuck = "mover loses"
`;

/** Chance plays by itself; a game of the folder is found. */
async function chance(browser, server) {
  await writeFile(path.join(server.folder, "ring.toml"), DICE);
  const page = await open(browser, server, "#/play?v=./ring.toml&s=3");
  await page.waitForSelector(".target");
  assert.match((await plies(page))[0], /^[1-6]$/);
  await page.locator("[data-site=a]").click();
  await page.waitForSelector(".picked[data-site=a]");
  await page.locator("[data-site=b]").click();
  await page.waitForFunction(() => document.querySelectorAll(".moves .ply").length === 3);
  await page.waitForSelector(".target");
  await page.getByRole("button", { name: "Back a turn" }).click();
  await settled(page);
  assert.match(await page.locator(".ply[aria-current]").innerText(), /^ab$/);
  await page.getByRole("button", { name: /^Let chance decide/ }).waitFor();
  await close(page);
}

async function gallery(browser, server) {
  const page = await open(browser, server);
  await page.getByRole("heading", { name: "With Farrier" }).waitFor();
  assert.ok((await page.locator("section[aria-label='In this folder'] .game-card").count()) >= 1);
  await page.getByPlaceholder("Search the games").fill("knights that belong");
  await page.waitForFunction(() => document.querySelectorAll(".game-card").length === 1);
  await page.getByRole("link", { name: "Play Knightcap" }).click();
  await page.waitForSelector(".board-host .target");
  await close(page);
}

async function access(browser, server) {
  const looks = [{}, { colorScheme: "dark" }, PHONE, { ...PHONE, colorScheme: "dark" }];
  for (const look of looks) {
    const page = await open(browser, server, "", look);
    await page.locator(".game-card img").first().waitFor();
    assert.deepEqual(await violations(page), [], `gallery ${JSON.stringify(look)}`);
    await page.goto(`${server.address}/#/play?v=knight-scattering-chess&s=1&m=b1c3,d7d5`);
    await page.waitForSelector(".target");
    for (const name of ["Moves", "Options", "Analysis", "Share", "About"]) {
      await tab(page, name);
      assert.deepEqual(await violations(page), [], `play, ${name} ${JSON.stringify(look)}`);
    }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, "nothing is wider than the screen");
    await close(page);
  }
}

export const tests = [
  ["gallery", gallery],
  ["a reload keeps the game", reload],
  ["lines of play", lines],
  ["a link brings the same game", shared],
  ["options in mid-game", options],
  ["options that need each other, and that do not go together", bound],
  ["choices that are no sites", places],
  ["threats", threats],
  ["agents reply", agents],
  ["analysis", analysis],
  ["files", files],
  ["plies that are one word", joined],
  ["a finger drags", finger],
  ["a choice is taken back", choice],
  ["chance", chance],
  ["a server that is gone", lost],
  ["a server that is killed", killed],
  ["access", access],
];
