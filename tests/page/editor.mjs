// Tests of the view in which definitions are written.
import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { PHONE, open, serve, violations } from "./kit.mjs";

/** The text of a game as the program under test has it. */
async function shipped(server, name) {
  const answer = await fetch(`${server.address}/api/file?name=${name}`);
  return (await answer.json()).text;
}

/** A view of a file of its own. */
async function edit(browser, server, name, options) {
  const file = path.join(server.folder, name);
  await writeFile(file, await shipped(server, "knightcap"));
  const page = await open(browser, server, `#/edit?f=./${name}`, options);
  await page.locator(".cm-content").waitFor();
  await page.locator(".desk-verdict", { hasText: "No mistakes" }).waitFor();
  return { page, file };
}

/** Puts the cursor behind a text. */
async function behind(page, text) {
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Control+f");
  const field = page.locator(".cm-search [name=search]");
  await field.press("Control+a");
  // The field looks at keys, not at what is put into it.
  await field.pressSequentially(text);
  await field.press("Enter");
  await field.press("Escape");
  await page.keyboard.press("ArrowRight");
}

async function done(page, file) {
  assert.deepEqual(page.faults, []);
  await page.context().close();
  if (file) await rm(file, { force: true });
}

async function typo(browser, server) {
  const { page, file } = await edit(browser, server, "typo.toml");
  await behind(page, "some victims");
  await page.keyboard.press("Backspace");
  const problem = page.locator(".problem");
  await problem.waitFor();
  const lines = (await readFile(file, "utf8")).split("\n");
  const line = lines.findIndex((text) => text.includes("some victims")) + 1;
  const said = await problem.innerText();
  assert.match(said, /Error[\s\S]*unknown name victim[\s\S]*did you mean/);
  assert.ok(said.includes(`line ${line}, column 16`), said);
  assert.equal(await page.locator(".cm-lintRange-error").innerText(), "victim");
  // The list leads to the place.
  await page.keyboard.press("Control+Home");
  await problem.getByRole("button").click();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.type("s");
  await page.locator(".desk-verdict", { hasText: "No mistakes" }).waitFor();
  assert.equal(await page.locator(".cm-lintRange-error").count(), 0);
  assert.equal(await page.locator(".desk-status").innerText(), "✓ Saved");
  await done(page, file);
}

async function board(browser, server) {
  const { page, file } = await edit(browser, server, "board.toml");
  const sites = page.locator(".trial [data-site]");
  await sites.first().waitFor();
  assert.equal(await sites.count(), 64);
  for (const site of ["d4", "b3", "d4"]) {
    await page.locator(`.trial [data-site=${site}].target`).click();
    await page.waitForTimeout(50);
  }
  await page.locator(".trial-moves", { hasText: "b3d4" }).waitFor();
  await behind(page, "square = [8, 8");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("7");
  const begun = Date.now();
  await page.waitForFunction(() => document.querySelectorAll(".trial [data-site]").length === 56);
  assert.ok(Date.now() - begun < 2500, "the board follows the text");
  // The moves stay as far as they are legal.
  assert.match(await page.locator(".trial-moves").innerText(), /d4\s+b3d4/);
  await behind(page, 'leap   = "leap 1,');
  await page.keyboard.press("Delete");
  await page.keyboard.type("3");
  await page.locator(".trial-note", { hasText: "b3d4, is not legal any more" }).waitFor();
  assert.equal(await page.locator(".trial-moves s").innerText(), "b3d4");
  await done(page, file);
}

async function saving(browser, server) {
  const { page, file } = await edit(browser, server, "saving.toml");
  await behind(page, 'name    = "Knight');
  await page.keyboard.type("'s ");
  await page.locator(".desk-status", { hasText: "Not saved" }).waitFor();
  await page.keyboard.press("Control+s");
  await page.locator(".desk-status", { hasText: /Saved/ }).waitFor();
  assert.match(await readFile(file, "utf8"), /^name {4}= "Knight's cap"/);
  await done(page, file);
}

