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
    order = state.order || "bytes",
    c = data.collectives;
  const groups = new Map();
  c.kind.forEach((kind, index) => {
    const key =
      by === "cause"
        ? text(c.pair[index]) || text(c.reason[index])
        : by === "axis"
          ? text(c.axes[index]) || "the program's own"
          : text(kind);
    if (!groups.has(key)) groups.set(key, { key, members: [], bytes: 0, seconds: 0 });
    const group = groups.get(key),
      turns = c.turns[index] ?? 1;
    group.members.push(index);
    group.bytes += c.bytes[index] * turns;
    group.seconds += c.seconds[index] * turns;
  });
  const sorted = [...groups.values()].sort((a, b) => b[order] - a[order]);
  const pick = (key, value, label) =>
    element(
      "button",
      {
        "aria-pressed": String((key === "by" ? by : order) === value),
        onclick: () => go({ [key]: value }, true),
      },
      label,
    );
  const most = Math.max(1e-30, ...sorted.map((one) => one[order]));
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
      ? table(
          ["", "collectives", "each device receives", "time"],
          sorted.slice(0, 200).map((one) => {
            const bar = element("div", { class: "b0" });
            bar.style.width = `${Math.max(1, (100 * one[order]) / most)}%`;
            bar.style.height = "4px";
            const first = c.operation[one.members[0]];
            return cells(
              [element("div", {}, one.key, bar), String(one.members.length), size(one.bytes), duration(one.seconds)],
              3,
              () => go(first < 0 ? { tensor: null } : { view: "program", q: null, op: first, tensor: null }),
            );
          }),
          3,
        )
      : element("p", {}, "Nothing moves between devices."),
  );
}
function timeView() {
  const picture = document.getElementById("time-picture").content.cloneNode(true);
  const t = data.time;
  view.replaceChildren(
    element("h2", {}, `a step is expected to take ${duration(t.seconds.expected)}`),
    picture,
    element(
      "div",
      { class: "legend" },
      t.kinds.map((kind, index) => element("span", { class: `t${index}` }, kind)),
    ),
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
function memoryView() {
  const picture = document.getElementById("memory-picture").content.cloneNode(true);
  view.replaceChildren(
    element("h2", {}, `peak ${size(data.memory.peak)}${data.memory.at ? ` at ${data.memory.at}` : ""}`),
    picture,
    element(
      "div",
      { class: "legend" },
      data.memory.kinds.map((kind, index) => element("span", { class: `k${index}` }, kind)),
    ),
    element("h2", {}, "Alive at the peak"),
    table(
      ["tensor", "made by", "on a device", "kind", "bytes"],
      data.memory.live.map((one) =>
        cells([text(one[0]), text(one[1]), text(one[2]), data.memory.kinds[one[3]], size(one[4])], 1),
      ),
      1,
    ),
  );
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
  view.replaceChildren(
    table(
      ["", d.names[0], d.names[1]],
      d.figures.map((row) => cells(row, 2)),
      2,
    ),
    element("h2", {}, "Tensors sharded otherwise"),
    d.tensors.length
      ? table(
          ["tensor", d.names[0], d.names[1]],
          d.tensors.map(([name, first, second]) =>
            cells([name, sharding(first), sharding(second)], 0),
          ),
          0,
        )
      : element("p", {}, "none"),
    element("h2", {}, "Collectives"),
    d.collectives.length
      ? table(
          ["", d.names[0], d.names[1]],
          d.collectives.map((row) => cells(row, 2)),
          2,
        )
      : element("p", {}, "the same"),
  );
}
