/* The program as an outline by scope, equal layers and equal operations folded; search; a list that scrolls ten thousand
   rows as it does ten. */

const ops = data.operations,
  tensors = data.tensors;
const operationOfTensor = tensors.operation;

/** A step of a scope with a star for its numbers, but for the trip count of a loop. */
const foldedStep = (part) => part.replace(/(×\d+)|\d+/g, (_, turns) => turns ?? "*");
const sum = (indices, column) => indices.reduce((total, one) => total + column[one], 0);
/** What rows are ordered by: seconds or bytes, the largest first; else the order of the program. */
const sortColumn = () => ({ time: "seconds", bytes: "bytes" })[state.sort];
/** Scopes as a tree; what differs in a number alone is one child with a count. */
function outline(wanted) {
  const root = { name: "", children: new Map(), ops: [], seconds: 0, bytes: 0, count: 0 };
  for (let index = 0; index < ops.name.length; index++) {
    if (wanted && !wanted(index)) continue;
    let node = root;
    add(node, index);
    for (const part of data.scopes[ops.scope[index]]) {
      const folded = foldedStep(part);
      if (!node.children.has(folded))
        node.children.set(folded, {
          name: part,
          folded,
          names: new Set(),
          children: new Map(),
          ops: [],
          seconds: 0,
          bytes: 0,
          count: 0,
        });
      node = node.children.get(folded);
      node.names.add(part);
      add(node, index);
    }
    node.ops.push(index);
  }
  return root;
}
function add(node, index) {
  node.seconds += ops.seconds[index];
  node.bytes += ops.bytes[index];
  node.count++;
}
/** Operations alike: name, place, type and sharding. */
function alike(indices) {
  const groups = new Map();
  for (const index of indices) {
    const first = ops.results[index][0];
    const key = [
      ops.name[index],
      ops.place[index],
      first === undefined ? "" : `${tensors.type[first]}/${tensors.sharding[first]}`,
    ].join("|");
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(index);
  }
  const by = sortColumn() ?? "seconds";
  const found = [...groups.values()];
  for (const group of found) group.sort((a, b) => ops[by][b] - ops[by][a] || a - b);
  return found;
}

const opened = new Set((state.open || "").split("~").filter(Boolean));
function rows(root, searching) {
  const found = [];
  const by = sortColumn();
  const walk = (node, depth, path) => {
    const children = [...node.children.values()];
    if (by) children.sort((a, b) => b[by] - a[by]);
    for (const child of children) {
      const own = `${path}/${child.folded}`;
      const isOpen = searching || opened.has(own);
      found.push({ kind: "scope", node: child, depth, path: own, isOpen });
      if (isOpen) walk(child, depth + 1, own);
    }
    const groups = alike(node.ops);
    if (by) groups.sort((a, b) => sum(b, ops[by]) - sum(a, ops[by]));
    for (const group of groups) {
      const own = `${path}|${Math.min(...group)}`;
      const isOpen = group.length > 1 && opened.has(own);
      found.push({ kind: "op", index: group[0], group, depth, path: own, isOpen });
      if (isOpen)
        for (const index of group) found.push({ kind: "op", index, group: [index], depth: depth + 1, path: "" });
    }
  };
  walk(root, 0, "");
  return found;
}
/** Only the rows in sight are in the document, so that ten thousand scroll as ten do. */
function list(items, draw) {
  const height = 26,
    space = element("div", { class: "space" });
  const box = element("div", { class: "list", tabindex: "0", role: "tree", "aria-label": "Operations" }, space);
  space.style.height = `${items.length * height}px`;
  let from = -1,
    to = -1;
  const refresh = () => {
    const first = Math.max(0, Math.floor(box.scrollTop / height) - 10);
    const last = Math.min(items.length, Math.ceil((box.scrollTop + (box.clientHeight || 600)) / height) + 10);
    if (first === from && last === to) return;
    [from, to] = [first, last];
    space.replaceChildren(
      ...items.slice(first, last).map((item, offset) => {
        const made = draw(item, first + offset);
        made.style.top = `${(first + offset) * height}px`;
        return made;
      }),
    );
  };
  box.addEventListener("scroll", refresh);
  requestAnimationFrame(refresh);
  refresh();
  return {
    box,
    refresh: () => {
      from = -1;
      refresh();
    },
    reveal: (place) => {
      if (place * height < box.scrollTop || (place + 1) * height > box.scrollTop + box.clientHeight)
        box.scrollTop = Math.max(0, place * height - box.clientHeight / 2);
      from = -1;
      refresh();
    },
  };
}

