/* Time, communication, memory, propagation, and what differs between two plans. */

function table(headings, body, numbers) {
  return element(
    "table",
    {},
    element(
      "thead",
      {},
      element(
        "tr",
        {},
        headings.map((one, index) => element("th", { class: index >= headings.length - numbers ? "num" : null }, one)),
      ),
    ),
    element("tbody", {}, body),
  );
}
function cells(values, numbers, click) {
  const row = element(
    "tr",
    click
      ? {
          class: "pick",
          tabindex: "0",
          onclick: click,
          onkeydown: (event) => {
            if (event.key === "Enter") click();
          },
        }
      : {},
  );
  values.forEach((value, index) =>
    row.append(element("td", { class: index >= values.length - numbers ? "num" : null }, value)),
  );
  return row;
}
function communicationView() {
  const by = state.by || "cause",
    order = state.order || (data.time ? "seconds" : "bytes"),
    c = data.collectives;
  const groups = new Map();
  const whole = (index, column) => c[column][index] * (c.turns[index] ?? 1);
  c.kind.forEach((kind, index) => {
    const key =
      by === "cause"
        ? text(c.pair[index]) || text(c.reason[index])
        : by === "axis"
          ? text(c.axes[index]) || "the program's own"
          : text(kind);
    if (!groups.has(key)) groups.set(key, { key, members: [], bytes: 0, seconds: 0 });
    const group = groups.get(key);
    group.members.push(index);
    group.bytes += whole(index, "bytes");
    group.seconds += whole(index, "seconds");
  });
  const sorted = [...groups.values()].sort((a, b) => b[order] - a[order]);
  const pick = (key, value, label) =>
    element(
      "button",
      {
        "aria-pressed": String((key === "by" ? by : order) === value),
        onclick: () => go({ [key]: value, group: null }, true),
      },
      label,
    );
  const most = Math.max(1e-30, ...sorted.map((one) => one[order]));
  const barOf = (amount) => {
    const bar = element("div", { class: "bn" });
    bar.style.width = `${Math.max(1, (100 * amount) / most)}%`;
    bar.style.height = "4px";
    return bar;
  };
  const goTo = (index) =>
    go(c.operation[index] < 0 ? { tensor: null } : { view: "program", q: null, op: c.operation[index], tensor: null });
  const body = [];
  for (const one of sorted.slice(0, 200)) {
    const many = one.members.length > 1,
      isOpen = many && state.group === one.key;
    const row = cells(
      [
        element("div", {}, many ? (isOpen ? "▾ " : "▸ ") : "", one.key, barOf(one[order])),
        String(one.members.length),
        size(one.bytes),
        duration(one.seconds),
      ],
      3,
      many ? () => go({ group: isOpen ? null : one.key }, true) : () => goTo(one.members[0]),
    );
    if (many) row.setAttribute("aria-expanded", String(isOpen));
    row.dataset.key = `group ${one.key}`;
    body.push(row);
    if (!isOpen) continue;
    const members = [...one.members].sort((a, b) => whole(b, order) - whole(a, order));
    for (const index of members.slice(0, 100)) {
      const op = c.operation[index];
      const where = op < 0 ? "" : [text(ops.name[op]), text(ops.label[op]), ...data.scopes[ops.scope[op]].slice(-2)];
      body.push(
        cells(
          [
            element(
              "div",
              { class: "member" },
              `${text(c.kind[index])} `,
              text(c.axes[index]).split(", ").filter(Boolean).map(axisChip),
              op < 0 ? "" : ` for ${where.filter(Boolean).join(" ")} ${text(ops.place[op])}`,
            ),
            c.turns[index] === 1 ? "" : `×${c.turns[index] ?? "?"}`,
            size(whole(index, "bytes")),
            duration(whole(index, "seconds")),
          ],
          3,
          () => goTo(index),
        ),
      );
    }
    if (members.length > 100) body.push(cells([`… and ${members.length - 100} more`, "", "", ""], 3));
  }
  view.replaceChildren(
    element(
      "div",
      { class: "bar" },
      "by ",
      pick("by", "cause", "cause"),
      pick("by", "axis", "axis"),
      pick("by", "kind", "kind"),
      " ordered by ",
      pick("order", "bytes", "bytes"),
      pick("order", "seconds", "time"),
    ),
    sorted.length
      ? table(["", "collectives", "each device receives", "time"], body, 3)
      : element("p", {}, "Nothing moves between devices."),
  );
}
function timeView() {
  const picture = (id) => document.getElementById(id).content.cloneNode(true);
  const t = data.time,
    step = t.seconds.expected;
  const legend = (kinds) =>
    element(
      "div",
      { class: "legend" },
      kinds.map((index) => element("span", { class: index < 5 ? `t${index}` : index === 5 ? "k0 hidden" : "k0 exposed" }, t.kinds[index])),
    );
  const goTo = (op) => go({ view: "program", q: null, op, tensor: null });
  const body = t.parts
    .filter(([, seconds]) => seconds)
    .flatMap(([name, seconds, scopes], number) => [
      cells([element("b", {}, element("span", { class: `swatch t${number}` }), name), "", duration(seconds), share(seconds / step)], 2),
      ...scopes.map(([scope, own]) => cells(["", scope, duration(own), share(own / step)], 2)),
    ]);
  view.replaceChildren(
    element("h2", {}, `a step is expected to take ${duration(step)}`),
    picture("time-picture"),
    legend([0, 1, 2, 4, 5, 6]),
    element("p", { class: "soft" }, "a loop is one block: as high as the part of its time that a lane is at work"),
    ...(t.turn ? [element("h2", {}, t.turn), picture("turn-picture")] : []),
    element("h2", {}, "What computation is made of"),
    table(["", "scope", "time", "of a step"], body, 2),
    element("h2", {}, "Roofline"),
    rooflinePicture(t, goTo),
    element("h2", {}, "What computation waits for"),
    t.collectives.length
      ? table(
          ["", "along", "times", "each device receives", "time", "of it exposed"],
          t.collectives.map(([kind, axes, runs, bytes, seconds, exposed]) =>
            cells([kind, sharding(axes), String(runs), size(bytes), duration(seconds), duration(exposed)], 4),
          ),
          4,
        )
      : element("p", {}, "Nothing moves between devices."),
  );
}
const share = (part) => `${(100 * part).toFixed(part < 0.1 ? 1 : 0)} %`;
const LEAST_INTENSITY = -3;
/** What operations reach of the chip: floating point operations per second over those per byte, larger where they take longer. */
function rooflinePicture(t, goTo, width = 940, height = 280) {
  const shown = t.works.filter(([, flops, bytes, seconds]) => flops > 0 && bytes > 0 && seconds > 0);
  if (!shown.length || !t.roof.peak) return element("p", { class: "soft" }, "nothing computes");
  const left = 90,
    right = width - 12,
    bottom = height - 36,
    { peak, bandwidth, type } = t.roof;
  const ridge = peak / bandwidth;
  const across = shown.map(([, flops, bytes]) => Math.log10(flops / bytes)),
    reached = shown.map(([, flops, , seconds]) => Math.log10(flops / seconds));
  // What hardly computes, as what counts the iterations of a loop, stands at the edge, not far away from everything.
  const lowX = Math.max(LEAST_INTENSITY, Math.min(-1, ...across)) - 0.2,
    highX = Math.max(Math.log10(ridge) + 1, ...across) + 0.2;
  const highY = Math.log10(peak) + 0.2,
    lowY = Math.min(Math.log10(peak) - 4, Math.max(Math.min(...reached), Math.log10(peak) - 7)) - 0.2;
  // The largest dot on the roof leaves room for what stands above it.
  const upper = 28;
  const x = (power) => left + ((right - left) * (Math.max(power, lowX) - lowX)) / (highX - lowX);
  const y = (power) => bottom - ((bottom - upper) * (Math.max(power, lowY) - lowY)) / (highY - lowY);
  const picture = drawn("svg", { viewBox: `0 0 ${width} ${height}`, class: "spark", role: "img", "aria-label": "Roofline: the table above has the figures" });
  const units = { 15: "PFLOP/s", 12: "TFLOP/s", 9: "GFLOP/s", 6: "MFLOP/s", 3: "kFLOP/s" };
  for (let power = Math.ceil(lowY); power <= highY; power++) {
    const unit = 3 * Math.floor(power / 3);
    picture.append(
      drawn("line", { x1: left, x2: right, y1: y(power), y2: y(power), class: "grid-line" }),
      drawn("text", { x: left - 6, y: y(power) + 4, "text-anchor": "end" }, `${10 ** (power - unit)} ${units[unit] ?? ""}`),
    );
  }
  for (let power = Math.ceil(lowX); power <= highX; power++)
    picture.append(
      drawn("line", { x1: x(power), x2: x(power), y1: upper, y2: bottom, class: "grid-line" }),
      drawn("text", { x: x(power), y: bottom + 14, "text-anchor": "middle" }, Number((10 ** power).toPrecision(2))),
    );
  const top = Math.log10(peak),
    slope = (power) => power + Math.log10(bandwidth);
  picture.append(
    drawn("polyline", { class: "roof", points: `${x(lowX)},${y(slope(lowX))} ${x(Math.log10(ridge))},${y(top)} ${x(highX)},${y(top)}` }),
    drawn("text", { x: right - 4, y: 12, "text-anchor": "end" }, `peak of the chip for ${type}`),
    drawn("text", { x: (left + right) / 2, y: height - 4, "text-anchor": "middle" }, "floating point operations for each byte of memory"),
  );
  const longest = Math.max(...shown.map((one) => one[3]));
  for (const [op, flops, bytes, seconds, part] of shown) {
    const name = op < 0 ? "" : `${text(ops.name[op])} ${text(ops.label[op])} ${text(ops.place[op])} ${data.scopes[ops.scope[op]].join(" / ")}`;
    const dot = drawn(
      "circle",
      {
        cx: x(Math.log10(flops / bytes)),
        cy: y(Math.log10(flops / seconds)),
        r: 2.5 + 12 * Math.sqrt(seconds / longest),
        class: `dot t${part}`,
      },
      drawn("title", {}, `${name}: ${duration(seconds)}, ${((100 * flops) / seconds / peak).toFixed(1)} % of the peak, ${(flops / bytes).toPrecision(3)} for each byte`),
    );
    if (op >= 0) dot.addEventListener("click", () => goTo(op));
    picture.append(dot);
  }
  return picture;
}
function propagationView() {
  const stage = state.stage === "" ? data.stages.length - 1 : Math.min(Number(state.stage), data.stages.length - 1);
  const picture = document.getElementById("growth-picture").content.cloneNode(true);
  const step = (by) => go({ stage: Math.max(0, Math.min(data.stages.length - 1, stage + by)) }, true);
  const current = data.stages[stage];
  view.replaceChildren(
    element(
      "p",
      {},
      `${data.growth.sharded} tensors are sharded in the end, ${data.growth.given} of them by annotations; ${data.growth.changes} steps of propagation.`,
    ),
    picture,
    element(
      "div",
      { class: "bar" },
      element("button", { onclick: () => step(-1), disabled: stage <= 0 }, "← earlier"),
      element("button", { onclick: () => step(1), disabled: stage >= data.stages.length - 1 }, "later →"),
      element(
        "span",
        { id: "stage" },
        current ? `stage ${stage + 1} of ${data.stages.length}: ${text(current[0])}` : "",
      ),
    ),
    current ? element("p", {}, `${current[1]} steps; ${current[2]} tensors sharded when it ends`) : null,
    current
      ? element(
          "ul",
          {},
          current[3].map(([name, count]) => element("li", {}, `${text(name)}: ${count} steps`)),
        )
      : null,
    element("h2", {}, "What each annotation contributed"),
    table(
      ["annotation", "sharding", "tensors"],
      data.contributions.map(([name, written, count]) =>
        cells([text(name), sharding(text(written)), String(count)], 1),
      ),
      1,
    ),
  );
}
function differencesView() {
  const d = data.differences;
  const rows = d.tensors.flatMap(([name, times, first, second, members]) => {
    const many = members.length > 1,
      isOpen = many && state.group === name;
    const row = cells(
      [`${many ? (isOpen ? "▾ " : "▸ ") : ""}${name}${many ? ` ${times}` : ""}`, sharding(first), sharding(second)],
      0,
      many ? () => go({ group: isOpen ? null : name }, true) : undefined,
    );
    row.dataset.key = `differs ${name}`;
    if (many) row.setAttribute("aria-expanded", String(isOpen));
    return [
      row,
      ...(isOpen ? members.map((one) => cells([element("div", { class: "member" }, one), sharding(first), sharding(second)], 0)) : []),
    ];
  });
  view.replaceChildren(
    element("p", { class: "verdict" }, d.verdict),
    table(
      ["", d.names[0], d.names[1]],
      d.figures.map((row) => cells(row, 2)),
      2,
    ),
    element("h2", {}, "Tensors sharded otherwise"),
    rows.length ? table(["tensor", d.names[0], d.names[1]], rows, 0) : element("p", {}, "none"),
    element("h2", {}, "Collectives"),
    d.collectives.length
      ? table(
          ["each device receives", d.names[0], d.names[1]],
          d.collectives.map((row) => cells(row, 2)),
          2,
        )
      : element("p", {}, "the same"),
  );
}
