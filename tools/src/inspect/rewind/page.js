"use strict";
// Draws what the engine found. Every number comes from the data; here they only become pixels.
const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const UNITS_PER_CM = 163.84;

const state = { shot: 0, time: 0, playing: false, axis: 0, marked: -1, zoom: null };

function svg(name, attributes = {}, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}
function html(name, text, attributes = {}) {
  const element = document.createElement(name);
  if (text !== undefined) element.textContent = text;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
// As the sentences round: halves of a tenth up.
const ms = (us) => { const tenths = Math.floor((us + 50) / 100); return `${tenths % 10 ? `${Math.floor(tenths / 10)}.${tenths % 10}` : tenths / 10} ms`; };

// A pose is [x, y, z, half axis x, y, z, radius, radius of the broadphase, epoch].
function blend(a, b, part) {
  if (!a || !b || a[8] !== b[8]) return part < 1 || !b ? a : b;
  return a.map((value, at) => (at === 8 ? value : value + (b[at] - value) * part));
}

// Everybody at a time of the scenario.
function nowAt(time) {
  const ticks = data.ticks;
  let at = ticks.findIndex(([us]) => us > time);
  at = at < 0 ? ticks.length - 1 : Math.max(0, at - 1);
  const next = Math.min(at + 1, ticks.length - 1);
  const span = ticks[next][0] - ticks[at][0];
  const part = span ? Math.min(1, (time - ticks[at][0]) / span) : 0;
  return ticks[at][1].map((pose, hitbox) => blend(pose, ticks[next][1][hitbox], part));
}

// Where the shot is at a time, where it looked for targets then, and everybody there.
function shotAt(shot, time) {
  const path = shot.path;
  if (!path.length) return null;
  let at = 0;
  while (at + 1 < path.length && path[at + 1][0] <= time) at += 1;
  if (shot.kind === "hitscan") at = time < shot.fire_us ? 0 : path.length - 1;
  const next = Math.min(at + 1, path.length - 1);
  const span = path[next][0] - path[at][0];
  const part = span && time > path[at][0] ? Math.min(1, (time - path[at][0]) / span) : 0;
  const place = path[at][2].map((value, axis) => value + (path[next][2][axis] - value) * part);
  const target = path[at][1] + (path[next][1] - path[at][1]) * part;
  const ghosts = shot.ghosts[at].map((pose, hitbox) => blend(pose, shot.ghosts[next][hitbox], part));
  return { at, place, target, ghosts, part };
}

const isShooter = (shot, hitbox) => data.hitboxes[hitbox].actor === shot.shooter_actor;
function role(shot, hitbox) {
  if (isShooter(shot, hitbox)) return "shooter";
  const one = shot.considered.find((one) => one.hitbox === hitbox);
  if (!one) return "";
  if (one.hit) return "hit";
  if (one.candidate) return "tested";
  return shot.culling[hitbox]?.kept ? "potential" : "";
}

// Both views have the same axis to the right, the one along which the shot goes, and the same scale.
// From above one looks down: with z to the right, x is up; with x to the right, z comes towards the reader.
const views = [
  { element: $("top"), up: () => (state.axis === 2 ? [0, 1] : [2, -1]) },
  { element: $("side"), up: () => [1, 1] },
];

// What must be in sight: everybody who matters for the shot, and its way.
function fit() {
  const shot = data.shots[state.shot];
  const points = [];
  const add = (place, radius) => points.push([place, radius]);
  const pose = (pose) => { if (pose) { add(pose.slice(0, 3), Math.max(pose[6], pose[7])); } };
  const from = Math.min(shot.target_us, shot.fire_us), until = Math.max(shot.accepted_us, shot.path[told_points(shot) - 1]?.[0] ?? 0) + data.tick_us;
  data.ticks.filter(([us]) => us >= from && us <= until).forEach(([, everybody]) => everybody.forEach(pose));
  shot.ghosts.slice(0, told_points(shot)).forEach((everybody) => everybody.forEach(pose));
  const ends = shot.kind === "hitscan" && shot.end === "out of range" ? shot.path.slice(0, 1) : shot.path;
  ends.slice(0, told_points(shot)).forEach((point) => add(point[2], 2000));
  shot.strikes.forEach((strike) => add(strike.at, 8000));
  if (!points.length) add([0, 0, 0], 16384);
  const range = (axis, sign) => {
    const low = points.map(([place, radius]) => sign * place[axis] - radius), high = points.map(([place, radius]) => sign * place[axis] + radius);
    return [Math.min(...low), Math.max(...high)];
  };
  const right = range(state.axis, 1), ups = views.map((view) => range(...view.up()));
  const room = 30;
  const scales = views.map((view, index) => (view.element.clientHeight - 2 * room) / Math.max(1, ups[index][1] - ups[index][0]));
  const wide = (views[0].element.clientWidth - 4 * room) / Math.max(1, right[1] - right[0]);
  const middle = ([low, high]) => (low + high) / 2;
  return { x: middle(right), y: ups.map(middle), scale: Math.min(wide, ...scales) };
}

// So many points of a path tell the story: to the last hit, else what was caught up.
function told_points(shot) {
  const hit = shot.strikes.findLast((strike) => strike.kind === "hitbox");
  const until = hit ? shot.path.findIndex((point) => point[0] >= hit.time_us) + 1 : 0;
  return shot.kind === "hitscan" ? shot.path.length : until || Math.max(shot.caught_up_points, 1);
}

function camera(index) {
  const view = views[index];
  state.zoom ??= fit();
  const { x, y, scale } = state.zoom;
  const { clientWidth: width, clientHeight: height } = view.element;
  const r = state.axis, [u, sign] = view.up();
  return {
    scale, width, height,
    right: (place) => width / 2 + (place[r] - x) * scale,
    up: (place) => height / 2 - (sign * place[u] - y[index]) * scale,
    r, u, sign, x, y: y[index],
  };
}

function capsule(camera, pose, attributes) {
  const [x, y, z, a, b, c, radius] = pose;
  const from = [x - a, y - b, z - c], to = [x + a, y + b, z + c];
  const x1 = camera.right(from), y1 = camera.up(from), x2 = camera.right(to), y2 = camera.up(to);
  const r = Math.max(2, radius * camera.scale);
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length < 0.5) return svg("circle", { cx: x1, cy: y1, r, ...attributes });
  const nx = -(y2 - y1) / length * r, ny = (x2 - x1) / length * r;
  const d = `M${x1 + nx} ${y1 + ny}L${x2 + nx} ${y2 + ny}A${r} ${r} 0 0 0 ${x2 - nx} ${y2 - ny}L${x1 - nx} ${y1 - ny}A${r} ${r} 0 0 0 ${x1 + nx} ${y1 + ny}Z`;
  return svg("path", { d, ...attributes });
}

