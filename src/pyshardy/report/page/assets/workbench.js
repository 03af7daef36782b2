/* The workbench as a person sees it: strip, mesh and rows, all tries, what costs most, and below it more of the setting. */

const at = (id) => document.getElementById(id);
let tab = "",
  texts = null,
  reportOf = "";

function chip(axis, attributes = {}) {
  return element("span", { class: `axis b${colourOf(axis)}${axis.startsWith(LATER) ? " later" : ""}`, ...attributes }, plain(axis));
}
function difference(now, before, write) {
  if (before === undefined || now === before) return "";
  const sign = now > before ? "+" : "−";
  const part = now < 10 * before ? `${sign}${Math.abs((100 * (now - before)) / before).toFixed(0)} %` : before ? `${(now / before).toFixed(0)} times` : "";
  return `${sign}${write(Math.abs(now - before))}${part && ` (${part})`}`;
}
function renderStrip() {
  const one = tries[current] ?? tries[lastShown];
  const strip = at("strip");
  strip.classList.toggle("busy", Boolean(working) || current < 0);
  const against = pinned >= 0 && pinned !== current ? tries[pinned] : null;
  const figure = (title, shown, now, before, write, state = "", bounds = "") =>
    element(
      "div",
      {},
      element("p", { class: "soft" }, title),
      element("p", { class: `figure ${state}` }, shown),
      bounds ? element("p", { class: "soft" }, bounds) : "",
      element("p", { class: `against ${now < before ? "good-text" : "bad-text"}` }, against ? difference(now, before, write) : ""),
    );
  const time = (seconds) => duration(seconds) || "0 s";
  const wide = one && one.most > 1.5 * one.least ? `between ${time(one.least)} and ${time(one.most)}` : "";
  strip.replaceChildren(
    element("div", {}, element("h1", { title: sheet.name }, sheet.name.split(/[\\/]/).at(-1)), element("p", { class: "soft" }, `${sheet.devices} × ${sheet.hardware}`), element("p", { role: "status", id: "working" }, working || suggesting),
      // One line for both: nothing below moves while something is at work.
      one && !working && !suggesting ? element("p", { class: "soft", id: "exactness" }, one.whole ? "the plan of the whole program" : "by few of its layers") : ""),
    one ? figure(`memory, of ${size(sheet.capacity)}`, `${one.fits ? "fits" : "does not fit"}: ${size(one.peak)}`, one.peak, against?.peak, size, one.fits ? "good-text" : "bad-text") : "",
    one ? figure("a step is expected to take", time(one.expected), one.expected, against?.expected, time, "", wide) : "",
    one ? figure("each device receives", size(one.received), one.received, against?.received, size) : "",
    element(
      "div",
      { class: "bar" },
      element("button", { "data-key": "undo", disabled: !past.length, onclick: undo, title: "Ctrl+Z" }, "undo"),
      element("button", { "data-key": "pin", disabled: current < 0, "aria-pressed": String(pinned === current && pinned >= 0), onclick: () => { pinned = pinned === current ? -1 : current; render(); } }, "pin"),
    ),
  );
}
let lastShown = -1;

