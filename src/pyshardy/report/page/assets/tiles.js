/* Tensors as tiles on the mesh: which device holds which slice. */

/** Which slice of each dimension the device at these coordinates holds, and in how many it is cut. */
function slices(index, mesh, coordinates) {
  return tensors.dims[index].map((axes) => {
    let place = 0,
      count = 1;
    for (const [name, pre, part] of axes) {
      const number = mesh.axes.findIndex(([own]) => own === name);
      if (number < 0) continue;
      const whole = mesh.axes[number][1],
        length = part || whole / pre;
      const own = Math.floor(coordinates[number] / (whole / (pre * length))) % length;
      place = place * length + own;
      count *= length;
    }
    return [place, count];
  });
}
function everyDevice(mesh) {
  let found = [[]];
  for (const [, length] of mesh.axes)
    found = found.flatMap((one) => Array.from({ length }, (_, place) => [...one, place]));
  return found;
}
const MOST_TILES = 256;
/** A shade for a place in a tensor, from light at its begin to dark at its end; no colour says what axis it is. */
function shaded(box, place, count) {
  const part = count > 1 ? place / (count - 1) : 0.25;
  const lightness = 93 - 68 * part;
  box.style.backgroundColor = `hsl(210 18% ${lightness}%)`;
  box.style.color = lightness > 55 ? "#101316" : "#ffffff";
  return box;
}
/** The number of a tile by the places of its slices. */
const tileNumber = (held) => held.reduce((number, [place, count]) => number * count + place, 0);
const tileCount = (held) => held.reduce((number, [, count]) => number * count, 1);
const rangeText = (tensor, held) =>
  held
    .map(([one, count], dim) => {
      const each = Math.ceil(tensors.shape[tensor][dim] / count);
      return count > 1 ? `${one * each}:${Math.min((one + 1) * each, tensors.shape[tensor][dim])}` : ":";
    })
    .join(", ");
/** The tensor cut into tiles, shaded by their place in it; padding is hatched. */
function tiles(index) {
  const mesh = data.meshes[tensors.mesh[index]],
    shape = tensors.shape[index];
  if (!mesh || !shape.length || mesh.total > 4096) return null;
  const holders = new Map();
  everyDevice(mesh).forEach((coordinates, number) => {
    const key = slices(index, mesh, coordinates)
      .map(([place]) => place)
      .join(",");
    if (!holders.has(key)) holders.set(key, []);
    holders.get(key).push(mesh.devices ? mesh.devices[number] : number);
  });
  const counts = slices(
    index,
    mesh,
    mesh.axes.map(() => 0),
  ).map(([, count]) => count);
  const cut = counts.map((count, dim) => [dim, count]).filter(([, count]) => count > 1);
  const across = cut.length ? cut[cut.length - 1] : [0, 1];
  const down = cut.slice(0, -1);
  const total = counts.reduce((a, b) => a * b, 1);
  if (total > MOST_TILES) return element("p", { class: "soft" }, `${total} tiles`);
  const columns = across[1];
  const box = element("div", {
    class: "tensor",
    role: "img",
    "aria-label": `${total} tiles on ${mesh.total} devices`,
  });
  box.style.gridTemplateColumns = `repeat(${columns}, minmax(22px, 1fr))`;
  for (let tile = 0; tile < total; tile++) {
    let rest = Math.floor(tile / columns);
    const place = counts.map(() => 0);
    place[across[0]] = tile % columns;
    for (const [dim, count] of [...down].reverse()) {
      place[dim] = rest % count;
      rest = Math.floor(rest / count);
    }
    const devices = holders.get(place.join(",")) ?? [];
    const padded = place.some((one, dim) => {
      const each = Math.ceil(shape[dim] / counts[dim]);
      return (one + 1) * each > shape[dim];
    });
    box.append(
      shaded(element(
        "div",
        {
          class: padded ? "padded" : null,
          title: `devices ${devices.join(", ")}${padded ? "; padded" : ""}`,
        },
        devices.length > 6 ? `${devices.length} devices` : devices.join(" "),
      ), tile, total),
    );
  }
  const replicas = mesh.total / total;
  return element(
    "figure",
    { style: null },
    box,
    element(
      "figcaption",
      { class: "soft" },
      `${total} tile${total > 1 ? "s" : ""}${replicas > 1 ? `, each on ${replicas} devices` : ""}; numbers are devices`,
    ),
  );
}
/** The places along an axis that are drawn, and -1 where others are left out: the first ones and the last. */
function shownPlaces(length, most) {
  if (state.all === "1" || length <= most) return Array.from({ length }, (_, place) => place);
  return [...Array.from({ length: most - 2 }, (_, place) => place), -1, length - 1];
}
/** The mesh as a grid; axes beyond two make grids of grids. Devices are shaded by the tile that they hold; those that hold
    the same as the chosen one, its replicas, are marked. */