function grid(camera, group) {
  const wanted = 80 / camera.scale / UNITS_PER_CM;
  const step = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000].find((step) => step >= wanted) ?? 20000;
  const unit = step * UNITS_PER_CM;
  const half = [camera.width / 2 / camera.scale, camera.height / 2 / camera.scale];
  const name = (cm) => (step >= 100 ? `${cm / 100} m` : `${cm} cm`);
  for (let n = Math.ceil((camera.x - half[0]) / unit); n * unit <= camera.x + half[0]; n += 1) {
    const x = camera.width / 2 + (n * unit - camera.x) * camera.scale;
    group.append(svg("line", { class: "gridline", x1: x, x2: x, y1: 0, y2: camera.height }));
    group.append(svg("text", { class: "gridtext", x: x + 3, y: camera.height - 4 }, name(n * step)));
  }
  for (let n = Math.ceil((camera.y - half[1]) / unit); n * unit <= camera.y + half[1]; n += 1) {
    const y = camera.height / 2 - (n * unit - camera.y) * camera.scale;
    group.append(svg("line", { class: "gridline", x1: 0, x2: camera.width, y1: y, y2: y }));
    group.append(svg("text", { class: "gridtext", x: 3, y: y - 3 }, name(camera.sign * n * step)));
  }
}