function renderRows() {
  const mesh = element(
    "div",
    { class: "mesh", role: "group", "aria-label": "Axes of the mesh" },
    setting.mesh.map(([name, length], place) =>
      element(
        "div",
        { class: "axis-box" },
        element(
          "button",
          {
            class: `chip b${place % 8}`,
            draggable: "true",
            "aria-pressed": String(chosenAxis === name),
            "data-key": `axis ${name}`,
            title: `key ${place + 1}: choose it, then a slot; or drag it there`,
            onclick: () => { chosenAxis = chosenAxis === name ? "" : name; render(); },
            ondragstart: (event) => event.dataTransfer.setData("text/plain", name),
          },
          name,
        ),
        ` ${length} `,
        element("button", { "data-key": `less ${name}`, "aria-label": `${name} smaller`, disabled: !resized(place, false), onclick: () => resize(place, false) }, "−"),
        element("button", { "data-key": `more ${name}`, "aria-label": `${name} larger`, disabled: !resized(place, true), onclick: () => resize(place, true) }, "+"),
      ),
    ),
    element("label", {}, element("input", { type: "checkbox", "data-key": "everywhere", checked: everywhere, onchange: (event) => { everywhere = event.target.checked; render(); } }), " all dimensions of that name"),
  );
  const all = shownRows(),
    listed = all.filter((row) => showSmall || !row.small || wrong?.row === row.number);
  const rows = listed.map((row) =>
    element(
      "div",
      { class: "sheet-row" },
      element("div", { class: "pattern" }, ...breakable(row.pattern), element("div", { class: "soft" }, size(row.bytes), row.role === "weight" && row.followers.length
            ? element(
                "button",
                {
                  class: "plain-button",
                  title: "the optimizer of it in a row of its own",
                  "data-key": `apart ${row.number}`,
                  onclick: () => {
                    apart.add(row.number);
                    render();
                  },
                },
                "with optimizer",
              )
            : "")),
      element(
        "div",
        { class: "slots" },
        row.shape.map((length, dim) => slot(row, dim, length)),
        wrong && wrong.row === row.number ? element("p", { class: "wrong", role: "alert" }, wrong.text) : null,
      ),
    ),
  );
  at("rows").replaceChildren(
    mesh,
    wrong && wrong.row === undefined && wrong.inside === undefined ? element("p", { class: "wrong", role: "alert" }, wrong.text) : "",
    element("p", { class: "soft" }, chosenAxis ? `click a slot to put ${chosenAxis} there, or to take it out` : "choose an axis, then a slot; or drag it there; on a slot the keys 1 to 9"),
    ...sheet.notes.map((one) => element("p", { class: "soft" }, one)),
    ...rows,
    ...insideRows(),
    listed.length < all.length || showSmall
      ? element("button", { "data-key": "small", onclick: () => { showSmall = !showSmall; render(); } }, showSmall ? "hide small ones" : `${all.length - listed.length} small ones`)
      : "",
  );
}
/** A path that breaks behind its strokes. */
const breakable = (path) => path.split(/(?<=[/:])/).flatMap((step) => [step, element("wbr")]);
let showSmall = false;
/** What a search has found to lie how inside of the program: lines that can be removed. */
function insideRows() {
  const lines = Object.entries(setting.inside ?? {});
  if (!lines.length) return [];
  return [
    element("h3", {}, "inside of the program, as a search has found it"),
    ...lines.map(([pattern, spec]) =>
      element(
        "div",
        { class: "sheet-row inside-row" },
        element("div", { class: "pattern" }, ...breakable(pattern)),
        element(
          "div",
          { class: "slots" },
          spec.map((axes, dim) =>
            element("span", { class: "slot" }, element("b", { class: "soft" }, sheet.inside_shapes[pattern]?.[dim] ?? ""), axes.length ? axes.map((axis) => chip(axis)) : element("span", { class: "soft" }, "whole")),
          ),
          element("button", { "data-key": `remove ${pattern}`, "aria-label": `remove ${pattern}`, onclick: () => removeInside(pattern) }, "remove"),
          wrong?.inside === pattern ? element("p", { class: "wrong", role: "alert" }, wrong.text) : null,
        ),
      ),
    ),
  ];
}
function removeInside(pattern) {
  const next = copyOf(setting);
  delete next.inside[pattern];
  take(next, `without ${pattern}`);
}
function slot(row, dim, length) {
  const axes = specOf(row)[dim],
    name = row.names[dim] || `dimension ${dim}`;
  const put = (axis) => setting.mesh.some(([own]) => own === axis) && toggle(row, dim, axis);
  return element(
    "button",
    {
      class: "slot",
      "data-key": `slot ${row.number} ${dim}`,
      "aria-label": `${row.pattern} ${name} ${length}: ${axes.map(plain).join(", ") || "whole"}`,
      disabled: row.sliced[dim],
      title: row.sliced[dim] ? "a loop takes slices of it" : null,
      onclick: () => chosenAxis && put(chosenAxis),
      onkeydown: (event) => {
        const axis = setting.mesh[Number(event.key) - 1];
        if (axis && /^[1-9]$/.test(event.key)) {
          event.preventDefault();
          put(axis[0]);
        }
      },
      ondragover: (event) => { event.preventDefault(); event.currentTarget.classList.add("over"); },
      ondragleave: (event) => event.currentTarget.classList.remove("over"),
      ondrop: (event) => { event.preventDefault(); put(event.dataTransfer.getData("text/plain")); },
    },
    element("span", { class: "soft" }, `${name.replace(/ (\d+)$/, " ($1)")} `, element("b", {}, length)),
    axes.length ? axes.map((axis) => chip(axis)) : element("span", { class: "soft" }, "whole"),
  );
}
function resize(place, up) {
  const mesh = resized(place, up);
  if (mesh) take({ ...setting, mesh }, mesh.map(([name, length]) => `${name}=${length}`).join(", "));
}

