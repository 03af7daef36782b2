"use strict";
/* The page's data is in #data, made by report/page/page_data.py; everything below draws it. Whatever comes from the
   program is put in as text, never as markup. The state is in the fragment: #view=program&op=12&q=dot. */
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const text = (index) => (index < 0 ? "" : data.texts[index]);
  const view = document.getElementById("view");
  const detail = document.getElementById("detail");

  // --- elements ---------------------------------------------------------------------------------------------------

  function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key === "class") made.className = value;
      else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
      else if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
    }
    for (const child of children.flat()) if (child !== null && child !== undefined) made.append(child);
    return made;
  }

  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  function size(bytes) {
    let value = Math.round(bytes), unit = 0;
    while (value >= 1024 && unit < units.length - 1) { value /= 1024; unit++; }
    return unit ? `${value.toFixed(1)} ${units[unit]}` : `${value} B`;
  }
  function duration(seconds) {
    if (!seconds) return "";
    if (seconds < 1e-3) return `${(seconds * 1e6).toFixed(1)} µs`;
    return seconds < 1 ? `${(seconds * 1e3).toFixed(2)} ms` : `${seconds.toFixed(2)} s`;
  }
  const axisNumber = new Map();
  for (const mesh of data.meshes) mesh.axes.forEach(([name], place) => { if (!axisNumber.has(name)) axisNumber.set(name, place % 8); });
  function axisChip(name) {
    const bare = name.replace(/^"|".*$/g, "");
    return element("span", { class: `axis b${axisNumber.get(bare) ?? 7}` }, name.replaceAll('"', ""));
  }
  /** A sharding's text with its axes as chips of their colours. */
  function sharding(written) {
    if (!written) return element("span", { class: "soft" }, "no sharding");
    const shown = element("span", { class: "mono" });
    written.split(/("(?:[^"\\]|\\.)*"(?::\(\d+\)\d+)?)/).forEach((piece, index) => shown.append(index % 2 ? axisChip(piece) : piece));
    return shown;
  }

  // --- state --------------------------------------------------------------------------------------------------------

  const state = new Proxy({}, {
    get: (_, key) => new URLSearchParams(location.hash.slice(1)).get(key) ?? "",
  });
  function go(changes, replace = false) {
    const now = new URLSearchParams(location.hash.slice(1));
    for (const [key, value] of Object.entries(changes)) value === null || value === "" ? now.delete(key) : now.set(key, value);
    const hash = `#${now}`;
    if (hash === location.hash) return;
    if (replace) { history.replaceState(null, "", hash); show(); } else location.hash = hash;
  }
  const views = { program: "Program", communication: "Communication", memory: "Memory", propagation: "Propagation", mesh: "Mesh and tensors" };
  if (data.differences) views.differences = "What differs";

  // --- the outline of the program -----------------------------------------------------------------------------------

  const ops = data.operations, tensors = data.tensors;
  const operationOfTensor = tensors.operation;

  /** Scopes as a tree; what differs in a number alone is one child with a count. */
  function outline(wanted) {
    const root = { name: "", children: new Map(), ops: [], seconds: 0, bytes: 0, count: 0 };
    for (let index = 0; index < ops.name.length; index++) {
      if (wanted && !wanted(index)) continue;
      let node = root;
      add(node, index);
      for (const part of data.scopes[ops.scope[index]]) {
        const folded = part.replace(/\d+/g, "*");
        if (!node.children.has(folded)) node.children.set(folded, { name: part, folded, names: new Set(), children: new Map(), ops: [], seconds: 0, bytes: 0, count: 0 });
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
      const key = [ops.name[index], ops.place[index], first === undefined ? "" : `${tensors.type[first]}/${tensors.sharding[first]}`].join("|");
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(index);
    }
    return [...groups.values()];
  }

  const opened = new Set((state.open || "").split("~").filter(Boolean));
  function rows(root, searching) {
    const found = [];
    const walk = (node, depth, path) => {
      for (const child of node.children.values()) {
        const own = `${path}/${child.folded}`;
        const isOpen = searching || opened.has(own);
        found.push({ kind: "scope", node: child, depth, path: own, isOpen });
        if (isOpen) walk(child, depth + 1, own);
      }
      for (const group of alike(node.ops)) {
        const own = `${path}|${group[0]}`;
        const isOpen = group.length > 1 && opened.has(own);
        found.push({ kind: "op", index: group[0], group, depth, path: own, isOpen });
        if (isOpen) for (const index of group) found.push({ kind: "op", index, group: [index], depth: depth + 1, path: "" });
      }
    };
    walk(root, 0, "");
    return found;
  }

  /** Only the rows in sight are in the document, so that ten thousand scroll as ten do. */
  function list(items, draw) {
    const height = 26, space = element("div", { class: "space" });
    const box = element("div", { class: "list", tabindex: "0", role: "tree", "aria-label": "Operations" }, space);
    space.style.height = `${items.length * height}px`;
    let from = -1, to = -1;
    const refresh = () => {
      const first = Math.max(0, Math.floor(box.scrollTop / height) - 10);
      const last = Math.min(items.length, Math.ceil((box.scrollTop + (box.clientHeight || 600)) / height) + 10);
      if (first === from && last === to) return;
      [from, to] = [first, last];
      space.replaceChildren(...items.slice(first, last).map((item, offset) => {
        const made = draw(item, first + offset);
        made.style.top = `${(first + offset) * height}px`;
        return made;
      }));
    };
    box.addEventListener("scroll", refresh);
    requestAnimationFrame(refresh);
    refresh();
    return { box, refresh: () => { from = -1; refresh(); }, reveal: (place) => {
      if (place * height < box.scrollTop || (place + 1) * height > box.scrollTop + box.clientHeight) box.scrollTop = Math.max(0, place * height - box.clientHeight / 2);
      from = -1; refresh();
    } };
  }

  function matcher(query) {
    const words = query.trim().toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.length) return null;
    const conditions = words.map((word) => {
      const [key, ...rest] = word.split(":");
      const value = rest.join(":");
      if (key === "axis" && value) return (index) => ops.results[index].some((one) => text(tensors.sharding[one]).toLowerCase().includes(`"${value}"`)) || (ops.collectives[index] ?? []).some((one) => text(data.collectives.axes[one]).toLowerCase().includes(`"${value}"`));
      if (key === "kind" && value) return (index) => (ops.collectives[index] ?? []).some((one) => text(data.collectives.kind[one]).includes(value));
      if (word.startsWith("replicated>")) {
        const limit = bytes(word.slice(11));
        return (index) => ops.results[index].some((one) => tensors.replicated[one] && tensors.bytes[one] > limit);
      }
      return (index) => `${text(ops.name[index])} ${data.scopes[ops.scope[index]].join("/")} ${text(ops.place[index])} ${ops.results[index].map((one) => text(tensors.name[one])).join(" ")}`.toLowerCase().includes(word);
    });
    return (index) => conditions.every((one) => one(index));
  }
  function bytes(written) {
    const found = /^([\d.]+)\s*(ki?b?|mi?b?|gi?b?|b)?$/i.exec(written);
    if (!found) return 0;
    return Number(found[1]) * { k: 1024, m: 1024 ** 2, g: 1024 ** 3 }[(found[2] || "b")[0].toLowerCase()] || Number(found[1]);
  }

  function programView() {
    const query = state.q;
    const search = element("input", { type: "search", value: query, placeholder: "name, scope, line; axis:data  kind:all_gather  replicated>1MiB", "aria-label": "Search operations", id: "search" });
    search.value = query;
    let pending;
    search.addEventListener("input", () => { clearTimeout(pending); pending = setTimeout(() => { go({ q: search.value }, true); document.getElementById("search").focus(); }, 120); });
    const wanted = matcher(query);
    const tree = outline(wanted);
    const items = rows(tree, Boolean(wanted));
    const chosen = state.op === "" ? -1 : Number(state.op);
    const open = (item) => {
      if (item.kind === "scope" || item.group.length > 1) {
        opened.has(item.path) ? opened.delete(item.path) : opened.add(item.path);
        go({ open: [...opened].join("~"), op: item.kind === "op" ? item.index : state.op }, true);
      } else go({ op: item.index, tensor: null });
    };
    const drawn = list(items, (item, place) => {
      const indent = "  ".repeat(item.depth);
      const isScope = item.kind === "scope";
      const folds = isScope || item.group.length > 1;
      const marker = folds ? (item.isOpen ? "▾ " : "▸ ") : "  ";
      const count = isScope ? (item.node.names.size > 1 ? ` ×${item.node.names.size}` : "") : item.group.length > 1 ? ` ×${item.group.length}` : "";
      const name = isScope ? (item.node.names.size > 1 ? item.node.folded : item.node.name) : text(ops.name[item.index]);
      const first = isScope ? undefined : ops.results[item.index][0];
      const seconds = isScope ? item.node.seconds : item.group.reduce((sum, one) => sum + ops.seconds[one], 0);
      const moved = isScope ? item.node.bytes : item.group.reduce((sum, one) => sum + ops.bytes[one], 0);
      const made = element("div", { class: `row ${item.kind}${!isScope && item.index === chosen ? " chosen" : ""}`, role: "treeitem", "aria-expanded": folds ? String(Boolean(item.isOpen)) : null, "data-place": place, onclick: () => open(item) },
        element("span", { title: name }, `${indent}${marker}${name}${count}`),
        element("span", {}, first === undefined ? "" : sharding(text(tensors.sharding[first]))),
        element("span", { class: "mono" }, first === undefined ? (isScope ? `${item.node.count} operations` : "") : text(tensors.local[first])),
        element("span", { class: "num" }, moved ? size(moved) : ""),
        element("span", { class: "num" }, duration(seconds)));
      return made;
    });
    let cursor = Math.max(0, items.findIndex((item) => item.kind === "op" && item.index === chosen));
    drawn.box.addEventListener("keydown", (event) => {
      const item = items[cursor];
      const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15 };
      if (event.key in moves) cursor = Math.min(items.length - 1, Math.max(0, cursor + moves[event.key]));
      else if (event.key === "Home") cursor = 0;
      else if (event.key === "End") cursor = items.length - 1;
      else if (item && (event.key === "Enter" || event.key === " ")) { event.preventDefault(); open(item); return; }
      else if (item && ((event.key === "ArrowRight" && !item.isOpen) || (event.key === "ArrowLeft" && item.isOpen)) && (item.kind === "scope" || item.group.length > 1)) { event.preventDefault(); open(item); return; }
      else return;
      event.preventDefault();
      drawn.reveal(cursor);
      for (const row of drawn.box.querySelectorAll(".row")) row.classList.toggle("chosen", Number(row.dataset.place) === cursor);
    });
    const all = [...new Set(items.filter((item) => item.kind === "scope").map((item) => item.path))];
    const buttons = [
      element("button", { onclick: () => { all.forEach((path) => opened.add(path)); go({ open: [...opened].join("~") }, true); } }, "open scopes"),
      element("button", { onclick: () => { opened.clear(); go({ open: null }, true); } }, "fold all"),
      ...["kind:all_gather", "kind:all_reduce", "replicated>1MiB"].map((one) => element("button", { "aria-pressed": String(query === one), onclick: () => go({ q: query === one ? null : one }, true) }, one)),
    ];
    view.replaceChildren(
      element("div", { class: "bar" }, search, buttons),
      element("p", { class: "soft" }, wanted ? `${tree.count} of ${ops.name.length} operations` : `${ops.name.length} operations; those alike are one row, a click or → opens it`),
      element("div", { class: "head" }, ["operation", "sharding", "on a device"].map((one) => element("span", {}, one)), ["moves", "time"].map((one) => element("span", { class: "num" }, one))),
      drawn.box);
    if (chosen >= 0) drawn.reveal(cursor);
  }

  // --- details ------------------------------------------------------------------------------------------------------

  function trail(index) {
    const steps = [];
    while (index >= 0) { steps.push(index); index = data.steps.earlier[index]; }
    return { steps: steps.reverse(), origin: -index - 1 };
  }
  function tensorLink(name) {
    const index = tensors.name.findIndex((one) => text(one) === name);
    return index < 0 ? element("b", {}, name) : element("a", { href: "#", onclick: (event) => { event.preventDefault(); go({ tensor: index, op: operationOfTensor[index] < 0 ? null : operationOfTensor[index] }); } }, name);
  }
  function origin(number) {
    const written = data.origins[number];
    return written ? element("p", {}, `written on ${text(written[0])}: `, sharding(text(written[1]))) : element("p", { class: "soft" }, "made by the passes");
  }
  function chain(dim, axis, index) {
    const { steps, origin: from } = trail(index);
    const shown = element("div", {}, element("p", {}, axisChip(text(axis)), ` in dimension ${dim}`), origin(from));
    if (steps.length) shown.append(element("ol", {}, steps.map((one) => {
      const place = data.steps.operation[one];
      const where = place < 0 ? text(data.steps.name[one]) : element("a", { href: "#", onclick: (event) => { event.preventDefault(); go({ op: place, tensor: null }); } }, `${text(ops.name[place])}${text(ops.place[place]) ? ` (${text(ops.place[place])})` : ""}`);
      return element("li", {}, `${text(data.steps.direction[one])} through `, where, ` from ${text(data.steps.source[one])} to ${text(data.steps.target[one])}`);
    })));
    return shown;
  }
  function tensorDetail(index) {
    const parts = [
      element("h2", {}, text(tensors.name[index])),
      text(tensors.value[index]) !== text(tensors.name[index]) ? element("p", { class: "mono soft" }, text(tensors.value[index])) : null,
      element("p", {}, sharding(text(tensors.sharding[index]))),
      element("p", { class: "mono" }, `${text(tensors.type[index])} → ${text(tensors.local[index])} on a device, ${size(tensors.bytes[index])}`),
      tiles(index),
    ];
    const chains = data.chains[index] ?? [];
    if (chains.length) parts.push(element("h3", {}, "Why"), ...chains.map(([dim, axis, step]) => chain(dim, axis, step)));
    const not = data.not[index] ?? [];
    if (not.length) parts.push(element("h3", {}, "Why not"), element("ul", {}, not.map(([dim, axis, reason]) => element("li", {}, `dimension ${dim} not `, axisChip(text(axis)), `: ${text(reason)}`))));
    const moves = data.moves[index] ?? [];
    if (moves.length) parts.push(element("h3", {}, "Goes through"), element("ul", {}, moves.map(collectiveItem)));
    parts.push(element("h3", {}, "What would change it"), element("p", { class: "mono" }, `pyshardy explain ${data.file} "${text(tensors.name[index])}"`));
    return parts;
  }
  function collectiveItem(index) {
    const c = data.collectives;
    return element("li", {}, element("b", {}, `${text(c.kind[index])} `), text(c.axes[index]).split(", ").filter(Boolean).map(axisChip), ` ${size(c.bytes[index])}${c.turns[index] !== 1 ? ` × ${c.turns[index] ?? "?"}` : ""}${c.seconds[index] ? `, ${duration(c.seconds[index])}` : ""}: ${text(c.reason[index])}`);
  }
  function showDetail() {
    const op = state.op === "" ? -1 : Number(state.op), tensor = state.tensor === "" ? -1 : Number(state.tensor);
    if (tensor >= 0 && tensor < tensors.name.length) { detail.replaceChildren(...tensorDetail(tensor).filter(Boolean)); return; }
    if (op < 0 || op >= ops.name.length) { detail.replaceChildren(element("p", { class: "soft" }, "Choose an operation or a tensor: why it is sharded as it is, why not otherwise, and what moves there is shown here.")); return; }
    const parts = [
      element("h2", {}, text(ops.name[op])),
      element("p", { class: "soft" }, [text(ops.place[op]), data.scopes[ops.scope[op]].join("/")].filter(Boolean).join("  ")),
    ];
    const needed = ops.collectives[op] ?? [];
    if (needed.length) parts.push(element("h3", {}, `Needs ${needed.length} collective${needed.length > 1 ? "s" : ""}`), element("ul", {}, needed.map(collectiveItem)));
    if (ops.seconds[op]) parts.push(element("p", {}, `${duration(ops.seconds[op])} in a step`));
    for (const one of ops.results[op]) parts.push(element("hr"), ...tensorDetail(one).filter(Boolean));
    detail.replaceChildren(...parts);
  }

  // --- tensors on the mesh ------------------------------------------------------------------------------------------

  /** Which slice of each dimension the device at these coordinates holds, and in how many it is cut. */
  function slices(index, mesh, coordinates) {
    return tensors.dims[index].map((axes) => {
      let place = 0, count = 1;
      for (const [name, pre, part] of axes) {
        const number = mesh.axes.findIndex(([own]) => own === name);
        if (number < 0) continue;
        const whole = mesh.axes[number][1], length = part || whole / pre;
        const own = Math.floor(coordinates[number] / (whole / (pre * length))) % length;
        place = place * length + own;
        count *= length;
      }
      return [place, count];
    });
  }
  function everyDevice(mesh) {
    let found = [[]];
    for (const [, length] of mesh.axes) found = found.flatMap((one) => Array.from({ length }, (_, place) => [...one, place]));
    return found;
  }
  const MOST_TILES = 256;
  /** The tensor cut into tiles, each in the colour of the devices that hold it; padding is hatched. */
  function tiles(index) {
    const mesh = data.meshes[tensors.mesh[index]], shape = tensors.shape[index];
    if (!mesh || !shape.length || mesh.total > 4096) return null;
    const holders = new Map();
    everyDevice(mesh).forEach((coordinates, number) => {
      const key = slices(index, mesh, coordinates).map(([place]) => place).join(",");
      if (!holders.has(key)) holders.set(key, []);
      holders.get(key).push(mesh.devices ? mesh.devices[number] : number);
    });
    const counts = slices(index, mesh, mesh.axes.map(() => 0)).map(([, count]) => count);
    const cut = counts.map((count, dim) => [dim, count]).filter(([, count]) => count > 1);
    const across = cut.length ? cut[cut.length - 1] : [0, 1];
    const down = cut.slice(0, -1);
    const total = counts.reduce((a, b) => a * b, 1);
    if (total > MOST_TILES) return element("p", { class: "soft" }, `${total} tiles`);
    const columns = across[1];
    const box = element("div", { class: "tensor", role: "img", "aria-label": `${total} tiles on ${mesh.total} devices` });
    box.style.gridTemplateColumns = `repeat(${columns}, minmax(22px, 1fr))`;
    for (let tile = 0; tile < total; tile++) {
      let rest = Math.floor(tile / columns);
      const place = counts.map(() => 0);
      place[across[0]] = tile % columns;
      for (const [dim, count] of [...down].reverse()) { place[dim] = rest % count; rest = Math.floor(rest / count); }
      const devices = holders.get(place.join(",")) ?? [];
      const padded = place.some((one, dim) => { const each = Math.ceil(shape[dim] / counts[dim]); return (one + 1) * each > shape[dim]; });
      box.append(element("div", { class: `b${tile % 8}${padded ? " padded" : ""}`, title: `devices ${devices.join(", ")}${padded ? "; padded" : ""}` }, devices.length > 6 ? `${devices.length} devices` : devices.join(" ")));
    }
    const replicas = mesh.total / total;
    return element("figure", { style: null }, box, element("figcaption", { class: "soft" }, `${total} tile${total > 1 ? "s" : ""}${replicas > 1 ? `, each on ${replicas} devices` : ""}; numbers are devices`));
  }
  /** The mesh as a grid; axes beyond two make grids of grids. A device has the colour of the tile it holds. */
  function meshGrid(mesh, tensor) {
    const [outer, inner] = [mesh.axes.slice(0, -2), mesh.axes.slice(-2)];
    const rowsOf = inner.length > 1 ? inner[0] : ["", 1], columnsOf = inner[inner.length - 1] ?? ["", 1];
    let groups = [[]];
    for (const [, length] of outer) groups = groups.flatMap((one) => Array.from({ length }, (_, place) => [...one, place]));
    const colours = new Map();
    const shown = groups.slice(0, 64).map((place) => {
      const box = element("div", { class: "grid" });
      box.style.gridTemplateColumns = `repeat(${columnsOf[1]}, 46px)`;
      for (let row = 0; row < rowsOf[1]; row++) for (let column = 0; column < columnsOf[1]; column++) {
        const coordinates = [...place, ...(inner.length > 1 ? [row, column] : [column])];
        const number = coordinates.reduce((sum, one, index) => sum * mesh.axes[index][1] + one, 0);
        const device = mesh.devices ? mesh.devices[number] : number;
        const held = tensor >= 0 ? slices(tensor, mesh, coordinates) : [];
        const key = held.map(([one]) => one).join(",");
        if (!colours.has(key)) colours.set(key, colours.size % 8);
        const range = held.map(([one, count], dim) => { const each = Math.ceil(tensors.shape[tensor][dim] / count); return `${one * each}:${Math.min((one + 1) * each, tensors.shape[tensor][dim])}`; }).join(", ");
        box.append(element("div", { class: `device b${tensor >= 0 ? colours.get(key) : 7}`, title: tensor >= 0 ? `device ${device} holds [${range}]` : `device ${device}` }, `${device}`));
      }
      const caption = outer.map(([name], index) => `${name}=${place[index]}`).join(" ");
      return element("figure", {}, box, element("figcaption", { class: "soft" }, caption || `rows ${rowsOf[0] || "–"}, columns ${columnsOf[0]}`));
    });
    return element("div", { class: "grids" }, shown, groups.length > 64 ? element("p", { class: "soft" }, `… and ${groups.length - 64} more`) : null);
  }
  function meshView() {
    const tensor = state.tensor === "" ? -1 : Number(state.tensor);
    const choose = element("select", { "aria-label": "Tensor on the mesh", onchange: (event) => go({ tensor: event.target.value === "" ? null : event.target.value }) },
      element("option", { value: "" }, "choose an argument or result"),
      tensors.name.map((name, index) => (operationOfTensor[index] < 0 || index === tensor ? element("option", { value: index, selected: index === tensor }, text(name)) : null)).filter(Boolean));
    const parts = [element("div", { class: "bar" }, choose)];
    const shownMesh = tensor >= 0 ? data.meshes[tensors.mesh[tensor]] : data.meshes[0];
    for (const mesh of tensor >= 0 && shownMesh ? [shownMesh] : data.meshes) {
      parts.push(element("h2", {}, `mesh @${mesh.name}: ${mesh.axes.map(([name, length]) => `${name}=${length}`).join(", ")}`), mesh.total <= 4096 ? meshGrid(mesh, tensor) : element("p", { class: "soft" }, `${mesh.total} devices`));
    }
    if (tensor >= 0) {
      parts.push(element("p", {}, "Devices of one colour hold the same tile of ", element("b", {}, text(tensors.name[tensor])), ": ", sharding(text(tensors.sharding[tensor]))));
      const reshards = data.reshards[tensor] ?? [];
      for (const [before, after, where] of reshards) parts.push(element("p", {}, `${text(where)}: `, sharding(text(before)), " becomes ", sharding(text(after))));
    }
    view.replaceChildren(...parts.filter(Boolean));
  }

  // --- communication, memory, propagation, differences --------------------------------------------------------------

  function table(headings, body, numbers) {
    return element("table", {}, element("thead", {}, element("tr", {}, headings.map((one, index) => element("th", { class: index >= headings.length - numbers ? "num" : null }, one)))), element("tbody", {}, body));
  }
  function cells(values, numbers, click) {
    const row = element("tr", click ? { class: "pick", tabindex: "0", onclick: click, onkeydown: (event) => { if (event.key === "Enter") click(); } } : {});
    values.forEach((value, index) => row.append(element("td", { class: index >= values.length - numbers ? "num" : null }, value)));
    return row;
  }
  function communicationView() {
    const by = state.by || "cause", order = state.order || "bytes", c = data.collectives;
    const groups = new Map();
    c.kind.forEach((kind, index) => {
      const key = by === "cause" ? text(c.pair[index]) || text(c.reason[index]) : by === "axis" ? text(c.axes[index]) || "the program's own" : text(kind);
      if (!groups.has(key)) groups.set(key, { key, members: [], bytes: 0, seconds: 0 });
      const group = groups.get(key), turns = c.turns[index] ?? 1;
      group.members.push(index);
      group.bytes += c.bytes[index] * turns;
      group.seconds += c.seconds[index] * turns;
    });
    const sorted = [...groups.values()].sort((a, b) => b[order] - a[order]);
    const pick = (key, value, label) => element("button", { "aria-pressed": String((key === "by" ? by : order) === value), onclick: () => go({ [key]: value }, true) }, label);
    const most = Math.max(1e-30, ...sorted.map((one) => one[order]));
    view.replaceChildren(
      element("div", { class: "bar" }, "by ", pick("by", "cause", "cause"), pick("by", "axis", "axis"), pick("by", "kind", "kind"), " ordered by ", pick("order", "bytes", "bytes"), pick("order", "seconds", "time")),
      sorted.length ? table(["", "collectives", "each device receives", "time"], sorted.slice(0, 200).map((one) => {
        const bar = element("div", { class: "b0" });
        bar.style.width = `${Math.max(1, (100 * one[order]) / most)}%`;
        bar.style.height = "4px";
        const first = c.operation[one.members[0]];
        return cells([element("div", {}, one.key, bar), String(one.members.length), size(one.bytes), duration(one.seconds)], 3, () => go({ op: first < 0 ? null : first, tensor: null }));
      }), 3) : element("p", {}, "Nothing moves between devices."));
  }
  function memoryView() {
    const picture = document.getElementById("memory-picture").content.cloneNode(true);
    view.replaceChildren(
      element("h2", {}, `peak ${size(data.memory.peak)}${data.memory.at ? ` at ${data.memory.at}` : ""}`), picture,
      element("div", { class: "legend" }, data.memory.kinds.map((kind, index) => element("span", { class: `k${index}` }, kind))),
      element("h2", {}, "Alive at the peak"),
      table(["tensor", "made by", "on a device", "kind", "bytes"], data.memory.live.map((one) => cells([text(one[0]), text(one[1]), text(one[2]), data.memory.kinds[one[3]], size(one[4])], 1)), 1));
  }
  function propagationView() {
    const stage = state.stage === "" ? data.stages.length - 1 : Math.min(Number(state.stage), data.stages.length - 1);
    const picture = document.getElementById("growth-picture").content.cloneNode(true);
    const step = (by) => go({ stage: Math.max(0, Math.min(data.stages.length - 1, stage + by)) }, true);
    const current = data.stages[stage];
    view.replaceChildren(
      element("p", {}, `${data.growth.sharded} tensors are sharded in the end, ${data.growth.given} of them by annotations; ${data.growth.changes} steps of propagation.`), picture,
      element("div", { class: "bar" }, element("button", { onclick: () => step(-1), disabled: stage <= 0 }, "← earlier"), element("button", { onclick: () => step(1), disabled: stage >= data.stages.length - 1 }, "later →"),
        element("span", { id: "stage" }, current ? `stage ${stage + 1} of ${data.stages.length}: ${text(current[0])}` : "")),
      current ? element("p", {}, `${current[1]} steps; ${current[2]} tensors sharded when it ends`) : null,
      current ? element("ul", {}, current[3].map(([name, count]) => element("li", {}, `${text(name)}: ${count} steps`))) : null,
      element("h2", {}, "What each annotation contributed"),
      table(["annotation", "sharding", "tensors"], data.contributions.map(([name, written, count]) => cells([text(name), sharding(text(written)), String(count)], 1)), 1));
  }
  function differencesView() {
    const d = data.differences;
    view.replaceChildren(
      table(["", d.names[0], d.names[1]], d.figures.map((row) => cells(row, 2)), 2),
      element("h2", {}, "Tensors sharded otherwise"),
      d.tensors.length ? table(["tensor", d.names[0], d.names[1]], d.tensors.map(([name, first, second]) => cells([text(name), sharding(text(first)), sharding(text(second))], 0)), 0) : element("p", {}, "none"),
      element("h2", {}, "Collectives"),
      d.collectives.length ? table(["", d.names[0], d.names[1]], d.collectives.map((row) => cells(row, 2)), 2) : element("p", {}, "the same"));
  }

  // --- all together -------------------------------------------------------------------------------------------------

  const drawers = { program: programView, communication: communicationView, memory: memoryView, propagation: propagationView, mesh: meshView, differences: differencesView };
  const tabs = document.getElementById("views");
  for (const [key, label] of Object.entries(views)) tabs.append(element("button", { role: "tab", "data-view": key, onclick: () => go({ view: key }) }, label));
  tabs.addEventListener("keydown", (event) => {
    const all = [...tabs.children], place = all.indexOf(document.activeElement);
    const next = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (next && place >= 0) { all[(place + next + all.length) % all.length].focus(); event.preventDefault(); }
  });
  let drawn = "";
  function show() {
    const current = state.view in views ? state.view : "program";
    for (const tab of tabs.children) { const own = tab.dataset.view === current; tab.setAttribute("aria-selected", String(own)); tab.tabIndex = own ? 0 : -1; }
    drawers[current]();
    showDetail();
    drawn = current;
  }
  addEventListener("hashchange", show);
  addEventListener("keydown", (event) => {
    if (event.key === "/" && !/input|select|textarea/i.test(event.target.tagName)) { event.preventDefault(); if (drawn !== "program") go({ view: "program" }); setTimeout(() => document.getElementById("search")?.focus(), 0); }
  });
  show();
})();
