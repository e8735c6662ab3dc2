// What the tests of the page share: a server in a folder of its own, a browser, and ways to play.
//
//     FARRIER=target/release/farrier node tests/page/run.mjs
//
// `FARRIER` is the program, `CHROMIUM` the browser. With `BUNDLE`, the page comes from that folder (as
// `npm run build` makes it) and not from the program.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(new URL("../../src/serve/package.json", import.meta.url));
const { chromium } = require("playwright-core");
const axe = require.resolve("axe-core/axe.min.js");
export const root = fileURLToPath(new URL("../../", import.meta.url));

/** A server in a new folder, with copies of these games of `games` under other names; or at a port that is known. */
export async function serve(copies = {}, args = [], port = "0") {
  const folder = await mkdtemp(path.join(tmpdir(), "farrier-page-"));
  const program = process.env.FARRIER ?? path.join(root, "target/release/farrier");
  const child = spawn(program, ["serve", folder, "--port", port, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((done, fail) => {
    let said = "";
    child.stdout.on("data", (data) => {
      said += data;
      const found = /http:\/\/\S+/.exec(said);
      if (found) done(found[0]);
    });
    child.on("error", fail);
    child.on("exit", (code) => fail(new Error(`the server ended with ${code}`)));
  });
  // The program's own texts: those of the sources may be newer than it.
  for (const [name, game] of Object.entries(copies)) {
    const answer = await fetch(new URL(`/api/file?name=${game.replace(/\.toml$/, "")}`, address));
    await writeFile(path.join(folder, name), (await answer.json()).text);
  }
  const stop = async (signal = "SIGTERM") => {
    child.removeAllListeners("exit");
    const gone = new Promise((done) => child.once("exit", done));
    child.kill(signal);
    await gone;
    await rm(folder, { recursive: true, force: true });
  };
  return { address: address.replace(/\/$/, ""), folder, stop };
}

export function browser() {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  return chromium.launch({ executablePath, args: ["--no-sandbox"] });
}

const KINDS = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css" };
/** No step of a test takes as long as that. */
const PATIENCE = 20_000;
const DESKTOP = { width: 1280, height: 860 };
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** A page of a new context. Whatever its console says is wrong is in `faults`. */
export async function open(browser, server, hash = "", options = {}) {
  const context = await browser.newContext({ viewport: DESKTOP, reducedMotion: "reduce", ...options });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  await ready(page, server);
  await page.goto(`${server.address}/${hash}`);
  return page;
}

/** Prepares a page before it goes anywhere. */
export async function ready(page, server) {
  page.faults = [];
  page.on("console", (message) => message.type() === "error" && page.faults.push(message.text()));
  page.on("pageerror", (error) => page.faults.push(String(error)));
  const bundle = process.env.BUNDLE;
  if (!bundle) return;
  const policy = (await fetch(`${server.address}/`)).headers.get("content-security-policy");
  await page.route("**/*", async (route) => {
    const { pathname, origin } = new URL(route.request().url());
    if (origin !== server.address || /^\/(api|report)\//.test(pathname)) return route.fallback();
    const name = pathname === "/" ? "index.html" : path.basename(pathname);
    const headers = { "content-type": KINDS[path.extname(name)] ?? "text/plain", "content-security-policy": policy };
    try {
      await route.fulfill({ body: await readFile(path.join(bundle, name)), headers });
    } catch {
      await route.fulfill({ status: 404, body: "there is no such file" });
    }
  });
}

/** What axe-core finds wrong, in words. The page's policy lets no script of others in, so it comes by the back door. */
export async function violations(page) {
  const source = await readFile(axe, "utf8");
  await page.evaluate(source);
  const found = await page.evaluate(async () => (await globalThis.axe.run()).violations);
  return found.map((one) => `${one.id}: ${one.help} (${one.nodes.map((node) => node.target.join(" ")).slice(0, 4).join("; ")})`);
}

/** Numbers from 0 to 1 that are the same each time. */
export function numbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Waits until the play view has its answer. */
export async function settled(page) {
  await page.waitForSelector('.play[data-busy="false"]');
}

/** What can be chosen on the board and beside it, with where it is. */
export async function choices(page) {
  await settled(page);
  return page.evaluate(() => {
    const place = (node) => {
      const box = node.getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    const sites = [...document.querySelectorAll(".board-host .target")].map((node) => ({
      site: node.dataset.site,
      carried: node.classList.contains("carried"),
      taken: node.ownerSVGElement.querySelector(`.ring[data-mark="${node.dataset.site}"]`) !== null,
      ...place(node.querySelector(".ground")),
    }));
    const entries = [...document.querySelectorAll(".entry")].map((node) => ({ entry: node.textContent }));
    const over = document.querySelector(".prompt.over") !== null;
    const begun = document.querySelectorAll(".board-host .picked").length;
    const move = document.querySelectorAll(".moves .ply").length;
    return { sites, entries, over, begun, move };
  });
}

/** The plies that are listed. */
export const plies = (page) => page.locator(".moves .ply").allInnerTexts();

/** Types moves, one after the other. */
export async function type(page, ...texts) {
  for (const text of texts) {
    const before = await page.locator(".moves .ply").count();
    await page.getByLabel("Type a move").fill(text);
    await page.keyboard.press("Enter");
    await page.waitForFunction((before) => document.querySelectorAll(".moves .ply").length > before, before);
    await settled(page);
  }
}

export const tab = (page, name) => page.getByRole("tab", { name, exact: true }).click();

/** Waits until the address says what it should: it is written after the answer. */
export const address = (page, part) => page.waitForFunction((part) => location.hash.includes(part), part);

export async function close(page) {
  assert.deepEqual(page.faults, []);
  await page.context().close();
}