function walls(camera, group, shot, label) {
  data.obstacles.forEach((obstacle, index) => {
    const struck = shot.strikes.some((strike) => strike.kind === "obstacle" && strike.index === index);
    const attributes = { class: `wall${obstacle.lag_comp_ignore ? " ignored" : ""}${struck ? " struck" : ""}` };
    let at = null;
    if (obstacle.shape.box) {
      const [centre, half] = obstacle.shape.box;
      const width = 2 * half[camera.r] * camera.scale, height = 2 * half[camera.u] * camera.scale;
      at = [camera.right(centre), camera.up(centre) - height / 2];
      group.append(svg("rect", { x: camera.right(centre) - width / 2, y: camera.up(centre) - height / 2, width: Math.max(2, width), height: Math.max(2, height), ...attributes }));
    } else if (obstacle.shape.ball) {
      const [centre, radius] = obstacle.shape.ball;
      at = [camera.right(centre), camera.up(centre) - radius * camera.scale];
      group.append(svg("circle", { cx: camera.right(centre), cy: camera.up(centre), r: radius * camera.scale, ...attributes }));
    } else if (obstacle.shape.half_space) {
      const [place, normal] = obstacle.shape.half_space;
      const nx = normal[camera.r], ny = -camera.sign * normal[camera.u], length = Math.hypot(nx, ny);
      if (!length) return;
      const x = camera.right(place), y = camera.up(place), far = 4 * (camera.width + camera.height), ux = nx / length, uy = ny / length;
      const corner = (along, deep) => `${x - uy * along - ux * deep} ${y + ux * along - uy * deep}`;
      group.append(svg("path", { d: `M${corner(-far, 0)}L${corner(far, 0)}L${corner(far, far)}L${corner(-far, far)}Z`, ...attributes }));
      at = null;
    }
    if (at) {
      const tag = obstacle.lag_comp_ignore ? " (ignored by lag compensation)" : "";
      label(at[0], at[1] - 4, obstacle.name + tag);
    }
  });
}

function draw() {
  const shot = data.shots[state.shot];
  const now = nowAt(state.time);
  const seen = shotAt(shot, state.time);
  views.forEach((view, index) => {
    const eye = camera(index);
    const group = svg("g", { class: "draw" });
    const words = svg("g");
    grid(eye, group);
    // A label that would lie on another moves away from it.
    const taken = [];
    const label = (x, y, text, kind = "", anchor = "middle", step = -14) => {
      const width = text.length * 6.6;
      let left = anchor === "start" ? x : x - width / 2;
      left = Math.max(4, Math.min(eye.width - width - 4, left));
      const lies = () => taken.some(([a, b, c]) => left < b && left + width > a && Math.abs(y - c) < 13);
      for (let tries = 0; tries < 8 && lies(); tries += 1) y += step;
      taken.push([left, left + width, y]);
      words.append(svg("text", { class: `label ${kind}`, x: left, y: Math.max(12, Math.min(eye.height - 16, y)) }, text));
    };
    walls(eye, group, shot, label);
    shot.culling.forEach((culled, hitbox) => {
      if (!culled?.bounds) return;
      const [low, high] = culled.bounds;
      const x = Math.min(eye.right(low), eye.right(high)), y = Math.min(eye.up(low), eye.up(high));
      const kind = role(shot, hitbox).replace("tested", "potential");
      group.append(svg("rect", { class: `box ${kind}`, x, y, width: Math.abs(eye.right(high) - eye.right(low)), height: Math.abs(eye.up(high) - eye.up(low)) }));
    });
    const named = new Set();
    now.forEach((pose, hitbox) => {
      if (!pose) return;
      const shooter = isShooter(shot, hitbox);
      group.append(capsule(eye, pose, { class: `now${shooter ? " shooter" : ""}` }));
      const actor = data.hitboxes[hitbox].actor;
      if (named.has(actor)) return;
      named.add(actor);
      // Away from where it was then, so that the two names stay apart.
      const then = seen?.ghosts[hitbox], above = !shooter && then && eye.up(then) > eye.up(pose) + 4;
      const reach = Math.max(pose[6], index ? pose[7] : 0) * eye.scale;
      const y = above ? eye.up(pose) - reach - 7 : eye.up(pose) + reach + 15;
      label(eye.right(pose), y, data.actors[actor].name + (shooter ? " (shooter)" : " now"), "", "middle", above ? -14 : 14);
    });
    if (seen) {
      seen.ghosts.forEach((pose, hitbox) => {
        if (!pose || isShooter(shot, hitbox)) return;
        const kind = role(shot, hitbox);
        const current = now[hitbox];
        if (current) {
          group.append(svg("line", { class: "tie", x1: eye.right(pose), y1: eye.up(pose), x2: eye.right(current), y2: eye.up(current) }));
        }
        if (index === 0) {
          group.append(svg("circle", { class: `around${kind ? "" : " far"}`, cx: eye.right(pose), cy: eye.up(pose), r: pose[7] * eye.scale }));
        }
        group.append(capsule(eye, pose, { class: `ghost ${kind}` }));
        const one = told(shot, data.hitboxes[hitbox].actor);
        if (one?.hitbox === hitbox) {
          const word = one.hit ? `✖ HIT ${one.name}` : `${data.actors[data.hitboxes[hitbox].actor].name} then: ${one.why}`;
          const below = current && eye.up(pose) > eye.up(current) + 4, reach = Math.max(pose[6], index ? pose[7] : 0) * eye.scale;
          const y = below ? eye.up(pose) + reach + 15 : eye.up(pose) - reach - 7;
          label(eye.right(pose), y, word, one.hit ? "hit-text" : "", "middle", below ? 14 : -14);
        }
      });
    }
    path(eye, group, shot, seen, label);
    shot.considered.forEach((one) => {
      if (!one.nearest || one.hit || isShooter(shot, one.hitbox) || (one.hitbox !== state.marked && one !== closest(shot))) return;
      const { at, pose } = one.nearest;
      group.append(svg("line", { class: "gap", x1: eye.right(at), y1: eye.up(at), x2: eye.right(pose), y2: eye.up(pose) }));
      if (one.nearest.gap > 0) label((eye.right(at) + eye.right(pose)) / 2 + 8, (eye.up(at) + eye.up(pose)) / 2, one.nearest.gap_text, "", "start");
    });
    if (state.marked >= 0) {
      for (const pose of [now[state.marked], seen?.ghosts[state.marked]]) {
        if (pose) group.append(capsule(eye, pose, { class: "marked-shape" }));
      }
    }
    group.append(words);
    view.element.replaceChildren(group);
  });
  marks(shot);
  $("scrubber").value = state.time;
  $("clock").textContent = ms(state.time);
  $("scrubber").setAttribute("aria-valuetext", ms(state.time));
}

