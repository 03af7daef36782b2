/* What the browser knows: the sheet, the setting as it is now and before, all tries, what is pinned; and how it asks. */

const browser = `b${crypto.getRandomValues(new Uint32Array(2)).join("-")}`;
const LATER = "+",
  EVALUATING = "evaluating";
const plain = (axis) => (axis.startsWith(LATER) ? axis.slice(1) : axis);
let sheet = null,
  setting = { mesh: [], specs: {}, inside: {} },
  past = [],
  tries = [],
  current = -1,
  pinned = -1,
  compared = -1,
  asked = 0,
  working = "",
  suggesting = "",
  made = -1,
  chosenAxis = "",
  everywhere = true,
  wrong = null;

async function ask(question, given = {}) {
  try {
    const answer = await fetch(question, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ browser, number: ++asked, ...given }),
    });
    return await answer.json();
  } catch (gone) {
    return { gone: true, problem: "pyshardy view has ended: what is shown stays" };
  }
}
const copyOf = (value) => JSON.parse(JSON.stringify(value));
const keyOf = (one) => JSON.stringify([one.mesh, Object.entries(one.specs).sort(), Object.entries(one.inside ?? {}).sort()]);
const sizeOf = (axis) => setting.mesh.find(([name]) => name === plain(axis))?.[1] ?? 1;
const colourOf = (axis) => Math.max(0, setting.mesh.findIndex(([name]) => name === plain(axis))) % 8;
const specOf = (row) => setting.specs[row.number] ?? row.shape.map(() => []);

/** Rows whose optimizer has a row of its own although it lies as they do. */
const apart = new Set();
/** The rows as they are shown: an optimizer that lies otherwise than its parameter is a row of its own. */
function shownRows() {
  return sheet.rows.flatMap((row) => {
    const [first, ...rest] = row.followers;
    if (first === undefined) return [row];
    const own = JSON.stringify(specOf(row)),
      other = JSON.stringify(setting.specs[first] ?? row.shape.map(() => []));
    if (own === other && !apart.has(row.number)) return [row];
    return [
      { ...row, followers: [], bytes: row.own_bytes },
      { ...row, number: first, followers: rest, bytes: row.bytes - row.own_bytes, pattern: `${row.pattern} (optimizer)`, role: "moment" },
    ];
  });
}

/** Notes what an evaluation has found as a try; its number. */
function note(found, words = "") {
  if (found.expected === undefined) return -1;
  const key = keyOf(found.setting);
  let place = tries.findIndex((one) => one.key === key);
  if (place < 0) {
    place = tries.length;
    tries.push({ ...found, key, words });
  } else if (!tries[place].whole) Object.assign(tries[place], found);
  return place;
}
/** A try that another one is both faster and smaller than. */
const isDominated = (one) =>
  tries.some((other) => other !== one && other.expected <= one.expected && other.peak <= one.peak && (other.expected < one.expected || other.peak < one.peak));

/** Takes `next` as the setting; `words` say what was changed. */
async function take(next, words, { remember = true } = {}) {
  if (keyOf(next) === keyOf(setting)) return;
  if (remember) past.push(copyOf(setting));
  setting = copyOf(next);
  wrong = null;
  if (!setting.mesh.some(([axis]) => axis === chosenAxis)) chosenAxis = "";
  await evaluate(words);
}
async function undo() {
  const before = past.pop();
  if (before) await take(before, "", { remember: false });
}
/** Asks what the setting costs; the old figures stay, dimmed, until the answer is there. */
async function evaluate(words = "") {
  // Nobody waits for an evaluation of an earlier setting any more.
  working = "";
  const bad = divisionProblem();
  if (bad) {
    wrong = bad;
    current = -1;
    return render();
  }
  const known = tries.findIndex((one) => one.key === keyOf(setting));
  if (known >= 0) {
    current = known;
    planSoon();
    return render();
  }
  const own = keyOf(setting);
  working = EVALUATING;
  render();
  const found = await ask("evaluate", { setting });
  if (found.stale || own !== keyOf(setting)) return;
  working = "";
  if (found.problem) wrong = { text: found.problem };
  current = note(found, words);
  planSoon();
  render();
}
/** Some moments after the last change: the figures of the whole program, which take longer, in place of those of few of its
    layers. */
