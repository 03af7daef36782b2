"""StableHLO's own collectives, over random groups of device numbers."""

from __future__ import annotations

from tests.generator.body import Body
from tests.generator.families import makes
from tests.generator.types import is_complex


def _groups(body: Body, group_size: int) -> str:
    if body.features.mesh_axes_groups and body.chance(body.features.mesh_axes_groups):
        text = _groups_by_axes(body, group_size)
        if text:
            return text
    count = body.rng.choice((1, 2, 4))
    devices = list(range(count * group_size))
    if body.chance(0.5):
        body.rng.shuffle(devices)
    rows = [devices[start : start + group_size] for start in range(0, len(devices), group_size)]
    return f"replica_groups = dense<{rows}> : tensor<{count}x{group_size}xi64>"


def _groups_by_axes(body: Body, group_size: int) -> str:
    """Returns replica groups along axes whose sizes multiply to the size of a group, or nothing if there are none."""
    mesh = body.rng.choice(body.program.shardings.meshes)
    chosen, size = [], 1
    for name, axis_size in body.rng.sample(mesh.axes, len(mesh.axes)):
        if axis_size > 1 and group_size % (size * axis_size) == 0:
            chosen.append(name)
            size *= axis_size
    if size != group_size or not chosen:
        return ""
    listed = ", ".join(f'#stablehlo.axis_ref<name = "{name}">' for name in chosen)
    axes = ", ".join(f'<name = "{name}", size = {axis_size}>' for name, axis_size in mesh.axes)
    ids = f", device_ids=dense<{list(mesh.device_ids)}> : tensor<{len(mesh.device_ids)}xi64>" if mesh.device_ids else ""
    written = f"@{mesh.name}" if mesh.name and body.chance(0.5) else f"#stablehlo.mesh<axes=[{axes}]{ids}>"
    return f"replica_groups = #stablehlo.replica_group_mesh_axes<mesh = {written}, axes = [{listed}]>"


def _channel(body: Body) -> list[str]:
    return [f"channel_handle = #stablehlo.channel_handle<handle = {body.rng.randrange(1, 9)}, type = 1>"]


def _adding_region(body: Body, scalar: object) -> list[str]:
    indent = "  " * (body.depth + 1)
    x, y, z = (body.scope.fresh("x") for _ in range(3))
    return [
        f"{indent}^bb0({x}: {scalar}, {y}: {scalar}):",
        f"{indent}{z} = stablehlo.add {x}, {y} : {scalar}",
        f"{indent}stablehlo.return {z} : {scalar}",
    ]


def _divisors(size: int) -> list[int]:
    return [d for d in range(1, size + 1) if size % d == 0]


@makes("collectives", 2)
def all_reduce(body: Body) -> None:
    x = body.pick_shaped(1, lambda element: element != "i1" and not is_complex(element))
    properties = [*_channel(body), _groups(body, body.rng.choice((2, 4))), "use_global_device_ids"]
    body.generic("stablehlo.all_reduce", [x], [x.type], properties, [_adding_region(body, x.type.scalar)])


@makes("collectives", 1)
def all_gather(body: Body) -> None:
    x = body.pick_shaped(1)
    dim, group = body.rng.randrange(x.type.rank), body.rng.choice((2, 4))
    shape = [size * group if d == dim else size for d, size in enumerate(x.type.shape)]
    properties = [f"all_gather_dim = {dim} : i64", *_channel(body), _groups(body, group), "use_global_device_ids"]
    body.generic("stablehlo.all_gather", [x], [x.type.with_shape(shape)], properties)


@makes("collectives", 1)
def reduce_scatter(body: Body) -> None:
    x = body.pick_shaped(1, lambda element: element != "i1" and not is_complex(element))
    dim = body.rng.randrange(x.type.rank)
    group = body.rng.choice(_divisors(x.type.shape[dim]))
    shape = [size // group if d == dim else size for d, size in enumerate(x.type.shape)]
    properties = [*_channel(body), _groups(body, group), f"scatter_dimension = {dim} : i64", "use_global_device_ids"]
    region = _adding_region(body, x.type.scalar)
    body.generic("stablehlo.reduce_scatter", [x], [x.type.with_shape(shape)], properties, [region])


@makes("collectives", 1)
def all_to_all(body: Body) -> None:
    x = body.pick_shaped(1)
    split, concat = (body.rng.randrange(x.type.rank) for _ in range(2))
    count = body.rng.choice(_divisors(x.type.shape[split]))
    shape = list(x.type.shape)
    shape[split] //= count
    shape[concat] *= count
    properties = [
        *_channel(body),
        f"concat_dimension = {concat} : i64",
        _groups(body, count),
        f"split_count = {count} : i64",
        f"split_dimension = {split} : i64",
    ]
    body.generic("stablehlo.all_to_all", [x], [x.type.with_shape(shape)], properties)


@makes("collectives", 1)
def collective_permute(body: Body) -> None:
    x = body.pick_shaped(0)
    count = body.rng.choice((2, 4))
    pairs = [[i, (i + 1) % count] for i in range(count)]
    properties = [*_channel(body), f"source_target_pairs = dense<{pairs}> : tensor<{count}x2xi64>"]
    body.generic("stablehlo.collective_permute", [x], [x.type], properties)


@makes("collectives", 0.5)
def collective_broadcast(body: Body) -> None:
    x = body.pick_shaped(0)
    body.generic("stablehlo.collective_broadcast", [x], [x.type], [*_channel(body), _groups(body, 2)])
