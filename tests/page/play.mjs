// Whole games of the five knight games, each with another hand: clicks, drags, touch and keys.
import assert from "node:assert/strict";
import { choices, numbers, open, PHONE, settled } from "./kit.mjs";

/** The most choices of a game; one that goes on longer is resigned. */
const MOST = 2000;

/** Plays choices at random until the game is over. `by` says how a site is chosen. */
async function play(page, seed, by) {
  const random = numbers(seed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  for (let step = 0; step < MOST; step += 1) {
    const now = await choices(page);
    if (now.over) return step;
    assert.ok(now.sites.length + now.entries.length > 0, "something can be chosen");
    const taken = now.sites.filter((one) => one.taken);
    const choice = pick(taken.length > 0 && random() < 0.8 ? taken : [...now.sites, ...now.entries]);
    if (choice.entry === undefined) await by(choice, now, random);
    else await page.locator(".entry").getByText(choice.entry, { exact: true }).first().dispatchEvent("click");
  }
  await page.getByRole("button", { name: /^Resign/ }).click();
  await settled(page);
  return MOST;
}

async function ended(page) {
  const { over, move } = await choices(page);
  assert.ok(over, "the game is over");
  assert.ok(move > 0, "its moves are listed");
  assert.match(await page.locator(".task").innerText(), /\w/, "why it ended is said");
  assert.deepEqual(page.faults, []);
}

async function game(browser, server, name, seed, by, options) {
  const page = await open(browser, server, `#/play?v=${name}&s=${seed}`, options);
  await page.waitForSelector(".board-host .target, .entry");
  const choose = by(page);
  const steps = await play(page, seed, choose);
  await ended(page);
  await page.context().close();
  return `${steps} choices`;
}

const clicks = (page) => async (choice) => page.mouse.click(choice.x, choice.y);

const taps = (page) => async (choice) => {
  // The board may be out of sight on a phone, once the page was scrolled.
  await page.evaluate(() => scrollTo(0, 0));
  const [{ x, y }] = (await choices(page)).sites.filter((one) => one.site === choice.site);
  await page.touchscreen.tap(x, y);
};

/** Pieces are dragged to where they go; what is no piece is clicked. */
const drags = (page) => async (choice, now, random) => {
  if (now.begun > 0 || !choice.carried) return page.mouse.click(choice.x, choice.y);
  await page.mouse.move(choice.x, choice.y);
  await page.mouse.down();
  await page.mouse.move(choice.x + 12, choice.y + 8, { steps: 2 });
  assert.equal(await page.locator(".ghost").count(), 1, "a piece follows the pointer");
  const next = await choices(page);
  const to = next.sites[Math.floor(random() * next.sites.length)];
  // Where the piece alone is the whole move, it is put down where it was.
  if (next.begun > 0 && to) await page.mouse.move(to.x, to.y, { steps: 3 });
  else await page.mouse.move(choice.x, choice.y);
  await page.mouse.up();
  assert.equal(await page.locator(".ghost").count(), 0, "it is put down");
};

/** Arrow keys go to the site, Enter chooses it. Where arrows find no way, the move is typed. */
const keys = (page) => async (choice) => {
  const at = () => page.evaluate(() => document.activeElement?.dataset?.site ?? null);
  const middle = (site) =>
    page.evaluate((site) => {
      const box = document.querySelector(`[data-site="${site}"] .ground`).getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    }, site);
  for (let presses = 0; (await at()) === null; presses += 1) {
    assert.ok(presses < 40, "the tabulator key reaches the board");
    await page.keyboard.press("Tab");
  }
  for (let presses = 0; (await at()) !== choice.site; presses += 1) {
    assert.ok(presses < 60, `arrow keys reach ${choice.site}`);
    const here = await middle(await at());
    const [dx, dy] = [choice.x - here.x, choice.y - here.y];
    const key = Math.abs(dy) > 4 ? (dy > 0 ? "ArrowDown" : "ArrowUp") : dx > 0 ? "ArrowRight" : "ArrowLeft";
    await page.keyboard.press(key);
  }
  await page.keyboard.press("Enter");
};

/** How many of them are played at once. */
export const together = 2;

export const tests = [
  ["knightcap by clicks", (b, s) => game(b, s, "knightcap", 3, clicks)],
  ["knights-and-pawns by dragging", (b, s) => game(b, s, "knights-and-pawns", 5, drags)],
  ["knight-fight by touch", (b, s) => game(b, s, "knight-fight", 7, taps, PHONE)],
  ["knightshade by keys", (b, s) => game(b, s, "knightshade", 9, keys)],
  ["knight-scattering-chess by clicks", (b, s) => game(b, s, "knight-scattering-chess", 11, clicks)],
];