// The hitbox of an actor that a label tells of: one that was hit, else the one that came nearest.
function told(shot, actor) {
  const own = shot.considered.filter((one) => data.hitboxes[one.hitbox].actor === actor);
  return own.sort((a, b) => b.hit - a.hit || (a.nearest?.gap ?? Infinity) - (b.nearest?.gap ?? Infinity))[0];
}

// The nearest that was not hit, if nobody was: its gap is drawn.
function closest(shot) {
  if (shot.hit) return null;
  const others = shot.considered.filter((one) => one.nearest && !isShooter(shot, one.hitbox));
  return others.sort((a, b) => a.nearest.gap - b.nearest.gap)[0] ?? null;
}

function path(eye, group, shot, seen, label) {
  if (!seen) return;
  const points = shot.path.map((point) => point[2]);
  const line = (points) => points.map((place) => `${eye.right(place)},${eye.up(place)}`).join(" ");
  group.append(svg("polyline", { class: "path", points: line(points) }));
  const flown = state.time >= shot.fire_us ? [...points.slice(0, seen.at + 1), seen.place] : [];
  group.append(svg("polyline", { class: "path flown", points: line(flown) }));
  const muzzle = points[0];
  group.append(svg("circle", { class: "bullet", cx: eye.right(muzzle), cy: eye.up(muzzle), r: 3 }));
  if (!data.hitboxes.some((hitbox) => hitbox.actor === shot.shooter_actor)) label(eye.right(muzzle), eye.up(muzzle) + 18, `${shot.shooter} (shooter)`, "", "middle", 14);
  if (shot.radius) group.append(svg("circle", { class: "wide", cx: eye.right(seen.place), cy: eye.up(seen.place), r: shot.radius * eye.scale }));
  group.append(svg("circle", { class: "bullet", cx: eye.right(seen.place), cy: eye.up(seen.place), r: 5 }));
  if (shot.blast && state.time >= shot.path.at(-1)[0]) {
    const [centre, radius] = shot.blast;
    group.append(svg("circle", { class: "blast", cx: eye.right(centre), cy: eye.up(centre), r: radius * eye.scale }));
  }
  for (const strike of shot.strikes) {
    const x = eye.right(strike.at), y = eye.up(strike.at);
    const cross = `M${x - 7} ${y - 7}L${x + 7} ${y + 7}M${x - 7} ${y + 7}L${x + 7} ${y - 7}`;
    const diamond = `M${x - 7} ${y}L${x} ${y - 7}L${x + 7} ${y}L${x} ${y + 7}Z`;
    group.append(svg("path", { class: `strike ${strike.kind}`, d: strike.kind === "hitbox" ? cross : diamond }));
  }
}

