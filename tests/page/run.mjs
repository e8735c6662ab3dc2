// Runs the tests of the page: `FARRIER=PROGRAM node tests/page/run.mjs [WORD]`. With a word, only those whose name
// holds it.
import { existsSync } from "node:fs";
import { browser, serve } from "./kit.mjs";

const COPIES = { "my-hex.toml": "hex.toml" };
const word = process.argv[2] ?? "";
const files = ["view", "games", "play", "editor", "compare"].filter((name) => existsSync(new URL(`${name}.mjs`, import.meta.url)));
let failed = 0;
const chromium = await browser();
const server = await serve(COPIES);

async function run(name, test) {
  const begun = Date.now();
  const time = () => `${((Date.now() - begun) / 1000).toFixed(1)} s`;
  // A browser on a busy machine may be late: what is wrong is wrong twice.
  for (const again of [true, false]) {
    try {
      const said = await test(chromium, server);
      console.log(`ok      ${name} (${time()}${said ? `, ${said}` : ""})`);
      return;
    } catch (error) {
      failed += again ? 0 : 1;
      console.log(`${again ? "again  " : "FAILED "} ${name} (${time()})\n${error.stack}`);
    }
  }
}

try {
  for (const file of files) {
    const { tests = [], together = 1 } = await import(`./${file}.mjs`);
    const left = tests.filter(([name]) => name.includes(word));
    const work = async () => {
      for (let next = left.shift(); next; next = left.shift()) await run(...next);
    };
    await Promise.all(Array.from({ length: together }, work));
  }
} finally {
  await chromium.close();
  await server.stop();
}
console.log(failed === 0 ? "all passed" : `${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
