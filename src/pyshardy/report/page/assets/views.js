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