// The line of time above the scrubber: what happened when.
function marks(shot) {
  const element = $("marks");
  const width = element.clientWidth, room = 8;
  const x = (us) => room + (width - 2 * room) * Math.min(1, us / data.duration_us);
  const group = svg("g");
  const happened = [["fired", shot.fire_us], [shot.refusal ? "refused" : "taken", shot.accepted_us]];
  happened.unshift([shot.clamped ? "looked at (clamped)" : "looked at", shot.target_us]);
  const strike = shot.strikes.find((strike) => strike.kind === "hitbox") ?? shot.strikes[0];
  if (strike && shot.kind === "projectile") happened.push([strike.kind === "hitbox" ? "hit" : "struck", strike.time_us]);
  group.append(svg("line", { class: "mark-span", x1: x(shot.target_us), x2: x(shot.fire_us), y1: 49, y2: 49 }));
  happened.sort((a, b) => a[1] - b[1]);
  const ends = [-Infinity, -Infinity, -Infinity];
  for (const [word, us] of happened) {
    const text = `${word} ${ms(us)}`;
    const guess = text.length * 6.4;
    const left = Math.min(Math.max(0, x(us) - guess / 2), width - guess);
    let row = ends.findIndex((end) => end + 6 < left);
    if (row < 0) row = 0;
    ends[row] = left + guess;
    const y = 12 + row * 14;
    group.append(svg("line", { class: "mark-line", x1: x(us), x2: x(us), y1: y + 3, y2: 54 }));
    group.append(svg("text", { x: left, y, class: word === "hit" ? "hit-text" : "" }, text));
  }
  element.replaceChildren(group);
}

function legend() {
  const entries = [
    ["now", "where it is at the scrubbed time"],
    ["now shooter", "the shooter (instigator)"],
    ["ghost", "where the shot saw it: culled"],
    ["ghost potential", "could be met: its box from then to now is crossed"],
    ["ghost tested", "tested exactly"],
    ["ghost hit", "✖ hit"],
    ["wall", "the present world (◇ struck)"],
  ];
  for (const [kind, text] of entries) {
    const picture = svg("svg", { viewBox: "0 0 30 18", class: "draw", "aria-hidden": "true" });
    picture.append(svg("rect", { x: 3, y: 3, width: 24, height: 12, rx: kind === "wall" ? 0 : 6, class: kind }));
    const item = html("li");
    item.append(picture, text);
    $("legend").append(item);
  }
  const lines = [["path flown", "the shot's way"], ["path", "its way after the scrubbed time"], ["tie", "from where it was to where it is"], ["blast", "reach of the explosion"], ["mark-span", "from the time looked at to the shot"], ["around", "broadphase circle"], ["box potential", "box from then to now"], ["gap", "nearest, if missed"]];
  for (const [kind, text] of lines) {
    const picture = svg("svg", { viewBox: "0 0 30 18", class: "draw", "aria-hidden": "true" });
    picture.append(svg("line", { x1: 2, y1: 9, x2: 28, y2: 9, class: kind }));
    const item = html("li");
    item.append(picture, text);
    $("legend").append(item);
  }
}