function renderDots() {
  const width = 460,
    height = 360,
    left = 62,
    right = width - 12,
    bottom = height - 34;
  const picture = drawn("svg", { viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": "Every try: the peak of memory over the expected time" });
  if (tries.length) {
    // The scales are logarithms: a program of nothing but constants takes no time.
    const times = tries.map((one) => Math.max(one.expected, 1e-9)),
      memory = tries.map((one) => Math.max(one.peak, 1)),
      highest = Math.max(...memory),
      // A capacity that is far above would leave the tries no room.
      isNear = sheet.capacity < 20 * highest,
      peaks = [...memory, isNear ? sheet.capacity : highest];
    const scaleOf = (figures, low, high) => {
      const least = Math.log(Math.min(...figures)) - 0.15,
        most = Math.log(Math.max(...figures)) + 0.15;
      return (one) => low + ((high - low) * (Math.log(one) - least)) / (most - least);
    };
    const x = scaleOf(times, left, right),
      y = scaleOf(peaks, bottom, 12);
    const roundTimes = roundBetween(Math.min(...times), Math.max(...times));
    for (const one of roundTimes.length ? roundTimes : [times[0]])
      picture.append(
        drawn("line", { x1: x(one), x2: x(one), y1: 12, y2: bottom, class: "grid-line" }),
        drawn("text", { x: x(one), y: bottom + 14, "text-anchor": "middle" }, one > 1e-9 ? duration(one) : "0 s"),
      );
    const roundPeaks = [];
    for (let power = Math.ceil(Math.log2(Math.min(...peaks))); power <= Math.log2(Math.max(...peaks)); power++)
      if (Math.log2(Math.max(...peaks) / Math.min(...peaks)) < 8 || power % 2 === 0) roundPeaks.push(2 ** power);
    for (const one of roundPeaks.length ? roundPeaks : [memory[0]])
      picture.append(
        drawn("line", { x1: left, x2: right, y1: y(one), y2: y(one), class: "grid-line" }),
        drawn("text", { x: left - 4, y: y(one) + 4, "text-anchor": "end" }, size(one)),
      );
    picture.append(
      isNear ? drawn("line", { x1: left, x2: right, y1: y(sheet.capacity), y2: y(sheet.capacity), class: "mark-line" }) : "",
      drawn("text", { x: right, y: isNear ? y(sheet.capacity) - 4 : 10, "text-anchor": "end" }, `capacity ${size(sheet.capacity)}${isNear ? "" : ", far above"}`),
      drawn("text", { x: (left + right) / 2, y: height - 4, "text-anchor": "middle" }, "expected time of a step"),
      drawn("text", { x: 2, y: 10 }, "peak of memory"),
    );
    tries.forEach((one, place) => {
      const kinds = ["try", isDominated(one) && "dominated", place === current && "current", place === pinned && "pinned", place === compared && "compared"];
      const words = `${one.words || "a setting"}: ${duration(one.expected)}, ${size(one.peak)}${one.fits ? "" : ", does not fit"}`;
      const choose = (event) => {
        if (event.shiftKey) {
          compared = place === compared ? -1 : place;
          tab = compared >= 0 ? "changes" : tab;
          render();
        } else take(one.setting, one.words);
      };
      picture.append(
        drawn("circle", { cx: x(times[place]), cy: y(memory[place]), r: place === current ? 8 : 6, class: kinds.filter(Boolean).join(" "), tabindex: 0, role: "button", "aria-label": words, "data-key": `try ${place}` }, drawn("title", {}, words)),
      );
      picture.lastChild.addEventListener("click", choose);
      picture.lastChild.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          choose(event);
        }
      });
    });
  }
  at("dots").replaceChildren(
    element("h2", {}, "Tries"),
    picture,
    element("p", { class: "soft" }, "a click restores a try, with Shift it is compared; faded ones have another that is faster and smaller"),
  );
}
/** Figures 1, 2, 5 and their tens. */
function roundBetween(low, high) {
  const found = [];
  for (let power = Math.floor(Math.log10(low)) - 1; 10 ** power <= high; power++)
    for (const digit of high / low > 100 ? [1] : [1, 2, 5]) if (digit * 10 ** power >= low * 0.95 && digit * 10 ** power <= high * 1.05) found.push(digit * 10 ** power);
  return found;
}

