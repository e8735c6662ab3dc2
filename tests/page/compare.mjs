// Tests of the view that compares two variants.
import assert from "node:assert/strict";
import { PHONE, open, violations } from "./kit.mjs";

const PAIR = "#/compare?a=knights-and-pawns&b=knights-and-pawns%2Bswitch-move";

const board = (page, side) => page.locator(`.one-board.side-${side}`);

async function ready(browser, server, hash = PAIR, options = {}) {
  const page = await open(browser, server, hash, options);
  for (const side of ["A", "B"]) await board(page, side).locator("[data-site]").first().waitFor();
  return page;
}

async function choose(page, side, ...sites) {
  for (const site of sites) await board(page, side).locator(`[data-site=${site}].target`).click();
}

async function done(page) {
  assert.deepEqual(page.faults, []);
  await page.context().close();
}

async function picks(browser, server) {
  const page = await open(browser, server, "#/compare");
  await page.locator("#pick-A-game").selectOption("knights-and-pawns");
  const right = page.locator(".pick.side-B");
  await right.getByLabel("switch move").check();
  const word = page.locator("#pick-B-word");
  await page.waitForFunction(() => document.querySelector("#pick-B-word").value === "knights-and-pawns+switch-move");
  await word.fill("knights-and-pawns+nothing");
  await right.locator(".wrong").waitFor();
  await word.fill("knights-and-pawns+switch-move");
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await page.getByText("3 rules differ, told from A to B.").waitFor();
  assert.match(await page.locator(".rules").innerText(), /Decisions[\s\S]*decision switch is new/);
  assert.match(await page.evaluate(() => location.hash), /b=knights-and-pawns%2Bswitch-move/);
  page.faults = page.faults.filter((fault) => !fault.includes("status of 4"));
  await done(page);
}

async function steps(browser, server) {
  const page = await ready(browser, server);
  await page.locator(".differing", { hasText: "4 moves are legal in A, 8 in B." }).waitFor();
  await choose(page, "A", "b1", "c3");
  const played = (side, site) => board(page, side).locator(`[data-site=${site}][aria-label*="white knight"]`).waitFor();
  await played("A", "c3");
  await played("B", "c3");
  await page.getByRole("button", { name: "Previous" }).click();
  await played("A", "b1");
  await played("B", "b1");
  // A move that only one of them has.
  await choose(page, "B", "b1", "c1");
  await board(page, "A").locator(".stuck", { hasText: "b1~c1 is not legal here" }).waitFor();
  await played("B", "c1");
  await page.getByRole("button", { name: "First" }).press("Enter");
  await played("B", "b1");
  await board(page, "A").locator(".stuck").waitFor({ state: "detached" });
  await done(page);
}

async function line(browser, server) {
  const page = await ready(browser, server, "#/compare?a=knight-fight&b=knight-fight%3Aerase-double%3Dmust");
  await page.getByText("They differ after 1 ply.", { exact: true }).waitFor();
  // It begins where they differ.
  assert.equal(await page.locator(".steps-at").innerText(), "Ply 1 of 1");
  await page.locator(".differing", { hasText: "moves are legal in A" }).waitFor();
  await page.getByRole("button", { name: "First" }).click();
  await page.locator(".differing").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Next" }).click();
  await page.locator(".differing").waitFor();
  await done(page);
}

async function games(browser, server) {
  const page = await ready(browser, server);
  await page.getByLabel("Random games of each").fill("20000");
  await page.getByLabel("Thinking games at each level").fill("0");
  await page.getByRole("button", { name: "Play the games" }).click();
  await page.getByRole("progressbar", { name: "Games played" }).waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByText("Stopped. Nothing is kept of these games.").waitFor();
  await page.getByLabel("Random games of each").fill("30");
  await page.getByRole("button", { name: "Play the games" }).click();
  await page.locator(".verdict-of li").first().waitFor({ timeout: 60_000 });
  assert.ok((await page.locator(".figure-table tbody tr").count()) > 5);
  // The openings of so few games are mostly unseen: a bound is told as one, without an interval.
  const bound = page.locator(".figure-table td", { has: page.getByText(/^at least /) }).first();
  assert.equal(await bound.locator(".interval").count(), 0);
  await page.locator(".figure-notes", { hasText: "only known to be at least" }).waitFor();
  const report = await page.getByRole("link", { name: "The full report" }).getAttribute("href");
  const answer = await fetch(server.address + report);
  assert.match(await answer.text(), /<html/);
  assert.deepEqual(await violations(page), []);
  await done(page);
}

async function access(browser, server, options) {
  const page = await ready(browser, server, PAIR, options);
  const found = await violations(page);
  await choose(page, "B", "b1", "c1");
  await board(page, "A").locator(".stuck").waitFor();
  found.push(...(await violations(page)));
  assert.deepEqual(found, []);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `the page is ${wide} px wider than the screen`);
  await done(page);
}

export const tests = [
  ["compare: variants are picked, and rules compared", picks],
  ["compare: two boards step together", steps],
  ["compare: the line that tells two variants apart", line],
  ["compare: few games end with a verdict", games],
  ["compare: axe finds nothing, light", (browser, server) => access(browser, server, { colorScheme: "light" })],
  ["compare: axe finds nothing, dark", (browser, server) => access(browser, server, { colorScheme: "dark" })],
  ["compare: axe finds nothing, phone", (browser, server) => access(browser, server, { ...PHONE, colorScheme: "light" })],
];
