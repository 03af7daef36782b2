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
/** The tensor cut into tiles, each in the colour of the devices that hold it; padding is hatched. */
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
      element(
        "div",
        {
          class: `b${tile % 8}${padded ? " padded" : ""}`,
          title: `devices ${devices.join(", ")}${padded ? "; padded" : ""}`,
        },
        devices.length > 6 ? `${devices.length} devices` : devices.join(" "),
      ),
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
/** The mesh as a grid; axes beyond two make grids of grids. A device has the colour of the tile it holds. */
function meshGrid(mesh, tensor) {
  const [outer, inner] = [mesh.axes.slice(0, -2), mesh.axes.slice(-2)];
  const rowsOf = inner.length > 1 ? inner[0] : ["", 1],
    columnsOf = inner[inner.length - 1] ?? ["", 1];
  let groups = [[]];
  for (const [, length] of outer)
    groups = groups.flatMap((one) => Array.from({ length }, (_, place) => [...one, place]));
  const colours = new Map();
  const shown = groups.slice(0, 64).map((place) => {
    const box = element("div", { class: "grid" });
    box.style.gridTemplateColumns = `repeat(${columnsOf[1]}, 46px)`;
    for (let row = 0; row < rowsOf[1]; row++)
      for (let column = 0; column < columnsOf[1]; column++) {
        const coordinates = [...place, ...(inner.length > 1 ? [row, column] : [column])];
        const number = coordinates.reduce((sum, one, index) => sum * mesh.axes[index][1] + one, 0);
        const device = mesh.devices ? mesh.devices[number] : number;
        const held = tensor >= 0 ? slices(tensor, mesh, coordinates) : [];
        const key = held.map(([one]) => one).join(",");
        if (!colours.has(key)) colours.set(key, colours.size % 8);
        const range = held
          .map(([one, count], dim) => {
            const each = Math.ceil(tensors.shape[tensor][dim] / count);
            return `${one * each}:${Math.min((one + 1) * each, tensors.shape[tensor][dim])}`;
          })
          .join(", ");
        box.append(
          element(
            "div",
            {
              class: `device b${tensor >= 0 ? colours.get(key) : 7}`,
              title: tensor >= 0 ? `device ${device} holds [${range}]` : `device ${device}`,
            },
            `${device}`,
          ),
        );
      }
    const caption = outer.map(([name], index) => `${name}=${place[index]}`).join(" ");
    return element(
      "figure",
      {},
      box,
      element("figcaption", { class: "soft" }, caption || `rows ${rowsOf[0] || "–"}, columns ${columnsOf[0]}`),
    );
  });
  return element(
    "div",
    { class: "grids" },
    shown,
    groups.length > 64 ? element("p", { class: "soft" }, `… and ${groups.length - 64} more`) : null,
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
        "Devices of one colour hold the same tile of ",
        element("b", {}, text(tensors.name[tensor])),
        ": ",
        sharding(text(tensors.sharding[tensor])),
      ),
    );
    const reshards = data.reshards[tensor] ?? [];
    for (const [before, after, where] of reshards)
      parts.push(element("p", {}, `${text(where)}: `, sharding(text(before)), " becomes ", sharding(text(after))));
  }
  view.replaceChildren(...parts.filter(Boolean));
}
