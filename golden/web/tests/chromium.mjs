// chromium.mjs MODULE FOLDER: plays the replays of a folder in a page of a headless Chromium.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { open } from "./browser.mjs";

const [modulePath, folder] = process.argv.slice(2);
const web = join(dirname(fileURLToPath(import.meta.url)), "..");
const text = await open({ "/module/": dirname(modulePath), "/replays/": folder, "/": web }, "/tests/list.html");
process.stdout.write(text);
process.exitCode = text.trimEnd().endsWith(" same") ? 0 : 1;
