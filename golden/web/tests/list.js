// A list of replays as `snapback-golden-digest` prints it, in Node and in a browser: the lines must
// be the same, letter for letter.
import { crc32 } from "./crc32.js";
import { instantiate, verify } from "../wasm.js";

const hex = (number) => (number >>> 0).toString(16).padStart(8, "0");

function verdict(result) {
  switch (result.status) {
    case "ok":
      return "same";
    case "diverged":
      return `diverged at frame ${result.divergence.frame}`;
    case "unstable":
      return "unstable";
    default:
      return `refused: ${result.message}`;
  }
}

/** The lines for the named files; `read` gives the bytes of one. */
export async function list(module, names, read) {
  const lines = [];
  let frames = 0;
  let digests = "";
  let total = names.length === 0 ? "empty" : "same";
  for (const name of names) {
    const result = await verify(module, await read(name));
    const digest = result.digest || "00000000";
    lines.push(`${name} ${result.frames} ${digest} ${verdict(result)}`);
    frames += result.frames;
    digests += `${name} ${digest}\n`;
    if (result.status === "corrupt" || result.status === "unsupported") total = "refused";
    else if (result.status !== "ok" && total === "same") total = "diverged";
  }
  const controls = await instantiate(module);
  lines.push(`control-f32 ${hex(controls.snbk_control_float())}`);
  lines.push(`control-memory ${hex(controls.snbk_control_memory())}`);
  lines.push(`total ${names.length} ${frames} ${hex(crc32(new TextEncoder().encode(digests)))} ${total}`);
  return `${lines.join("\n")}\n`;
}
