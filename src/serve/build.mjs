// Builds the page into `bundle`, which the program embeds: `npm ci && npm run build`.
//
// `bundle/sources.json` says what it was built from. A test compares that with the sources, so that nobody forgets it.
import { cp, mkdir, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import path from "node:path";
import { build } from "esbuild";

const here = path.dirname(fileURLToPath(import.meta.url));
const place = path.join(here, "bundle");
// What is whole takes the place of what was there: a build that fails changes nothing.
const bundle = path.join(here, "bundle.new");

/** The files that the bundle is made of, by name: a short hash of each. */
export async function sources() {
  const names = ["build.mjs", "package.json", "package-lock.json", "tsconfig.json"];
  for (const entry of await readdir(path.join(here, "page"), { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) names.push(path.relative(here, path.join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
  }
  const found = {};
  for (const name of names.sort()) {
    const text = await readFile(path.join(here, name), "utf8");
    found[name] = fnv(text.replaceAll("\r\n", "\n"));
  }
  return found;
}

/** FNV-1a of 64 bits, over UTF-8: what the test in Rust computes too. */
function fnv(text) {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text, "utf8")) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, "0");
}

/** The licences of the packages that are in the bundle, as they ask. */
async function licenses(inputs) {
  const packages = new Set();
  for (const input of inputs) {
    const found = input.match(/node_modules\/((?:@[^/]+\/)?[^/]+)/);
    if (found) packages.add(found[1]);
  }
  let out = "The page holds parts of these packages.\n";
  for (const name of [...packages].sort()) {
    const folder = path.join(here, "node_modules", name);
    const { version, license } = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8"));
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
    out += `\n${name} ${version} (${license})\n\n${file ? await readFile(path.join(folder, file), "utf8") : ""}`;
  }
  return out;
}

async function make() {
  await rm(bundle, { recursive: true, force: true });
  await mkdir(bundle, { recursive: true });
  const built = await build({
    entryPoints: { page: path.join(here, "page/main.tsx"), style: path.join(here, "page/style.css") },
    outdir: bundle,
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    minify: true,
    jsx: "automatic",
    jsxImportSource: "preact",
    chunkNames: "part-[hash]",
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
  });
  await writeFile(path.join(bundle, "licenses.txt"), await licenses(Object.keys(built.metafile.inputs)));
  await cp(path.join(here, "page/index.html"), path.join(bundle, "index.html"));
  await writeFile(path.join(bundle, "sources.json"), JSON.stringify(await sources(), null, 1) + "\n");
  await rm(place, { recursive: true, force: true });
  await rename(bundle, place);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await make();
