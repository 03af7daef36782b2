/* What is known of one operation or tensor: why, why not, what moves there. */

function trail(index) {
  const steps = [];
  while (index >= 0) {
    steps.push(index);
    index = data.steps.earlier[index];
  }
  return { steps: steps.reverse(), origin: -index - 1 };
}
function tensorLink(name) {
  const index = tensors.name.findIndex((one) => text(one) === name);
  return index < 0
    ? element("b", {}, name)
    : element(
        "a",
        {
          href: "#",
          onclick: (event) => {
            event.preventDefault();
            go({ tensor: index, op: operationOfTensor[index] < 0 ? null : operationOfTensor[index] });
          },
        },
        name,
      );
}
function origin(number) {
  const written = data.origins[number];
  return written
    ? element("p", {}, `written on ${text(written[0])}: `, sharding(text(written[1])))
    : element("p", { class: "soft" }, "made by the passes");
}
function chain(dim, axis, index) {
  const { steps, origin: from } = trail(index);
  const shown = element("div", {}, element("p", {}, axisChip(text(axis)), ` in dimension ${dim}`), origin(from));
  if (steps.length)
    shown.append(
      element(
        "ol",
        {},
        steps.map((one) => {
          const place = data.steps.operation[one];
          const where =
            place < 0
              ? text(data.steps.name[one])
              : element(
                  "a",
                  {
                    href: "#",
                    onclick: (event) => {
                      event.preventDefault();
                      go({ op: place, tensor: null });
                    },
                  },
                  `${text(ops.name[place])}${text(ops.place[place]) ? ` (${text(ops.place[place])})` : ""}`,
                );
          return element(
            "li",
            {},
            `${text(data.steps.direction[one])} through `,
            where,
            ` from ${text(data.steps.source[one])} to ${text(data.steps.target[one])}`,
          );
        }),
      ),
    );
  return shown;
}
function tensorDetail(index) {
  const parts = [
    element("h2", {}, text(tensors.name[index])),
    text(tensors.value[index]) !== text(tensors.name[index])
      ? element("p", { class: "mono soft" }, text(tensors.value[index]))
      : null,
    element("p", {}, sharding(text(tensors.sharding[index]))),
    element(
      "p",
      { class: "mono" },
      `${text(tensors.type[index])} → ${text(tensors.local[index])} on a device, ${size(tensors.bytes[index])}`,
    ),
    tiles(index),
  ];
  const chains = data.chains[index] ?? [];
  if (chains.length) parts.push(element("h3", {}, "Why"), ...chains.map(([dim, axis, step]) => chain(dim, axis, step)));
  const not = data.not[index] ?? [];
  if (not.length)
    parts.push(
      element("h3", {}, "Why not"),
      element(
        "ul",
        {},
        not.map(([dim, axis, reason]) =>
          element("li", {}, `dimension ${dim} not `, axisChip(text(axis)), `: ${text(reason)}`),
        ),
      ),
    );
  const moves = data.moves[index] ?? [];
  if (moves.length) parts.push(element("h3", {}, "Goes through"), element("ul", {}, moves.map(collectiveItem)));
  parts.push(
    element("h3", {}, "What would change it"),
    element("p", { class: "soft" }, "edits that are tried when you ask:"),
    element("p", { class: "mono" }, `pyshardy explain ${data.given} "${text(tensors.name[index])}"`),
  );
  return parts;
}
function collectiveItem(index) {
  const c = data.collectives;
  return element(
    "li",
    {},
    element("b", {}, `${text(c.kind[index])} `),
    text(c.axes[index]).split(", ").filter(Boolean).map(axisChip),
    ` ${size(c.bytes[index])}${c.turns[index] !== 1 ? ` × ${c.turns[index] ?? "?"}` : ""}${c.seconds[index] ? `, ${duration(c.seconds[index])}` : ""}: ${text(c.reason[index])}`,
    edit(c.edit[index]),
  );
}
function copyButton(written) {
  return element("button", { type: "button", class: "copy", onclick: (event) => copy(event.target, written) }, "copy");
}
/** Puts a text where it can be pasted from; where the browser does not let us, it is chosen. */
async function copy(button, written) {
  try {
    await navigator.clipboard.writeText(written);
    button.textContent = "copied";
  } catch (refused) {
    const lines = button.parentNode.querySelector(".lines");
    if (lines) getSelection().selectAllChildren(lines);
  }
}
/** An edit that was tried for the cause of a collective, and what it changes. */
function edit(number) {
  if (number < 0) return null;
  const [what, effect, lines] = data.edits[number];
  return element(
    "div",
    { class: "edit" },
    element("p", {}, `tried: ${what}`),
    element("p", {}, effect),
    lines ? element("p", {}, element("code", { class: "lines" }, lines), " ", copyButton(lines)) : null,
  );
}
function showDetail() {
  const op = state.op === "" ? -1 : Number(state.op),
    tensor = state.tensor === "" ? -1 : Number(state.tensor);
  if (tensor >= 0 && tensor < tensors.name.length) {
    detail.replaceChildren(...tensorDetail(tensor).filter(Boolean));
    return;
  }
  if (op < 0 || op >= ops.name.length) {
    detail.replaceChildren(
      element(
        "p",
        { class: "soft" },
        "Choose an operation or a tensor: why it is sharded as it is, why not otherwise, and what moves there is shown here.",
      ),
    );
    return;
  }
  const parts = [
    element("h2", {}, `${text(ops.name[op])} ${text(ops.label[op])}`.trim()),
    element(
      "p",
      { class: "soft" },
      [text(ops.place[op]), data.scopes[ops.scope[op]].join(" / ")].filter(Boolean).join("  "),
    ),
  ];
  const needed = ops.collectives[op] ?? [];
  if (needed.length)
    parts.push(
      element("h3", {}, `Needs ${needed.length} collective${needed.length > 1 ? "s" : ""}`),
      element("ul", {}, needed.map(collectiveItem)),
    );
  if (ops.seconds[op]) parts.push(element("p", {}, `${duration(ops.seconds[op])} in a step`));
  for (const one of ops.results[op]) parts.push(element("hr"), ...tensorDetail(one).filter(Boolean));
  detail.replaceChildren(...parts);
}
