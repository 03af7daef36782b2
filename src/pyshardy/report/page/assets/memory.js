/* Memory over the time of a step: what stands there by kind, with values under the pointer; a click leads to the operation. */

/** Kinds as bands over time, each place as wide as it lasts. */
function memoryPicture(m, width = 940, height = 300) {
  // Loops in loops stand in rows of their own, the innermost first.
  const rowOf = ([begin, end]) =>
    new Set(m.turns.filter(([b, e]) => b >= begin && e <= end && e - b < end - begin).map(([b, e]) => m.turns.filter(([x, y]) => x >= b && y <= e).length)).size;
  const depth = m.turns.length ? 1 + Math.max(...m.turns.map(rowOf)) : 0;
  const left = 76,
    right = width - 8,
    bottom = height - 22 - 15 * depth;
  const totals = m.begins.map((_, place) => m.rows.reduce((sum, row) => sum + row[place], 0));
  const most = Math.max(1, m.peak, ...totals);
  const top = m.capacity && m.capacity < 2 * most ? Math.max(most, m.capacity) : most;
  const span = m.seconds || 1;
  const x = (time) => left + ((right - left) * time) / span;
  const y = (amount) => bottom - ((bottom - 12) * amount) / (1.04 * top);
  const picture = drawn("svg", {
    viewBox: `0 0 ${width} ${height}`,
    class: "spark",
    role: "img",
    tabindex: "0",
    id: "memory-picture",
    "aria-label": `Memory of a device over a step; peak ${size(m.peak)}. Left and right move through it, Enter goes to the operation.`,
  });
  for (const one of sizeTicks(1.04 * top))
    picture.append(
      drawn("line", { x1: left, x2: right, y1: y(one), y2: y(one), class: "grid-line" }),
      drawn("text", { x: left - 6, y: y(one) + 4, "text-anchor": "end" }, size(one)),
    );
  const below = m.begins.map(() => 0);
  const ends = m.begins.map((_, place) => m.begins[place + 1] ?? span);
  m.rows.forEach((row, kind) => {
    const forth = [],
      back = [];
    row.forEach((amount, place) => {
      const low = below[place],
        high = low + amount;
      forth.push(`${x(m.begins[place]).toFixed(1)},${y(high).toFixed(1)}`, `${x(ends[place]).toFixed(1)},${y(high).toFixed(1)}`);
      back.push(`${x(m.begins[place]).toFixed(1)},${y(low).toFixed(1)}`, `${x(ends[place]).toFixed(1)},${y(low).toFixed(1)}`);
      below[place] = high;
    });
    picture.append(drawn("polygon", { class: `band m${kind % 9}`, points: [...forth, ...back.reverse()].join(" ") }));
  });
  // What differs by colour says in words what it is, where there is room.
  const under = m.begins.map(() => 0);
  m.rows.forEach((row, kind) => {
    let at = 0;
    const half = 3.2 * m.kinds[kind].length;
    let best = -1,
      room = 13;
    row.forEach((_, place) => {
      const middle = x((m.begins[place] + ends[place]) / 2);
      if (middle - half < left || middle + half > right) return;
      // Between both ends of the word the band is as high everywhere, and does not move up or down.
      let low = 0,
        high = Infinity;
      for (let other = 0; other < row.length; other++)
        if (x(ends[other]) > middle - half && x(m.begins[other]) < middle + half) {
          low = Math.max(low, under[other]);
          high = Math.min(high, under[other] + row[other]);
        }
      if (y(low) - y(high) > room) [best, room, at] = [place, y(low) - y(high), (low + high) / 2];
    });
    if (best >= 0) {
      const middle = x((m.begins[best] + ends[best]) / 2);
      picture.append(drawn("text", { x: middle, y: y(at) + 4, "text-anchor": "middle", class: "on-band" }, m.kinds[kind]));
    }
    row.forEach((amount, place) => (under[place] += amount));
  });
  if (m.capacity && m.capacity <= 1.04 * top)
    picture.append(
      drawn("line", { x1: left, x2: right, y1: y(m.capacity), y2: y(m.capacity), class: "mark-line" }),
      drawn("text", { x: right - 4, y: y(m.capacity) - 4, "text-anchor": "end" }, `capacity of the chip ${size(m.capacity)}`),
    );
  for (const loop of m.turns) {
    const [begin, end, turns] = loop,
      at = bottom + 15 * rowOf(loop);
    picture.append(
      drawn("line", { x1: x(begin) + 1, x2: x(end) - 1, y1: at + 4, y2: at + 4, class: "turn-line" }),
      x(end) - x(begin) > 80
        ? drawn("text", { x: (x(begin) + x(end)) / 2, y: at + 15, "text-anchor": "middle" }, `1 of ${turns} iterations`)
        : "",
    );
  }
  const peakAt = m.peak_place < 0 ? 0 : x((m.begins[m.peak_place] + ends[m.peak_place]) / 2);
  picture.append(
    drawn("line", { x1: peakAt, x2: peakAt, y1: 4, y2: bottom, class: "mark-line" }),
    drawn("text", { x: peakAt + (peakAt > width / 2 ? -4 : 4), y: 12, "text-anchor": peakAt > width / 2 ? "end" : "start" }, `peak ${size(m.peak)}`),
  );
  if (m.timed)
    for (const time of ticks(span, 6))
      picture.append(drawn("text", { x: x(time), y: height - 0.5, "text-anchor": time ? "middle" : "start" }, duration(time) || "0 s"));
  const hair = drawn("line", { y1: 4, y2: bottom, class: "hair", visibility: "hidden" });
  picture.append(hair);
  return { picture, hair, x, ends, totals, left, right, width, span };
}
function memoryView() {
  const m = data.memory;
  const made = memoryPicture(m);
  const reading = element("p", { class: "reading", role: "status" });
  let place = Number(state.place || m.peak_place);
  const opName = (op) =>
    op < 0 ? "an operation that the partitioner made" : `${text(ops.name[op])} ${text(ops.place[op])} ${data.scopes[ops.scope[op]].join(" / ")}`;
  const read = (next) => {
    if (!(next >= 0 && next < m.begins.length)) return;
    place = next;
    const at = made.x((m.begins[place] + made.ends[place]) / 2);
    for (const name of ["x1", "x2"]) made.hair.setAttribute(name, at);
    made.hair.setAttribute("visibility", "visible");
    const kinds = m.rows
      .map((row, kind) => [m.kinds[kind], row[place]])
      .filter(([, amount]) => amount)
      .sort((a, b) => b[1] - a[1]);
    const [begin, end] = [m.begins[place], made.ends[place]].map((time) => duration(time) || "0 s");
    const when = m.timed ? (begin !== end ? `${begin} to ${end}: ` : `at ${begin}: `) : "";
    reading.replaceChildren(
      element("b", {}, `${when}${size(made.totals[place])}`),
      ` while ${opName(m.operations[place])} is at work: ${kinds.map(([kind, amount]) => `${kind} ${size(amount)}`).join(", ")}`,
    );
  };
  const follow = () => {
    if (m.operations[place] >= 0) go({ view: "program", q: null, op: m.operations[place], tensor: null });
  };
  const placeAt = (event) => {
    const box = made.picture.getBoundingClientRect();
    const time = (((event.clientX - box.left) * made.width) / box.width - made.left) / (made.right - made.left);
    let found = 0;
    while (found + 1 < m.begins.length && m.begins[found + 1] <= time * made.span) found++;
    return found;
  };
  made.picture.addEventListener("pointermove", (event) => read(placeAt(event)));
  made.picture.addEventListener("click", (event) => {
    read(placeAt(event));
    follow();
  });
  made.picture.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by) {
      event.preventDefault();
      read(Math.max(0, Math.min(m.begins.length - 1, place + by)));
    } else if (event.key === "Enter") follow();
  });
  read(place);
  view.replaceChildren(
    element("h2", {}, `peak ${size(m.peak)}${m.at ? ` at ${m.at}` : ""}`),
    element(
      "p",
      { class: "soft" },
      m.timed
        ? "over the time of a step; of each loop one iteration is drawn, of the region that needs most memory, over the time of all"
        : "over the operations of a step; of each loop one iteration is drawn, of the region that needs most memory",
    ),
    element("div", { class: "plot" }, made.picture),
    reading,
    element(
      "div",
      { class: "legend" },
      m.kinds.map((kind, index) =>
        element("span", { class: `m${index % 9}` }, `${kind} ${size(m.rows[index][m.peak_place] ?? 0)}`),
      ),
      element("span", { class: "soft plain" }, "at the peak"),
    ),
    element("h2", {}, "Alive at the peak"),
    table(
      ["tensor", "made by", "on a device", "kind", "bytes", ""],
      m.live.map((one) =>
        cells(
          [text(one[0]), text(one[1]), text(one[2]), m.kinds[one[3]], size(one[4]), one[6] > 1 ? `×${one[6]}` : ""],
          2,
          one[5] >= 0 ? () => go({ view: "program", q: null, op: one[5], tensor: null }) : undefined,
        ),
      ),
      2,
    ),
  );
}
