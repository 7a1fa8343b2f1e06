// hostile.mjs MODULE FILE [COUNT]: gives the verifier files that were changed on purpose and have
// right checksums nevertheless, and files that were cut. It must say something of each, soon.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { crc32 } from "./crc32.js";
import { verify } from "../wasm.js";

const [modulePath, path, count = "150"] = process.argv.slice(2);
const module = await WebAssembly.compile(await readFile(modulePath));
const good = new Uint8Array(await readFile(path));

const PREAMBLE_BYTES = 8;
const HEADER_BYTES = 12;

/** The blocks of a file: kind (1), zeros (3), length (4), checksum (4), payload. */
function blocks(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const found = [];
  for (let at = PREAMBLE_BYTES; at < bytes.length; ) {
    const length = view.getUint32(at + 4, true);
    found.push({ at, length });
    at += HEADER_BYTES + length;
  }
  return found;
}

/** The checksum is over number, kind, length and payload. */
function seal(bytes, number, { at, length }) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const summed = new Uint8Array(9 + length);
  new DataView(summed.buffer).setUint32(0, number, true);
  summed[4] = bytes[at];
  summed.set(bytes.subarray(at + 4, at + 8), 5);
  summed.set(bytes.subarray(at + HEADER_BYTES, at + HEADER_BYTES + length), 9);
  view.setUint32(at + 8, crc32(summed), true);
}

// The same files in every run.
let state = 1;
function below(bound) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * bound);
}

const seen = {};
let slowest = 0;
async function give(bytes) {
  const begin = performance.now();
  const { status, message } = await verify(module, bytes);
  assert.ok(message.length > 0);
  slowest = Math.max(slowest, performance.now() - begin);
  seen[status] = (seen[status] ?? 0) + 1;
}

const all = blocks(good);
const check = good.slice();
all.forEach((block, number) => seal(check, number, block));
assert.deepEqual(check, good, "this file seals blocks as the format does");

for (let turn = 0; turn < Number(count); turn += 1) {
  const bytes = good.slice();
  // Most blocks hold frames: the few others get half of the attempts.
  const number = turn % 2 ? below(3) : below(all.length);
  const block = all[number];
  for (let changed = 0; changed <= turn % 3; changed += 1) {
    if (block.length > 0) bytes[at(block)] = [0, 255, 127, 128, below(256)][below(5)];
  }
  seal(bytes, number, block);
  await give(bytes);
}

/** Somewhere in the payload; rather at its beginning, where sizes and counts are. */
function at({ at, length }) {
  return at + HEADER_BYTES + below(below(2) ? length : Math.min(length, 16));
}

for (let turn = 0; turn < Number(count) / 3; turn += 1) await give(good.slice(0, below(good.length)));
assert.ok(seen.corrupt > 0);
assert.ok(slowest < 20_000, `one file took ${slowest} ms`);
console.log(`hostile files: ${JSON.stringify(seen)}, slowest ${slowest.toFixed(0)} ms`);