function matcher(query) {
  const words = query.trim().toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return null;
  const conditions = words.map((word) => {
    const [key, ...rest] = word.split(":");
    const value = rest.join(":");
    if (key === "axis" && value)
      return (index) =>
        ops.results[index].some((one) => text(tensors.sharding[one]).toLowerCase().includes(`"${value}"`)) ||
        (ops.collectives[index] ?? []).some((one) =>
          text(data.collectives.axes[one]).toLowerCase().includes(`"${value}"`),
        );
    if (key === "kind" && value)
      return (index) => (ops.collectives[index] ?? []).some((one) => text(data.collectives.kind[one]).includes(value));
    if (word.startsWith("replicated>")) {
      const limit = bytes(word.slice(11));
      return (index) => ops.results[index].some((one) => tensors.replicated[one] && tensors.bytes[one] > limit);
    }
    return (index) =>
      `${text(ops.name[index])} ${text(ops.label[index])} ${data.scopes[ops.scope[index]].join("/")} ${text(ops.place[index])} ${ops.results[index].map((one) => text(tensors.name[one])).join(" ")}`
        .toLowerCase()
        .includes(word);
  });
  return (index) => conditions.every((one) => one(index));
}
function bytes(written) {
  const found = /^([\d.]+)\s*(ki?b?|mi?b?|gi?b?|b)?$/i.exec(written);
  if (!found) return 0;
  return (
    Number(found[1]) * { k: 1024, m: 1024 ** 2, g: 1024 ** 3 }[(found[2] || "b")[0].toLowerCase()] || Number(found[1])
  );
}

/** Opens the scopes around an operation, and the row that it shares with others, once for each choice. */
let revealed = -1;
function reveal(tree, index) {
  if (index === revealed) return;
  revealed = index;
  let node = tree,
    path = "";
  for (const part of data.scopes[ops.scope[index]]) {
    const folded = foldedStep(part);
    path += `/${folded}`;
    opened.add(path);
    node = node.children.get(folded);
    if (!node) return;
  }
  const group = alike(node.ops).find((one) => one.includes(index));
  if (group && group.length > 1) opened.add(`${path}|${Math.min(...group)}`);
}

/** The row that the keys have come to, which drawing anew must not lose; nor the focus. */
let reached = "";
const nameOf = (item) => `${item.kind} ${item.path} ${item.index}`;

