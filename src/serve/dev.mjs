// For whoever changes the page: builds it on each request and passes the rest on to a running `farrier serve`.
//
//     farrier serve --port 8017 --host localhost:8018 &
//     node dev.mjs [PORT OF THE SERVER] [PORT OF ITS OWN]
import http from "node:http";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import path from "node:path";

const here = path.dirname(fileURLToPath(import.meta.url));
const [server = "8017", own = "8018"] = process.argv.slice(2);
const kinds = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };

const rebuilt = () =>
  new Promise((done) => execFile("node", [path.join(here, "build.mjs")], (error, _, said) => done(error ? said : null)));

http
  .createServer(async (request, answer) => {
    const url = new URL(request.url, "http://localhost");
    if (url.pathname.startsWith("/api/") || url.pathname.startsWith("/report/")) {
      const to = { port: server, path: request.url, method: request.method, headers: { ...request.headers } };
      to.headers.host = `localhost:${server}`;
      delete to.headers.origin;
      const passed = http.request(to, (from) => {
        answer.writeHead(from.statusCode, from.headers);
        from.pipe(answer);
      });
      passed.on("error", (error) => answer.writeHead(502).end(String(error)));
      answer.on("close", () => passed.destroy());
      request.pipe(passed);
      return;
    }
    const name = url.pathname === "/" ? "index.html" : path.basename(url.pathname);
    const wrong = name === "index.html" ? await rebuilt() : null;
    if (wrong) return answer.writeHead(500, { "content-type": "text/plain" }).end(wrong);
    try {
      const text = await readFile(path.join(here, "bundle", name));
      answer.writeHead(200, { "content-type": kinds[path.extname(name)] ?? "application/octet-stream" }).end(text);
    } catch {
      answer.writeHead(404).end("there is no such page");
    }
  })
  .listen(Number(own), () => console.log(`http://localhost:${own}/`));
