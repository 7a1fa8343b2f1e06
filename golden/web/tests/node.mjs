// node.mjs MODULE FOLDER: plays the replays of a folder in Node.
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { list } from "./list.js";

const [modulePath, folder] = process.argv.slice(2);
const module = await WebAssembly.compile(await readFile(modulePath));
const names = (await readdir(folder)).filter((name) => name.endsWith(".snbk")).sort();
const text = await list(module, names, (name) => readFile(join(folder, name)));
process.stdout.write(text);
process.exitCode = text.trimEnd().endsWith(" same") ? 0 : 1;