async function outside(browser, server) {
  const { page, file } = await edit(browser, server, "outside.toml");
  const text = await readFile(file, "utf8");
  await writeFile(file, text.replace("Knightcap", "Evening"));
  await page.locator(".cm-line", { hasText: "Evening" }).waitFor();
  // With changes of our own, nothing is lost unless it is chosen.
  await behind(page, 'author  = "David');
  await page.keyboard.type(" X.");
  await page.locator(".desk-status", { hasText: "Not saved" }).waitFor();
  await writeFile(file, text.replace("Knightcap", "Day cap"));
  const notice = page.locator(".notice", { hasText: "Another program has changed this file" });
  await notice.waitFor();
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press("Control+s");
  await page.waitForTimeout(500);
  assert.match(await readFile(file, "utf8"), /Day cap/);
  await notice.getByRole("button", { name: "Overwrite with mine" }).click();
  await page.locator(".desk-status", { hasText: /Saved/ }).waitFor();
  assert.match(await readFile(file, "utf8"), /Evening"\nauthor {2}= "David X\. Parlett/);
  assert.deepEqual(page.faults.filter((fault) => !fault.includes("409")), []);
  page.faults.length = 0;
  await done(page, file);
}

async function drafts(browser, server) {
  const { page, file } = await edit(browser, server, "draft.toml");
  await behind(page, 'name    = "Knightcap');
  await page.keyboard.type(" again");
  await page.locator(".desk-status", { hasText: "Not saved" }).waitFor();
  await page.reload();
  await page.locator(".notice", { hasText: "were not saved" }).waitFor();
  await page.locator(".cm-line", { hasText: "Knightcap again" }).waitFor();
  await page.getByRole("button", { name: "Discard them" }).click();
  await page.locator(".cm-line", { hasText: "Knightcap again" }).waitFor({ state: "detached" });
  assert.doesNotMatch(await page.locator(".desk-status").innerText(), /Not saved/);
  await done(page, file);
}

/** Where the browser has no room for a draft, that is told before anything is lost. */
async function unkept(browser, server) {
  const { page, file } = await edit(browser, server, "unkept.toml");
  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("no room", "QuotaExceededError");
    };
  });
  await behind(page, 'name    = "Knightcap');
  await page.keyboard.type(" again");
  const notice = page.locator(".notice", { hasText: "keeps no more drafts" });
  await notice.waitFor();
  const leaves = () => page.evaluate(() => dispatchEvent(new Event("beforeunload", { cancelable: true })));
  assert.equal(await leaves(), false);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await notice.waitFor({ state: "detached" });
  assert.equal(await leaves(), true);
  assert.match(await readFile(file, "utf8"), /Knightcap again/);
  await done(page, file);
}

/** What was never saved is found again, and nothing writes over it. */
async function unsaved(browser, server) {
  const page = await open(browser, server);
  await page.getByRole("link", { name: "Write a new game" }).click();
  const begin = async (name) => {
    await page.getByLabel("Name of the file").fill(name);
    await page.getByRole("button", { name: "Begin" }).click();
    await page.locator(".desk-verdict", { hasText: "No mistakes" }).waitFor();
  };
  await begin("sub/dir/mine.toml");
  await behind(page, 'name    = "Mine');
  await page.keyboard.type(" alone");
  // A folder that is not there is told.
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.locator(".notice", { hasText: "make the folder first" }).waitFor();
  await page.evaluate(() => (location.hash = "#/edit"));
  await page.getByRole("heading", { name: "What you have not saved" }).waitFor();
  assert.deepEqual(await violations(page), []);
  await begin("sub/dir/mine.toml");
  await page.locator(".cm-line", { hasText: "Mine alone" }).waitFor();
  await page.evaluate(() => (location.hash = "#/edit"));
  await page.getByRole("link", { name: "sub/dir/mine.toml" }).click();
  await page.locator(".cm-line", { hasText: "Mine alone" }).waitFor();
  page.faults = page.faults.filter((fault) => !/status of 4/.test(fault));
  await done(page);
}

