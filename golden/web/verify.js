// The page: takes a file, has it verified beside the page, shows what came of it. Text from the file
// is only ever set as text.

/** No replay comes near this; it keeps a film that was dropped by mistake out of memory. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;

const input = document.getElementById("file");
const drop = document.getElementById("drop");
const result = document.getElementById("result");
const title = document.getElementById("title");
const details = document.getElementById("details");

const compiled = fetch("dist/snapback_golden_web.wasm").then(async (response) => {
  if (!response.ok) throw new Error("the verifier is not there; build it with golden/web/build.sh");
  return WebAssembly.compile(await response.arrayBuffer());
});
// It is looked at when there is a file.
compiled.catch(() => {});

let running = null;

function node(tag, text, attributes = {}) {
  const element = document.createElement(tag);
  element.textContent = text;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

function facts(pairs) {
  const list = node("dl", "");
  for (const [name, value] of pairs) {
    if (value !== "" && value != null) list.append(node("dt", name), node("dd", String(value)));
  }
  return list;
}

/** A table that can be scrolled by keyboard too. `here` is the row that is the point. */
function table(caption, heads, rows, here = -1) {
  const box = node("div", "", { class: "table", tabindex: "0", role: "region", "aria-label": caption });
  const grid = node("table", "");
  const head = node("tr", "");
  head.append(...heads.map((text) => node("th", text, { scope: "col" })));
  grid.append(head);
  rows.forEach((cells, at) => {
    const row = node("tr", "", at === here ? { class: "here", "aria-current": "true" } : {});
    row.append(...cells.map((text) => node("td", text)));
    grid.append(row);
  });
  box.append(grid);
  return [node("h3", caption), box];
}

function show(kind, headline, ...parts) {
  result.className = kind;
  result.hidden = false;
  title.textContent = headline;
  details.replaceChildren(...parts.flat());
}

function number(value) {
  return value.toLocaleString("en");
}

function speed({ frames, ms }) {
  const rate = ms > 0 ? ` (${number(Math.round((frames / ms) * 1000))} frames a second)` : "";
  return `${ms.toFixed(1)} ms${rate}`;
}

function metaFacts(meta) {
  if (!meta) return [];
  return [
    node("h3", "The match"),
    facts([
      ["Game", `${meta.simulation}, version ${meta.version}`],
      ["Players", meta.setup ? `${meta.players}: ${meta.setup}` : meta.players],
      ["Frames", `${number(meta.frames)} from frame ${meta.first_frame}, ${meta.frame_hz} a second`],
      ["Seed", meta.seed],
      ["Recorded", `${meta.source}, by ${meta.build || "an unknown build"} on ${meta.platform || "an unknown machine"}`],
      ["Rollbacks survived", meta.source === "live" ? number(meta.rollbacks) : ""],
      ["Note", meta.note],
    ]),
  ];
}

function changes(list) {
  return list.length ? [node("h3", "The game has changed since"), ...list.map((text) => node("p", text))] : [];
}

function divergence(name, found) {
  const absent = "no such field";
  const fields = found.fields.map((field) => [field.path, field.expected ?? absent, field.actual ?? absent, field.before ?? ""]);
  const parts = [facts([["File", name], ["Frame", number(found.frame)], ["Expected hash", found.expected], ["Actual hash", found.actual]])];
  if (fields.length) parts.push(...table("Fields that differ", ["Field", "Expected", "Actual", "Before"], fields));
  if (found.field_count > fields.length) parts.push(node("p", `and ${found.field_count - fields.length} more fields`));
  parts.push(node("p", `Known from ${found.evidence}.`));
  if (found.inputs.length) {
    const players = found.inputs[0].players.map((_, seat) => `Player ${seat}`);
    const rows = found.inputs.map((line) => [String(line.frame), ...line.players]);
    const here = found.inputs.findIndex((line) => line.frame === found.frame);
    parts.push(...table("Inputs around this frame (buttons, in hex)", ["Frame", ...players], rows, here));
  }
  return parts;
}

function showReport(name, report) {
  const file = facts([["File", name]]);
  const rest = [...changes(report.changes ?? []), ...metaFacts(report.meta)];
  switch (report.status) {
    case "ok": {
      const sums = facts([["File", name], ["Frames", number(report.frames)], ["Digest", report.digest], ["Time", speed(report)]]);
      return show("good", "Good: the same bits in every frame", sums, ...rest);
    }
    case "diverged":
      return show("bad", `Diverged at frame ${number(report.divergence.frame)}`, ...divergence(name, report.divergence), ...rest);
    case "unstable":
      return show("bad", "The game is not deterministic", file, node("p", report.message), ...rest);
    case "unsupported":
      return show("warn", "Not for this verifier", file, node("p", report.message), ...rest);
    case "corrupt":
      return show("bad", "Not a sound replay", file, node("p", report.message), ...rest);
    default:
      return failed(name, "the verifier gave no answer");
  }
}

function failed(name, reason) {
  show("bad", "Not verified", facts([["File", name]]), node("p", `The verifier stopped: ${reason}.`));
}

async function verifyFile(file) {
  running?.terminate();
  running = null;
  if (file.size > MAX_FILE_BYTES) {
    failed(file.name, `the file has ${number(file.size)} bytes, which is too much for a replay`);
    return;
  }
  show("busy", `Verifying ${file.name} …`);
  // Each file has its own worker with its own verifier: nothing is left over from the last one.
  const worker = new Worker("worker.js", { type: "module" });
  running = worker;
  try {
    const [module, buffer] = await Promise.all([compiled, file.arrayBuffer()]);
    const bytes = new Uint8Array(buffer);
    const answer = await new Promise((resolve) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = (event) => resolve({ error: event.message || "the worker did not start" });
      worker.postMessage({ module, bytes }, [buffer]);
    });
    if (running !== worker) return;
    if (answer.error) failed(file.name, answer.error);
    else showReport(file.name, answer.result);
  } catch (error) {
    if (running === worker) failed(file.name, error.message ?? error);
  } finally {
    worker.terminate();
  }
}

input.addEventListener("change", () => {
  const [file] = input.files;
  if (file) verifyFile(file);
});
// The same file may be chosen again: it may have changed.
input.addEventListener("click", () => (input.value = ""));

// Anywhere on the page: one who misses the box must not leave the page for the file.
for (const name of ["dragenter", "dragover"]) {
  document.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.add("over");
  });
}
document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) drop.classList.remove("over");
});
document.addEventListener("drop", (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  const [file] = event.dataTransfer.files;
  if (file) verifyFile(file);
});
