// Games as they are kept, shared and begun anew, and who plays what in them.
import assert from "node:assert/strict";
import { address, choices, close, open, PHONE, plies, ready, settled, tab, type } from "./kit.mjs";

const SMALL = "#/play?v=hex%3Asize%3D3";

/** After sides were swapped a seat is still that of the same person, and who is to move loses by resigning. */
async function sides(browser, server) {
  const page = await open(browser, server, SMALL);
  await page.waitForSelector(".target");
  const length = (count) => page.waitForFunction((count) => document.querySelectorAll(".moves .ply").length === count, count);
  await page.getByLabel("Who plays red").selectOption("random");
  await length(1);
  await type(page, "swap");
  // The agent plays the other colour now.
  await length(3);
  await settled(page);
  assert.equal(await page.getByLabel("Who plays blue").inputValue(), "random");
  assert.equal(await page.getByLabel("Who plays red").inputValue(), "");
  const { sites } = await choices(page);
  await page.mouse.click(sites[0].x, sites[0].y);
  await length(5);
  await settled(page);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.waitForFunction(() => location.hash.split("m=")[1]?.split(",").length === 3);
  await close(page);

  const two = await open(browser, server, `${SMALL}&m=b2,swap`);
  await two.locator(".person.is-due", { hasText: "Blue to move" }).waitFor();
  assert.match(await two.locator(".task").innerText(), /^Blue/);
  // The stone in the middle wins for red, whoever plays red.
  await tab(two, "Analysis");
  await two.getByRole("switch", { name: "Analysis of this position" }).click();
  await two.locator('[role=meter][aria-label^="Expected for red"][aria-valuenow="100"]').waitFor();
  await tab(two, "Moves");
  await two.getByRole("button", { name: "Resign for blue" }).click();
  await two.getByText(/^Red wins/).first().waitFor();
  assert.match(await two.locator(".task").innerText(), /Blue resigned/);
  await address(two, "r=1");
  // The link says so too.
  const other = await open(browser, server, new URL(two.url()).hash);
  await other.getByText(/^Red wins/).first().waitFor();
  await close(other);
  const late = await open(browser, server, `${new URL(two.url()).hash}t`);
  await late.getByText(/^Red wins/).first().waitFor();
  assert.match(await late.locator(".task").innerText(), /Blue had no time left/);
  await late.getByRole("button", { name: "Play on without a clock" }).click();
  await late.waitForSelector(".target");
  await close(late);
  await close(two);
}

/** A game that is resigned before it began is kept, until that is taken back. */
async function resigned(browser, server) {
  const page = await open(browser, server, SMALL);
  await page.waitForSelector(".target");
  await page.getByRole("button", { name: "Resign for red" }).click();
  await page.getByText(/^Blue wins/).first().waitFor();
  await page.goto(`${server.address}/#/`);
  await page.getByRole("link", { name: "Look at it with Hex, 0 plies" }).click();
  await page.getByText(/^Blue wins/).first().waitFor();
  await page.getByRole("button", { name: "Take the resignation back" }).click();
  await page.waitForSelector(".target");
  await page.goto(`${server.address}/#/`);
  await page.getByRole("heading", { name: "With Farrier" }).waitFor();
  assert.equal(await page.getByRole("link", { name: /with Hex/ }).count(), 0);
  await close(page);
}