function programView() {
  const query = state.q;
  const focused = document.activeElement;
  const wasInList = focused !== null && focused.matches("#view .list");
  const wasInSearch = focused !== null && focused.id === "search";
  const caret = wasInSearch ? focused.selectionStart : null;
  const search = element("input", {
    type: "search",
    value: query,
    placeholder: "name, scope, line; axis:data  kind:all_gather  replicated>1MiB",
    "aria-label": "Search operations",
    id: "search",
  });
  search.value = query;
  let pending;
  search.addEventListener("input", () => {
    clearTimeout(pending);
    pending = setTimeout(() => {
      if (search.isConnected) go({ q: search.value }, true);
    }, 120);
  });
  const wanted = matcher(query);
  const tree = outline(wanted);
  const chosen = state.op === "" ? -1 : Number(state.op);
  if (chosen >= 0 && chosen < ops.name.length) reveal(tree, chosen);
  const items = rows(tree, Boolean(wanted));
  const open = (item) => {
    reached = nameOf(item);
    if (item.kind === "scope" || item.group.length > 1) {
      opened.has(item.path) ? opened.delete(item.path) : opened.add(item.path);
      go({ open: [...opened].join("~"), op: item.kind === "op" ? item.index : state.op }, true);
    } else go({ op: item.index, tensor: null });
  };
  let cursor = items.findIndex((item) => nameOf(item) === reached);
  if (cursor < 0)
    cursor = Math.max(
      0,
      items.findIndex((item) => item.kind === "op" && item.index === chosen),
    );
  const byBytes = state.sort === "bytes" || !data.time,
    most = { seconds: tree.seconds, bytes: tree.bytes };
  const drawn = list(items, (item, place) => {
    const isScope = item.kind === "scope";
    const folds = isScope || item.group.length > 1;
    const marker = folds ? (item.isOpen ? "▾ " : "▸ ") : "  ";
    const count = isScope
      ? item.node.names.size > 1
        ? ` ×${item.node.names.size}`
        : ""
      : item.group.length > 1
        ? ` ×${item.group.length}`
        : "";
    const name = isScope ? (item.node.names.size > 1 ? item.node.folded : item.node.name) : `${text(ops.name[item.index])} ${text(ops.label[item.index])}`.trim();
    const first = isScope ? undefined : ops.results[item.index][0];
    const seconds = isScope ? item.node.seconds : sum(item.group, ops.seconds);
    const moved = isScope ? item.node.bytes : sum(item.group, ops.bytes);
    const made = element(
      "div",
      {
        class: `row ${item.kind}${!isScope && item.index === chosen ? " chosen" : ""}`,
        role: "treeitem",
        "aria-expanded": folds ? String(Boolean(item.isOpen)) : null,
        "aria-level": item.depth + 1,
        "aria-selected": String(place === cursor),
        id: `row-${place}`,
        "data-place": place,
        onclick: () => open(item),
      },
      element("span", { title: name }, `${marker}${name}${count}`),
      element("span", {}, first === undefined ? "" : sharding(text(tensors.sharding[first]))),
      element(
        "span",
        { class: "mono" },
        first === undefined ? (isScope ? `${item.node.count} operations` : "") : text(tensors.local[first]),
      ),
      element("span", { class: "num" }, moved ? size(moved) : ""),
      element("span", { class: "num" }, duration(seconds)),
    );
    const part = byBytes ? moved / (most.bytes || 1) : seconds / (most.seconds || 1);
    if (part > 0.001) {
      const bar = element("span", { class: "bar-behind", "aria-hidden": "true" });
      bar.style.width = `${Math.round(160 * part)}px`;
      made.append(bar);
    }
    made.firstChild.style.paddingLeft = `${14 * item.depth}px`;
    return made;
  });
  drawn.box.addEventListener("keydown", (event) => {
    const item = items[cursor];
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15 };
    if (event.key in moves) cursor = Math.min(items.length - 1, Math.max(0, cursor + moves[event.key]));
    else if (event.key === "Home") cursor = 0;
    else if (event.key === "End") cursor = items.length - 1;
    else if (item && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      open(item);
      return;
    } else if (
      item &&
      ((event.key === "ArrowRight" && !item.isOpen) || (event.key === "ArrowLeft" && item.isOpen)) &&
      (item.kind === "scope" || item.group.length > 1)
    ) {
      event.preventDefault();
      open(item);
      return;
    } else return;
    event.preventDefault();
    reached = items[cursor] ? nameOf(items[cursor]) : "";
    drawn.reveal(cursor);
    for (const row of drawn.box.querySelectorAll(".row"))
      row.classList.toggle("chosen", Number(row.dataset.place) === cursor);
    point();
  });
  const point = () => {
    if (items.length) drawn.box.setAttribute("aria-activedescendant", `row-${cursor}`);
    for (const row of drawn.box.querySelectorAll(".row"))
      row.setAttribute("aria-selected", String(Number(row.dataset.place) === cursor));
  };
  point();
  const all = [...new Set(items.filter((item) => item.kind === "scope").map((item) => item.path))];
  const buttons = [
    element(
      "button",
      {
        onclick: () => {
          all.forEach((path) => opened.add(path));
          go({ open: [...opened].join("~") }, true);
        },
      },
      "open scopes",
    ),
    element(
      "button",
      {
        onclick: () => {
          opened.clear();
          go({ open: null }, true);
        },
      },
      "fold all",
    ),
    element(
      "select",
      { "aria-label": "Order", "data-key": "order", onchange: (event) => go({ sort: event.target.value }, true) },
      [
        ["", "in the order of the program"],
        ...(data.time ? [["time", "by time"]] : []),
        ["bytes", "by what moves"],
      ].map(([value, label]) => element("option", { value, selected: state.sort === value }, label)),
    ),
    ...["kind:all_gather", "kind:all_reduce", "replicated>1MiB"].map((one) =>
      element(
        "button",
        { "aria-pressed": String(query === one), onclick: () => go({ q: query === one ? null : one }, true) },
        one,
      ),
    ),
  ];
  view.replaceChildren(
    element("div", { class: "bar" }, search, buttons),
    element(
      "p",
      { class: "soft", role: "status" },
      wanted && !tree.count
        ? `nothing matches “${query}”: words are looked for in names, scopes and source lines; axis:NAME, kind:NAME and replicated>SIZE are conditions`
        : wanted
        ? `${tree.count} of ${ops.name.length} operations`
        : `${ops.name.length} operations; those alike are one row, a click or → opens it`,
    ),
    element(
      "div",
      { class: "head" },
      ["operation", "sharding", "on a device"].map((one) => element("span", {}, one)),
      ["moves", "time"].map((one) => element("span", { class: "num" }, one)),
    ),
    drawn.box,
  );
  if (chosen >= 0 || wasInList) drawn.reveal(cursor);
  if (wasInList) drawn.box.focus({ preventScroll: true });
  if (wasInSearch) {
    search.focus({ preventScroll: true });
    search.setSelectionRange(caret, caret);
  }
}