function renderNow() {
  const one = tries[current] ?? tries[lastShown];
  const now = at("now");
  now.classList.toggle("busy", Boolean(working) || current < 0);
  now.replaceChildren(
    element("h2", {}, "What costs most now"),
    one
      ? element(
          "ol",
          {},
          one.causes.map((cause, place) =>
            element(
              "li",
              {},
              element("b", {}, cause.title),
              ` ${(100 * cause.share).toFixed(0)} %`,
              element("p", { class: "soft" }, cause.detail),
              element("button", { "data-key": `try it ${place}`, disabled: Boolean(working || suggesting), onclick: () => suggest("try", { axes: cause.axes }, "trying changes") }, "try"),
            ),
          ),
        )
      : "",
    element(
      "div",
      { class: "bar" },
      element("button", { "data-key": "search", disabled: Boolean(working || suggesting), onclick: () => suggest("search", {}, "searching on this mesh, about 20 s") }, "search from here"),
      suggesting ? element("button", { "data-key": "stop", onclick: () => ask("stop") }, "stop") : "",
    ),
    said ? element("p", { role: "status" }, said) : "",
  );
}
let said = "";
/** Has the server try changes; the best is taken, all become dots. */
async function suggest(question, more, words) {
  const own = keyOf(setting);
  suggesting = words;
  said = "";
  render();
  const found = await ask(question, { setting, ...more });
  suggesting = "";
  Object.assign(sheet.inside_shapes, found.inside_shapes);
  for (const one of found.tried ?? []) note(one, one.words);
  const remark = (found.notes ?? []).map((one) => ` (${one})`).join("");
  if (own !== keyOf(setting)) {
    said = found.problem ?? "the setting has changed meanwhile: what was tried stands among the tries";
    planSoon();
    render();
  } else if (found.best && keyOf(found.best.setting) !== own) {
    note(found.best, found.best.words);
    said = `taken: ${found.best.words}${remark}`;
    await take(found.best.setting, found.best.words);
  } else {
    said = found.problem ?? `nothing that was tried is better${remark}${question === "try" ? "; a search looks further" : ""}`;
    planSoon();
    render();
  }
}