function choose(index) {
  state.shot = index;
  const shot = data.shots[index];
  state.marked = -1;
  state.zoom = null;
  const muzzle = shot.path[0]?.[2] ?? [0, 0, 0], end = shot.path[told_points(shot) - 1]?.[2] ?? [0, 0, 1];
  state.axis = Math.abs(end[2] - muzzle[2]) > Math.abs(end[0] - muzzle[0]) ? 2 : 0;
  const strike = shot.strikes.find((strike) => strike.kind === "hitbox") ?? shot.strikes.at(-1);
  const miss = closest(shot)?.nearest.time_us;
  state.time = shot.kind === "hitscan" ? shot.accepted_us : strike?.time_us ?? miss ?? shot.accepted_us;
  $("verdict").className = shot.hit ? "hit" : "miss";
  $("word").textContent = shot.end === "refused" ? "— NOT TAKEN" : shot.hit ? "✔ HIT" : "✘ MISS";
  $("sentence").textContent = shot.verdict.replace(/^(HIT|MISS|NOT TAKEN)\. /, "");
  for (const surprise of shot.surprises) $("sentence").append(html("span", `Not as expected: ${surprise}.`, { class: "surprise" }));
  [...$("shots").children].forEach((button, at) => button.setAttribute("aria-pressed", at === index));
  rows(shot);
  facts(shot);
  axisName();
  draw();
}

function rows(shot) {
  const sorted = [...shot.considered].sort((a, b) => b.hit - a.hit || (a.nearest?.gap ?? Infinity) - (b.nearest?.gap ?? Infinity));
  $("rows").replaceChildren(...sorted.map((one) => {
    const row = html("tr", undefined, { class: one.hit ? "hit" : one.candidate ? "candidate" : "", tabindex: "0" });
    const span = shot.recorded[one.hitbox];
    const mark = one.hit ? "✖ " : one.candidate ? "◐ " : "○ ";
    row.append(
      html("td", one.name),
      html("td", mark + one.why + (one.stale ? `. ${one.stale}` : "")),
      html("td", shot.culling[one.hitbox] ? { "hit": "box crossed: rewound" }[shot.culling[one.hitbox].verdict] ?? shot.culling[one.hitbox].verdict : "—"),
      html("td", one.hit ? "touched" : !one.nearest ? "—" : one.nearest.gap > 0 ? one.nearest.gap_text : "in its line"),
      html("td", one.nearest ? one.nearest.when_text : "—"),
      html("td", span ? `${ms(span[0])} to ${ms(span[1])}` : "—"),
    );
    row.title = one.sentence;
    const mark_it = () => { state.marked = one.hitbox; draw(); };
    row.addEventListener("mouseenter", mark_it);
    row.addEventListener("focus", mark_it);
    row.addEventListener("mouseleave", () => { state.marked = -1; draw(); });
    row.addEventListener("blur", () => { state.marked = -1; draw(); });
    row.addEventListener("click", () => { if (one.nearest) seek(one.nearest.time_us); });
    row.addEventListener("keydown", (event) => { if (event.key === "Enter" && one.nearest) seek(one.nearest.time_us); });
    return row;
  }));
}

function facts(shot) {
  const list = [
    ["shooter", shot.shooter],
    ["kind", shot.kind],
    ["fired", ms(shot.fire_us)],
    ["request arrived", ms(shot.arrives_us)],
    [shot.refusal ? "refused at the tick of" : "taken at the tick of", ms(shot.accepted_us)],
    ...(shot.refusal ? [["refused because of", shot.refusal.text]] : []),
    ...(shot.clamps.length ? [["not believed as claimed", shot.clamps.join(", ")]] : []),
    ["view delay", ms(shot.view_delay_us)],
    ["targets asked for as of", ms(shot.asked_us)],
    ["targets looked for as of", ms(shot.target_us) + (shot.clamped ? `, clamped: no more than ${ms(data.max_rewind_us)} before it was taken` : "")],
    ["without rewinding", shot.without_rewind ? `it would have met ${shot.without_rewind}` : "it would have met nothing"],
    ["tick", `${ms(data.tick_us)}`],
    ["active proxies", shot.proxies.join(", ") || "none"],
    ...Object.entries(shot.counters),
    ...shot.rejections.map(([reason, count]) => [`rejected: ${reason}`, count]),
    ["result hash", data.hash],
    ["file", data.file],
  ];
  $("facts").replaceChildren(...list.flatMap(([name, value]) => [html("dt", name), html("dd", String(value))]));
}

function axisName() {
  const across = state.axis === 2;
  $("top-axis").textContent = across ? "right is z, up is x" : "right is x, down is z";
  $("side-name").textContent = across ? "right is z, up is y" : "right is x, up is y";
}

