// Opens a page in a headless Chromium, served from this machine only, and waits for what it posts.
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";

const TYPES = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".wasm": "application/wasm",
};

// As root there is no sandbox; nothing but our own page is opened, and nothing is looked up.
const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-default-apps",
  "--disable-extensions",
  "--disable-sync",
  "--no-first-run",
  "--no-proxy-server",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

/**
 * Serves `folders` (a map from the beginning of a path to a folder). `/NAME/index.json` lists the
 * replays of a folder. What is posted to `/report` goes to `onReport`, and then `/settled` is answered.
 */
async function serve(folders, onReport) {
  const waiting = [];
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://127.0.0.1").pathname));
    if (request.method === "POST" && path === "/report") {
      const parts = [];
      for await (const part of request) parts.push(part);
      response.end();
      onReport(Buffer.concat(parts).toString());
      for (const late of waiting) late.end();
      return;
    }
    if (path === "/settled") {
      waiting.push(response);
      return;
    }
    const [prefix, folder] = Object.entries(folders).find(([start]) => path.startsWith(start)) ?? [];
    try {
      const rest = path.slice(prefix.length);
      if (rest === "index.json") {
        const names = (await readdir(folder)).filter((name) => name.endsWith(".snbk")).sort();
        response.end(JSON.stringify(names));
        return;
      }
      const body = await readFile(join(folder, rest));
      response.setHeader("content-type", TYPES[extname(rest)] ?? "application/octet-stream");
      response.end(body);
    } catch {
      response.statusCode = 404;
      response.end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

/** Starts Chromium; the answer ends when it does. */
async function chromium(profile, args) {
  const browser = spawn("chromium", [...FLAGS, `--user-data-dir=${profile}`, ...args], { stdio: ["ignore", "ignore", "pipe"] });
  let complaints = "";
  browser.stderr.on("data", (text) => (complaints += text));
  const ended = new Promise((resolve) => browser.on("exit", resolve));
  return { browser, ended, complaints: () => complaints };
}

/** Opens `path`, and gives what the page posts to `/report`. */
export async function open(folders, path, seconds = 120) {
  const profile = await mkdtemp(join(tmpdir(), "snapback-page-"));
  let onReport;
  const reported = new Promise((resolve) => (onReport = resolve));
  const server = await serve(folders, onReport);
  const { browser, ended, complaints } = await chromium(profile, [`http://127.0.0.1:${server.address().port}${path}`]);
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the page said nothing for ${seconds} s\n${complaints()}`)), seconds * 1000);
  });
  const gone = ended.then(() => Promise.reject(new Error(`the browser ended\n${complaints()}`)));
  try {
    return await Promise.race([reported, late, gone]);
  } finally {
    clearTimeout(timer);
    browser.kill("SIGKILL");
    await ended;
    server.closeAllConnections();
    server.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** Opens `path` and writes a picture of it once it is settled. */
export async function picture(folders, path, file, size) {
  const profile = await mkdtemp(join(tmpdir(), "snapback-page-"));
  const server = await serve(folders, () => {});
  const { ended } = await chromium(profile, [
    `--screenshot=${file}`,
    `--window-size=${size}`,
    "--hide-scrollbars",
    `http://127.0.0.1:${server.address().port}${path}`,
  ]);
  await ended;
  server.closeAllConnections();
  server.close();
  await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