/** A page that is hidden holds no connection, and reads the file again once it is seen. */
async function hidden(browser, server) {
  const { page, file } = await edit(browser, server, "hidden.toml");
  const show = (isHidden) =>
    page.evaluate((isHidden) => {
      Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, isHidden);
  const isWatch = (request) => request.url().endsWith("/api/watch");
  await Promise.all([page.waitForEvent("requestfailed", isWatch), show(true)]);
  await writeFile(file, (await readFile(file, "utf8")).replace("Knightcap", "Evening"));
  await page.waitForTimeout(1200);
  assert.equal(await page.locator(".cm-line", { hasText: "Evening" }).count(), 0);
  await Promise.all([page.waitForEvent("request", isWatch), show(false)]);
  await page.locator(".cm-line", { hasText: "Evening" }).waitFor();
  await done(page, file);
}

async function help(browser, server) {
  const { page, file } = await edit(browser, server, "help.toml");
  await behind(page, 'choose = "x in kn');
  await page.keyboard.press("Control+Space");
  const list = page.locator(".cm-tooltip-autocomplete");
  await list.locator(".cm-completionLabel", { hasText: /^knight$/ }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("F1");
  await page.locator(".meaning", { hasText: "knight" }).waitFor();
  await page.getByText("where", { exact: true }).first().hover();
  await page.locator(".cm-tooltip-hover", { hasText: "Which choices are legal" }).waitFor();
  await done(page, file);
}

async function verdicts(browser, server) {
  const { page, file } = await edit(browser, server, "tests.toml");
  await behind(page, 'count = 8');
  await page.keyboard.press("Backspace");
  await page.keyboard.type("9");
  await page.getByRole("tab", { name: "Tests" }).click();
  await page.getByText("15 of 16 tests passed, 1 failed.", { exact: true }).first().waitFor();
  const failed = page.locator(".verdicts .failed");
  assert.match(await failed.innerText(), /then White leaps[\s\S]*failed[\s\S]*Error/);
  // What failed is marked in the text, as long as it is the text that was tested.
  const marked = page.locator(".cm-lintRange-error");
  await marked.first().waitFor();
  await page.locator(".cm-content").focus();
  await page.keyboard.type(" ");
  await marked.first().waitFor({ state: "detached" });
  await page.keyboard.press("Backspace");
  assert.deepEqual(await violations(page), []);
  await page.getByRole("tab", { name: "What it means" }).click();
  await page.locator(".described h2", { hasText: "leap" }).waitFor();
  const relations = page.locator(".described section", { hasText: "Relations" });
  assert.match(await relations.innerText(), /leap\s+leap 1,2/);
  await done(page, file);
}

async function copies(browser, server) {
  const page = await open(browser, server, "#/edit?f=knightcap");
  await page.locator(".notice", { hasText: "comes with Farrier" }).waitFor();
  await page.locator(".cm-content").waitFor();
  await page.keyboard.press("Control+s");
  const field = page.getByLabel("Name of the new file");
  await field.fill("a copy.toml");
  await field.press("Enter");
  await page.locator(".desk-status", { hasText: "Saved" }).waitFor();
  const copy = path.join(server.folder, "a copy.toml");
  assert.equal(await readFile(copy, "utf8"), await shipped(server, "knightcap"));
  // A new definition begins with something that can be played.
  await page.evaluate(() => (location.hash = "#/edit?f=./not-there.toml"));
  await page.getByText("There is nothing to edit here").waitFor();
  await page.getByRole("button", { name: "Begin" }).click();
  await page.locator(".desk-verdict", { hasText: "No mistakes" }).waitFor();
  await page.locator(".trial [data-site]").first().waitFor();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.locator(".desk-status", { hasText: "Saved" }).waitFor();
  const fresh = path.join(server.folder, "not-there.toml");
  assert.match(await readFile(fresh, "utf8"), /^name {4}= "Not there"/);
  assert.deepEqual(page.faults.filter((fault) => !fault.includes("404")), []);
  page.faults.length = 0;
  await rm(copy);
  await done(page, fresh);
}

async function extension(browser, server) {
  const file = path.join(server.folder, "calm.toml");
  await writeFile(file, 'for = "knights-and-pawns"\nsummary = "Calm"\n\n[end.calm]\nwhen   = "ply > 20"\nresult = "draw"\n');
  const page = await open(browser, server, "#/edit?f=./calm.toml");
  await page.locator(".trial [data-site]").first().waitFor();
  assert.equal(await page.locator(".trial [data-site]").count(), 36);
  // Its tests are those of the game, and it has a meaning.
  await page.getByRole("tab", { name: "Tests" }).click();
  await page.getByText(/tests? passed|\d+ of \d+ tests/).first().waitFor();
  await page.getByRole("tab", { name: "What it means" }).click();
  await page.locator(".described dt", { hasText: "calm" }).waitFor();
  await page.getByRole("tab", { name: "Board" }).click();
  await behind(page, "ply > 2");
  await page.keyboard.type("x");
  // What is wrong is told with its place here too.
  await page.locator(".problem", { hasText: "line 5" }).waitFor();
  await done(page, file);
}

async function readOnly(browser) {
  const server = await serve({ "shown.toml": "knightcap.toml" }, ["--read-only"]);
  try {
    const page = await open(browser, server, "#/edit?f=./shown.toml");
    await page.locator(".notice", { hasText: "This server writes no files" }).waitFor();
    assert.equal(await page.getByRole("button", { name: /^Save/ }).count(), 0);
    await page.getByRole("button", { name: "Download" }).waitFor();
    await done(page);
  } finally {
    await server.stop();
  }
}

async function access(browser, server, options) {
  const { page, file } = await edit(browser, server, "access.toml", options);
  await page.locator(".trial [data-site]").first().waitFor();
  const found = await violations(page);
  await behind(page, "some victims");
  await page.keyboard.press("Backspace");
  await page.locator(".problem").waitFor();
  found.push(...(await violations(page)));
  await page.getByRole("tab", { name: "What it means" }).click();
  await page.locator(".described summary").click();
  await page.locator(".listing").waitFor();
  found.push(...(await violations(page)));
  await page.keyboard.press("Control+z");
  await page.getByRole("button", { name: "Save a copy as" }).click();
  found.push(...(await violations(page)));
  assert.deepEqual(found, []);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `the page is ${wide} px wider than the screen`);
  await done(page, file);
}

export const tests = [
  ["editor: a typo is shown at its place and mended", typo],
  ["editor: the board follows the text", board],
  ["editor: Ctrl-S writes the file", saving],
  ["editor: changes by other programs are seen", outside],
  ["editor: unsaved changes survive a reload", drafts],
  ["editor: changes that the browser cannot keep are told", unkept],
  ["editor: what was never saved is found again", unsaved],
  ["editor: a hidden page holds no connection", hidden],
  ["editor: words that fit, and what words mean", help],
  ["editor: tests and meaning", verdicts],
  ["editor: copies and new definitions", copies],
  ["editor: an extension is played with its game", extension],
  ["editor: a server that writes nothing says so", readOnly],
  ["editor: axe finds nothing, light", (browser, server) => access(browser, server, { colorScheme: "light" })],
  ["editor: axe finds nothing, dark", (browser, server) => access(browser, server, { colorScheme: "dark" })],
  ["editor: axe finds nothing, phone", (browser, server) => access(browser, server, { ...PHONE, colorScheme: "dark" })],
];
