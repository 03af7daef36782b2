"""A setting as text to copy: a sharding file, ``PartitionSpec``s by path, or rules for names of dimensions."""

from __future__ import annotations

from pyshardy.searching.layouts import LATER, Spec
from pyshardy.workbench.setting import Setting
from pyshardy.workbench.sheet import Sheet


def sharding_file(sheet: Sheet, setting: Setting) -> str:
    """The text of a sharding file."""
    return sheet.writer.text(sheet.layouts(setting), [f"Made with pyshardy view for {sheet.hardware.name}."])


def sharding_tables(sheet: Sheet, setting: Setting) -> dict[str, object]:
    """The tables of the sharding file."""
    return sheet.writer.tables(sheet.layouts(setting))


def partition_specs(sheet: Sheet, setting: Setting) -> str:
    """A mesh of JAX, and a dict of Python: the path of each argument, stars for layers, with its ``PartitionSpec``."""
    given = dict(setting.specs)
    names, sizes = tuple(setting.sizes), tuple(setting.sizes.values())
    lines = [
        "import jax",
        "from jax.sharding import AxisType",
        "from jax.sharding import PartitionSpec as P",
        "",
        f"mesh = jax.make_mesh({sizes!r}, {names!r}, axis_types=(AxisType.Auto,) * {len(names)})",
        "SPECS = {",
    ]
    for family in sheet.space.listed:
        if family.arguments:
            lines.append(f"    {family.name!r}: {_spec_text(given.get(family.number, ()))},")
    inside = [f"    {pattern!r}: {_spec_text(spec)}," for pattern, spec in setting.inside]
    if inside:
        inside = ["# What operations make, for jax.lax.with_sharding_constraint:", "INSIDE = {", *inside, "}"]
    return "\n".join([*lines, "}", *inside, ""])


def logical_axes(sheet: Sheet, setting: Setting) -> str:
    """Rules for names of dimensions: the axes of each name, and the names of each argument's dimensions; with the
    argument where arguments differ."""
    given = dict(setting.specs)
    rules: dict[str, dict[tuple[str, ...], list[str]]] = {}
    tables = []
    for family in sheet.space.listed:
        if not family.arguments or not family.shape:
            continue
        names = [sheet.space.names.get(one, f"dimension {one}") for one in family.classes]
        tables.append(f"    {family.name!r}: {tuple(names)!r},")
        spec = given.get(family.number, ((),) * len(names))
        for name, axes in zip(names, spec, strict=True):
            plain = tuple(axis.removeprefix(LATER) for axis in axes)
            rules.setdefault(name, {}).setdefault(plain, []).append(family.name)
    lines = [f"# on a mesh {', '.join(f'{axis}={size}' for axis, size in setting.mesh)}", "RULES = ["]
    for name, found in rules.items():
        most = max(found, key=lambda axes: len(found[axes]))
        lines.append(f"    ({name!r}, {_axes_text(most)}),")
        for axes, families in found.items():
            if axes != most:
                lines.append(f"    # {_axes_text(axes)} in {', '.join(families)}")
    lines += ["]", *(f"# inside: {pattern!r} is {_spec_text(spec)}" for pattern, spec in setting.inside)]
    return "\n".join([*lines, "DIMENSIONS = {", *tables, "}", ""])


def _spec_text(spec: Spec) -> str:
    end = len(spec)
    while end and not spec[end - 1]:
        end -= 1
    return f"P({', '.join(_axes_text(tuple(axis.removeprefix(LATER) for axis in axes)) for axes in spec[:end])})"


def _axes_text(axes: tuple[str, ...]) -> str:
    return "None" if not axes else repr(axes[0]) if len(axes) == 1 else repr(axes)