let waiting;
function planSoon() {
  clearTimeout(waiting);
  if (current < 0 || tries[current].whole) return;
  waiting = setTimeout(async () => {
    if (working || suggesting) return planSoon();
    if (current < 0) return;
    const own = keyOf(setting);
    const found = await ask("whole", { setting });
    const place = tries.findIndex((one) => one.key === own);
    if (found.expected === undefined || place < 0) return;
    Object.assign(tries[place], found, { key: own });
    render();
  }, 1500);
}
/** The first slot whose dimension its axes do not divide. */
function divisionProblem() {
  for (const row of shownRows())
    for (const [dim, axes] of specOf(row).entries()) {
      const parts = axes.reduce((count, axis) => count * sizeOf(axis), 1);
      if (row.shape[dim] % parts) return { row: row.number, dim, text: `${row.shape[dim]} is not divisible by ${parts}` };
    }
  for (const [pattern, spec] of Object.entries(setting.inside ?? {}))
    for (const [dim, axes] of spec.entries()) {
      const parts = axes.reduce((count, axis) => count * sizeOf(axis), 1),
        length = sheet.inside_shapes[pattern]?.[dim] ?? parts;
      if (length % parts) return { inside: pattern, text: `${length} is not divisible by ${parts}` };
    }
  return null;
}
/** The first prime factor. */
function firstFactor(number) {
  for (let one = 2; one * one <= number; one++) if (number % one === 0) return one;
  return number;
}
/** The mesh with a factor more on an axis, which another gives; or less, which another gets, a new one if there is none. */
function resized(place, up) {
  if (sheet.bound) return null;
  const mesh = copyOf(setting.mesh);
  const others = mesh.map((_, index) => index).filter((index) => index !== place);
  if (up) {
    const from = others.filter((index) => mesh[index][1] > 1).sort((a, b) => mesh[b][1] - mesh[a][1])[0];
    if (from === undefined) return null;
    const factor = firstFactor(mesh[from][1]);
    mesh[from][1] /= factor;
    mesh[place][1] *= factor;
    return mesh;
  }
  if (mesh[place][1] < 2) return null;
  const factor = firstFactor(mesh[place][1]);
  mesh[place][1] /= factor;
  if (others.length) mesh[others[others.length - 1] > place ? others.find((index) => index > place) : others[others.length - 1]][1] *= factor;
  else mesh.push([newName(mesh), factor]);
  return mesh;
}
const newName = (mesh) => ["data", "model", "expert", "sequence", "other"].find((name) => !mesh.some(([own]) => own === name)) ?? `axis${mesh.length}`;

/** Puts an axis into a slot, or takes it out; on all dimensions of that name, or here alone. */
function toggle(row, dim, axis) {
  // One after the other: each begins with what the one before it has made.
  turn = turn.then(() => toggled(row, dim, axis));
}
let turn = Promise.resolve();
async function toggled(row, dim, axis) {
  const next = copyOf(setting),
    name = row.names[dim] || `dimension ${dim}`;
  const isThere = specOf(row)[dim].some((one) => plain(one) === axis);
  const rows = everywhere ? shownRows() : [row];
  if (isThere || !everywhere) {
    for (const one of rows) {
      const spec = copyOf(specOf(one));
      spec.forEach((axes, place) => {
        if (one.number === row.number ? place !== dim : one.classes[place] !== row.classes[dim]) return;
        spec[place] = axes.filter((own) => plain(own) !== axis);
      });
      if (!isThere) {
        spec.forEach((axes, place) => (spec[place] = axes.filter((own) => plain(own) !== axis)));
        spec[dim] = [...spec[dim], axis];
      }
      for (const number of [one.number, ...one.followers]) next.specs[number] = spec;
    }
    for (const [number, spec] of Object.entries(next.specs)) if (!spec.some((axes) => axes.length)) delete next.specs[number];
    return void take(next, `${axis} ${isThere ? "off" : "on"} ${name}${everywhere ? "" : ` of ${row.pattern}`}`);
  }
  if (!working) working = EVALUATING;
  render();
  const before = keyOf(setting);
  const found = await ask("place", { setting, axis, row: row.number, dim });
  if (working === EVALUATING) working = "";
  if (before !== keyOf(setting)) return render();
  if (found.problem) {
    wrong = { row: row.number, dim, text: found.problem };
    return render();
  }
  if (keyOf(found.setting) === keyOf(setting)) {
    wrong = { row: row.number, dim, text: `${row.shape[dim]} is not divisible by ${sizeOf(axis)}` };
    return render();
  }
  take(found.setting, `${axis} on ${name}`);
}