/** A record is opened with its start, its seed and its end; its start stays when options change. */
async function record(browser, server) {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ variant: "knights-and-pawns", moves: ["b1c3"] });
  const { position } = await (await fetch(`${server.address}/api/table`, { method: "POST", headers, body })).json();
  const seed = "18446744073709551615";
  const lines = [
    `{"game":"knights-and-pawns","setup":${JSON.stringify(position)},"seed":${seed}}`,
    '{"result":"white","reason":"resigned","resigned":"black"}',
  ];
  const page = await open(browser, server, "#/play?v=tic-tac-toe");
  await page.waitForSelector(".target");
  await tab(page, "Share");
  const buffer = Buffer.from(lines.join("\n"));
  await page.getByLabel("Open a record").setInputFiles({ name: "game.txt", mimeType: "text/plain", buffer });
  await page.getByText(/^White wins/).first().waitFor();
  await address(page, `s=${seed}`);
  await tab(page, "Moves");
  const setup = page.getByLabel("Set-up").locator("option:checked");
  assert.equal(await setup.innerText(), "as this game began");
  await page.getByRole("button", { name: "Take the resignation back" }).click();
  await page.waitForSelector(".target");
  const stands = () => page.locator("[data-site=c3]").getAttribute("aria-label");
  const before = await stands();
  assert.match(before, /white knight/);
  await tab(page, "Options");
  await page.getByRole("switch", { name: "switch move" }).click();
  await address(page, "%2Bswitch-move");
  await settled(page);
  assert.equal(await stands(), before);
  await close(page);
}

/** Two windows with one game do not write over each other. */
async function windows(browser, server) {
  const page = await open(browser, server, "#/play?v=chess");
  await page.waitForSelector(".target");
  await type(page, "e2e4");
  await address(page, "m=e2e4");
  const other = await page.context().newPage();
  await ready(other, server);
  await other.goto(page.url());
  await other.waitForSelector(".target");
  await type(other, "c7c5");
  await type(page, "e7e5", "g1f3");
  await address(page, "g1f3");
  await page.goto(`${server.address}/#/`);
  for (const [name, line] of [["3 plies", ["e2e4", "e7e5", "g1f3"]], ["2 plies", ["e2e4", "c7c5"]]]) {
    await page.getByRole("link", { name: `Go on with Chess, ${name}` }).click();
    await page.waitForSelector(".target");
    assert.deepEqual(await plies(page), line);
    await page.goto(`${server.address}/#/`);
  }
  assert.deepEqual(other.faults, []);
  await close(page);
}

/** A browser that has no room for a game says so once. */
async function full(browser, server) {
  const page = await open(browser, server, "#/play?v=chess");
  await page.waitForSelector(".target");
  await page.evaluate(() => {
    for (let size = 1 << 22; size >= 1; size >>= 1) {
      try {
        for (let at = 0; ; at += 1) localStorage.setItem(`x${size}.${at}`, "x".repeat(size));
      } catch {
        // There is no room for as much as that.
      }
    }
  });
  await type(page, "e2e4");
  const said = page.getByText("This browser keeps no more games");
  await said.waitFor();
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await type(page, "e7e5");
  await address(page, "e7e5");
  assert.equal(await said.count(), 0);
  await close(page);
}

/** A new game of agents that draw is another one; the end is told in words. */
async function anew(browser, server) {
  const page = await open(browser, server, "#/play?v=tic-tac-toe&s=1&m=a1,b1,a2,b2,a3");
  await page.waitForSelector(".prompt.over");
  assert.match(await page.locator(".task").innerText(), /The game is over: three\./);
  await address(page, "s=1&");
  await page.locator(".controls").getByRole("button", { name: "New game" }).click();
  await page.waitForFunction(() => !location.hash.includes("m=") && !/s=1(&|$)/.test(location.hash));
  await close(page);
}

/** Numbers on the board are legible where they can be chosen. */
async function numbered(browser, server) {
  for (const look of [{}, PHONE]) {
    const page = await open(browser, server, "#/play?v=knight-fight", look);
    await page.waitForSelector(".marks .dot");
    const covered = await page.evaluate(() =>
      [...document.querySelectorAll(".marks .dot")].filter((dot) => {
        const number = document.querySelector(`[data-site="${dot.dataset.mark}"] .number`);
        const [box, over] = [number?.getBoundingClientRect(), dot.getBoundingClientRect()];
        return box && over.top < box.bottom - 1;
      }).length,
    );
    assert.equal(covered, 0);
    await close(page);
  }
}

export const tests = [
  ["sides that are swapped", sides],
  ["a game that is resigned at once", resigned],
  ["a record with its end", record],
  ["two windows with one game", windows],
  ["a browser without room", full],
  ["a new game is another one", anew],
  ["numbers on the board", numbered],
];