function meshGrid(mesh, tensor) {
  const [outer, inner] = [mesh.axes.slice(0, -2), mesh.axes.slice(-2)];
  const rowsOf = inner.length > 1 ? inner[0] : ["", 1],
    columnsOf = inner[inner.length - 1] ?? ["", 1];
  let groups = [[]];
  for (const [, length] of outer)
    groups = groups.flatMap((one) => shownPlaces(length, 4).map((place) => [...one, place]));
  const heldBy = (coordinates) => (tensor >= 0 ? slices(tensor, mesh, coordinates) : []);
  const numberOf = (coordinates) => coordinates.reduce((sum, one, index) => sum * mesh.axes[index][1] + one, 0);
  const marked = state.device === "" || tensor < 0 ? null : everyDevice(mesh)[Number(state.device)];
  const markedTile = marked ? tileNumber(heldBy(marked)) : -1;
  const deviceBox = (coordinates) => {
    const number = numberOf(coordinates),
      device = mesh.devices ? mesh.devices[number] : number;
    if (tensor < 0) return element("div", { class: "device bn" }, `${device}`);
    const held = heldBy(coordinates),
      tile = tileNumber(held),
      count = tileCount(held),
      range = rangeText(tensor, held);
    const box = element(
      "button",
      {
        class: `device${tile === markedTile ? " held" : ""}`,
        title: `device ${device} holds tile ${tile}: [${range}]`,
        "aria-label": `device ${device}, tile ${tile}`,
        "aria-pressed": String(tile === markedTile),
        "data-key": `device ${number}`,
        onclick: () => go({ device: state.device === String(number) ? null : number }, true),
      },
      `${device}`,
      element("br"),
      element("small", {}, `tile ${tile}`),
    );
    return shaded(box, tile, count);
  };
  const left = (count) => element("div", { class: "device elided" }, `… ${count}`);
  const shown = groups
    .filter((place) => !place.includes(-1))
    .map((place) => {
      const columns = shownPlaces(columnsOf[1], 12),
        rows = shownPlaces(rowsOf[1], 12);
      const box = element("div", { class: "grid" });
      box.style.gridTemplateColumns = `repeat(${columns.length}, 50px)`;
      for (const row of rows)
        for (const column of columns)
          box.append(
            row < 0
              ? left(column === columns[0] ? `${rowsOf[1] - rows.length + 1} rows` : "")
              : column < 0
                ? left(columnsOf[1] - columns.length + 1)
                : deviceBox([...place, ...(inner.length > 1 ? [row, column] : [column])]),
          );
      const caption = outer.map(([name], index) => `${name}=${place[index]}`).join(" ");
      return element(
        "figure",
        {},
        box,
        element(
          "figcaption",
          { class: "soft" },
          [caption, rowsOf[0] ? `${rowsOf[0]} down, ${columnsOf[0]} across` : columnsOf[0]].filter(Boolean).join(": "),
        ),
      );
    });
  const drawnDevices = shown.reduce((sum, one) => sum + one.querySelectorAll(".device:not(.elided)").length, 0);
  return element(
    "div",
    {},
    element("div", { class: "grids" }, shown),
    drawnDevices < mesh.total
      ? element(
          "p",
          { class: "soft" },
          `${drawnDevices} of ${mesh.total} devices are drawn: the first ones and the last of each axis `,
          element("button", { class: "copy", onclick: () => go({ all: 1 }, true) }, "all"),
        )
      : null,
    marked
      ? element(
          "p",
          { role: "status" },
          `tile ${markedTile}, [${rangeText(tensor, heldBy(marked))}], is held by ${mesh.total === tileCount(heldBy(marked)) ? "one device" : `${mesh.total / tileCount(heldBy(marked))} devices`}: `,
          everyDevice(mesh)
            .filter((one) => tileNumber(heldBy(one)) === markedTile)
            .map((one) => (mesh.devices ? mesh.devices[numberOf(one)] : numberOf(one)))
            .slice(0, 64)
            .join(", "),
        )
      : null,
  );
}
function meshView() {
  const tensor = state.tensor === "" ? -1 : Number(state.tensor);
  const choose = element(
    "select",
    {
      "aria-label": "Tensor on the mesh",
      onchange: (event) => go({ tensor: event.target.value === "" ? null : event.target.value }),
    },
    element("option", { value: "" }, "choose an argument or result"),
    tensors.name
      .map((name, index) =>
        operationOfTensor[index] < 0 || index === tensor
          ? element("option", { value: index, selected: index === tensor }, text(name))
          : null,
      )
      .filter(Boolean),
  );
  const parts = [element("div", { class: "bar" }, choose)];
  const shownMesh = tensor >= 0 ? data.meshes[tensors.mesh[tensor]] : data.meshes[0];
  for (const mesh of tensor >= 0 && shownMesh ? [shownMesh] : data.meshes) {
    parts.push(
      element("h2", {}, `mesh @${mesh.name}: ${mesh.axes.map(([name, length]) => `${name}=${length}`).join(", ")}`),
      mesh.total <= 4096 ? meshGrid(mesh, tensor) : element("p", { class: "soft" }, `${mesh.total} devices`),
    );
  }
  if (tensor >= 0) {
    parts.push(
      element(
        "p",
        {},
        element("b", {}, text(tensors.name[tensor])),
        ": ",
        sharding(text(tensors.sharding[tensor])),
        ". The shade says where in the tensor a tile is; a click on a device marks all that hold the same.",
      ),
    );
    const reshards = data.reshards[tensor] ?? [];
    for (const [before, after, where] of reshards)
      parts.push(element("p", {}, `${text(where)}: `, sharding(text(before)), " becomes ", sharding(text(after))));
  }
  parts.push(element("h2", {}, "Arguments and results"), boundaryTable(tensor));
  view.replaceChildren(...parts.filter(Boolean));
}
/** Each argument and result in a row of its own, those first of which a device holds most. */
function boundaryTable(chosen) {
  const listed = tensors.name.map((_, index) => index).filter((index) => operationOfTensor[index] < 0);
  listed.sort((a, b) => tensors.bytes[b] - tensors.bytes[a] || a - b);
  const shown = state.all === "1" ? listed : listed.slice(0, 300);
  const body = shown.map((index) => {
    const row = cells(
      [
        text(tensors.name[index]),
        sharding(text(tensors.sharding[index])),
        element("span", { class: "mono" }, text(tensors.type[index])),
        element("span", { class: "mono" }, text(tensors.local[index])),
        size(tensors.bytes[index]),
      ],
      1,
      () => go({ tensor: index, op: null, device: null }),
    );
    row.dataset.key = `boundary ${index}`;
    if (index === chosen) row.setAttribute("aria-current", "true");
    return row;
  });
  if (shown.length < listed.length) body.push(cells([`… and ${listed.length - shown.length} more`, "", "", "", ""], 1));
  return table(["", "sharding", "whole", "on a device", "bytes"], body, 1);
}