const views = { memory: "Memory", time: "Time", program: "Why, by operation", mesh: "Tiles of tensors" };
const tabsBelow = { ...views, changes: "What changed", file: "Sharding file", specs: "PartitionSpecs", logical: "Logical axes" };
function slotsThatDiffer(one, other) {
  const found = [];
  const written = (axes) => (axes.length ? axes.map(plain).join(", ") : "whole");
  for (const row of shownRows()) {
    const before = one.specs[row.number] ?? row.shape.map(() => []),
      after = other.specs[row.number] ?? row.shape.map(() => []);
    row.shape.forEach((_, dim) => {
      if (String(before[dim]) !== String(after[dim])) found.push([row.pattern, row.names[dim] || `dimension ${dim}`, written(before[dim]), written(after[dim])]);
    });
  }
  const before = one.inside ?? {},
    after = other.inside ?? {},
    all = (spec) => (spec ? `[${spec.map(written).join("; ")}]` : "not said");
  for (const pattern of new Set([...Object.keys(before), ...Object.keys(after)]))
    if (JSON.stringify(before[pattern]) !== JSON.stringify(after[pattern])) found.push([pattern, "inside", all(before[pattern]), all(after[pattern])]);
  return found;
}
function renderBelow() {
  const bar = element(
    "div",
    { class: "bar", role: "tablist" },
    Object.entries(tabsBelow).map(([key, label]) =>
      element("button", { role: "tab", "aria-selected": String(tab === key), "aria-pressed": String(tab === key), "data-key": `tab ${key}`, onclick: () => showTab(tab === key ? "" : key) }, label),
    ),
  );
  const parts = [bar];
  if (tab === "changes") {
    const other = compared >= 0 ? compared : pinned;
    const before = tries[other];
    if (!before) parts.push(element("p", { class: "soft" }, "pin a plan, or Shift-click a dot: then this says what is otherwise"));
    else {
      const rows = slotsThatDiffer(before.setting, setting);
      const now = tries[current];
      parts.push(
        element("p", {}, `${duration(before.expected)}, ${size(before.peak)} before; ${now ? `${duration(now.expected)}, ${size(now.peak)} now` : ""}`),
        element("table", {}, rows.length ? element("thead", {}, element("tr", {}, ["", "dimension", compared >= 0 ? "compared" : "pinned", "now"].map((one) => element("th", {}, one)))) : "", element("tbody", {}, rows.map((row) => element("tr", {}, row.map((one) => element("td", {}, one)))))),
        rows.length ? "" : element("p", {}, "the same slots"),
      );
    }
  } else if (tab in views) {
    if (reportOf !== keyOf(setting))
      parts.push(
        element("button", { "data-key": "make report", disabled: Boolean(working), onclick: makeReport }, "make the report of this setting"),
        element("span", { class: "soft" }, reportOf ? " below is that of another one" : ""),
      );
  } else if (tab)
    parts.push(
      texts ? element("button", { "data-key": "copy", onclick: copyText }, "copy") : element("p", {}, "…"),
      texts ? element("pre", { id: "text" }, texts[tab]) : "",
    );
  // A frame that is put in anew loads anew: it stays where it is.
  if (!at("report-frame")) at("below").append(element("div", { id: "of-setting" }), element("iframe", { id: "report-frame", title: "the report of a setting" }));
  at("of-setting").replaceChildren(...parts);
  at("report-frame").hidden = !(tab in views) || !reportOf;
  at("report-frame").classList.toggle("stale", reportOf !== keyOf(setting));
}
async function showTab(key) {
  tab = key;
  texts = null;
  renderBelow();
  if (key in views) {
    if (reportOf !== keyOf(setting)) await makeReport();
    else at("report-frame").contentWindow.location.hash = `view=${tab}&alone=1`;
  }
  else if (key && key !== "changes") {
    texts = await ask("export", { setting });
    renderBelow();
  }
}
async function makeReport() {
  const own = keyOf(setting);
  working = "making the report";
  render();
  const found = await ask("report", { setting });
  working = "";
  if (found.report) {
    reportOf = own;
    render();
    at("report-frame").src = `report/${encodeURIComponent(found.report)}?${made}#view=${tab}&alone=1`;
  } else {
    wrong = { text: found.problem };
    render();
  }
}
async function copyText(event) {
  try {
    await navigator.clipboard.writeText(texts[tab]);
    event.target.textContent = "copied";
  } catch (refused) {
    getSelection().selectAllChildren(at("text"));
  }
}

function render() {
  const kept = document.activeElement?.dataset?.key;
  if (current >= 0) lastShown = current;
  renderStrip();
  renderRows();
  renderDots();
  renderNow();
  if (texts && tab && !(tab in views) && tab !== "changes") {
    const own = keyOf(setting);
    if (texts.own !== own) ask("export", { setting }).then((found) => { texts = { ...found, own }; renderBelow(); });
  }
  renderBelow();
  if (kept && document.activeElement?.dataset?.key !== kept)
    [...document.querySelectorAll("[data-key]")].find((one) => one.dataset.key === kept)?.focus({ preventScroll: true });
}
addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "z") {
    event.preventDefault();
    undo();
  } else if (event.key === "Escape" && chosenAxis) {
    chosenAxis = "";
    render();
  }
});

/** Looks now and then whether the file was saved anew: its setting is a try of its own, and becomes the one that is shown. */
async function look() {
  const found = await ask("version"),
    problem = found.gone ? found.problem : (found.file_problem ?? "");
  at("problem").textContent = problem;
  at("problem").hidden = !problem;
  if (!found.gone && found.made !== made) await begin();
  setTimeout(look, 1000);
}
async function begin() {
  const found = await ask("sheet"),
    before = sheet;
  if (found.gone || !found.rows) return;
  made = found.made;
  sheet = found;
  document.title = `${sheet.name} · pyshardy`;
  wrong = null;
  if (before?.program === sheet.program) {
    // Tries and what is pinned are of this program still.
    if (JSON.stringify(before.start) === JSON.stringify(sheet.start)) return render();
    said = "the shardings of the file were saved anew: they are shown, your tries stay";
    return take(sheet.start, "the file, saved anew");
  }
  tries = [];
  past = [];
  current = pinned = compared = lastShown = -1;
  setting = copyOf(sheet.start);
  texts = null;
  reportOf = chosenAxis = "";
  said = before ? `the ${before.hardware === sheet.hardware && before.devices === sheet.devices ? "program" : "hardware"} has changed: earlier tries and what was pinned are gone` : "";
  apart.clear();
  await evaluate("the file");
}
look();