function seek(time) {
  state.time = Math.min(data.duration_us, Math.max(0, time));
  draw();
}

function setPlaying(playing) {
  state.playing = playing;
  $("play").textContent = playing ? "❚❚" : "▶";
  $("play").setAttribute("aria-label", playing ? "Pause" : "Play");
  if (!playing) return;
  if (state.time >= data.duration_us) state.time = 0;
  let before = performance.now();
  const frame = (at) => {
    if (!state.playing) return;
    seek(state.time + (at - before) * 1000 * Number($("speed").value));
    before = at;
    if (state.time >= data.duration_us) setPlaying(false);
    else requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

function zoom(index, factor, point) {
  const eye = camera(index);
  const px = point ? point[0] - eye.width / 2 : 0, py = point ? point[1] - eye.height / 2 : 0;
  const scale = Math.min(1, Math.max(1e-5, eye.scale * factor));
  const y = [...state.zoom.y];
  y[index] += py / scale - py / eye.scale;
  state.zoom = { x: eye.x + px / eye.scale - px / scale, y, scale };
  draw();
}

views.forEach((view, index) => {
  const element = view.element;
  element.addEventListener("wheel", (event) => {
    event.preventDefault();
    const box = element.getBoundingClientRect();
    zoom(index, event.deltaY < 0 ? 1.2 : 1 / 1.2, [event.clientX - box.left, event.clientY - box.top]);
  }, { passive: false });
  let from = null;
  element.addEventListener("pointerdown", (event) => { from = [event.clientX, event.clientY, camera(index)]; element.setPointerCapture(event.pointerId); });
  element.addEventListener("pointermove", (event) => {
    if (!from) return;
    const [x, y, eye] = from;
    const ys = [...state.zoom.y];
    ys[index] = eye.y + (event.clientY - y) / eye.scale;
    state.zoom = { x: eye.x - (event.clientX - x) / eye.scale, y: ys, scale: eye.scale };
    draw();
  });
  element.addEventListener("pointerup", () => { from = null; });
  element.addEventListener("pointercancel", () => { from = null; });
  element.addEventListener("dblclick", () => { state.zoom = null; draw(); });
});

$("side-axis").addEventListener("click", () => { state.axis = 2 - state.axis; state.zoom = null; axisName(); draw(); });
$("play").addEventListener("click", () => setPlaying(!state.playing));
$("scrubber").addEventListener("input", () => { setPlaying(false); seek(Number($("scrubber").value)); });
addEventListener("resize", () => { state.zoom = null; draw(); });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target instanceof HTMLSelectElement) return;
  const step = data.tick_us * (event.shiftKey ? 10 : 1);
  // To the tick before or after, so that one sees what the server recorded.
  const left = () => seek((Math.ceil(state.time / data.tick_us) - 1) * data.tick_us - (step - data.tick_us));
  const right = () => seek((Math.floor(state.time / data.tick_us) + 1) * data.tick_us + (step - data.tick_us));
  const onButton = event.target instanceof HTMLButtonElement;
  const keys = {
    ArrowLeft: left, ArrowRight: right,
    Home: () => seek(0), End: () => seek(data.duration_us),
    "+": () => zoom(0, 1.25), "=": () => zoom(0, 1.25),
    "-": () => zoom(0, 0.8), 0: () => { state.zoom = null; draw(); },
  };
  if (!onButton) keys[" "] = () => setPlaying(!state.playing);
  for (let number = 1; number <= Math.min(9, data.shots.length); number += 1) keys[number] = () => choose(number - 1);
  const act = keys[event.key];
  if (!act) return;
  event.preventDefault();
  if (event.key !== " ") setPlaying(false);
  act();
});

const title = html("b", data.name);
$("scenario").append(title, data.story ? ` ${data.story}` : "");
$("scrubber").max = data.duration_us;
data.shots.forEach((shot, at) => {
  const button = html("button", `${shot.hit ? "✔" : "✘"} ${shot.number}. ${shot.name}`, { type: "button", "aria-pressed": "false" });
  button.addEventListener("click", () => choose(at));
  $("shots").append(button);
});
$("shots").hidden = data.shots.length < 2;
legend();
choose(0);
