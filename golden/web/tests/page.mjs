// page.mjs MODULE FOLDER [PICTURES]: gives the page the files of a folder that `samples` wrote, and
// checks what it says of each. With PICTURES, also writes pictures of it into that folder.
import assert from "node:assert/strict";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { open, picture } from "./browser.mjs";

const [modulePath, folder, pictures] = process.argv.slice(2);
const web = join(dirname(fileURLToPath(import.meta.url)), "..");
const folders = { "/dist/": dirname(modulePath), "/replays/": folder, "/": web };

const answers = JSON.parse(await open(folders, "/tests/page.html"));
assert.equal(answers.error, undefined);

function says(name, kind, title, ...parts) {
  const answer = answers[name];
  assert.ok(answer, `${name}: no answer`);
  const { width, ...shown } = answer;
  const text = `${name}: ${JSON.stringify(shown, null, 1)}`;
  assert.equal(answer.kind, kind, text);
  assert.match(answer.title, title, text);
  for (const part of parts) assert.match(answer.text, part, text);
  console.log(`${name}: ${answer.title}`);
}

says("good.snbk", "good", /^Good: the same bits in every frame$/, /3,600/, /Digest\s+[0-9a-f]{8}/, / ms \([\d,]+ frames a second\)/, /duelist:0 warden:1/);
says("diverging.snbk", "bad", /^Diverged at frame 1,200$/, /Expected hash\s+[0-9a-f]{8}/, /Actual hash/, /fighter\[0\]\.\S+\s+-?\d+/, /1200\s+[0-9a-f]{4}/);
says("diverging-plain.snbk", "bad", /^Diverged at frame 1,200$/);
says("damaged.snbk", "bad", /^Not a sound replay$/, /checksum is wrong/);
says("cut.snbk", "bad", /^Not a sound replay$/, /without its end/);
says("garbage.snbk", "bad", /^Not a sound replay$/, /does not begin with SNBK/);
says("empty.snbk", "bad", /^Not a sound replay$/);
says("newer.snbk", "warn", /^Not for this verifier$/, /format version 9/);
says("huge", "bad", /^Not verified$/, /too much for a replay/);
says("last", "bad", /^Diverged at frame 1,200$/);
assert.ok(answers.last.width <= 360, `the page is ${answers.last.width} pixels wide on a phone of 360`);

if (pictures) {
  for (const [name, size] of [["good", "1000,800"], ["diverging", "1000,1000"], ["damaged", "1000,500"], ["diverging", "390,844"]]) {
    const file = resolve(pictures, `${name}-${size.split(",")[0]}.png`);
    await picture(folders, `/tests/page.html?only=${name}.snbk`, file, size);
    console.log(file);
  }
}
