"""A setting of the workbench: a mesh, and the axes of each row of the sheet; parsed from untrusted JSON.

The server keeps no state of browsers, so that two do not disturb each other: every request has the whole setting.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import prod
from types import MappingProxyType
from typing import NamedTuple

from pyshardy.searching.layouts import LATER, Spec, is_consistent

_AXIS = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,31}")
_MOST_AXES = 8
_MOST_DEVICES = 1 << 20


class WrongRequest(ValueError):
    """A request is wrong; the message says what would be right."""


class Setting(NamedTuple):
    """The axes of the mesh with their sizes, the specs of families by their numbers (others are replicated), and
    shardings of tensors inside of the program that a search has found, by the pattern of a sharding file."""

    mesh: tuple[tuple[str, int], ...]
    specs: tuple[tuple[int, Spec], ...]
    inside: tuple[tuple[str, Spec], ...] = ()

    @property
    def sizes(self) -> dict[str, int]:
        """The sizes of the axes."""
        return dict(self.mesh)

    def with_specs(self, specs: Mapping[int, Spec]) -> Setting:
        """A copy of the setting with these specs."""
        listed = tuple(sorted((number, spec) for number, spec in specs.items() if any(spec)))
        return Setting(self.mesh, listed, self.inside)

    def as_json(self) -> dict[str, object]:
        """The setting in the browser's format."""
        inside = {pattern: [list(axes) for axes in spec] for pattern, spec in self.inside}
        found: dict[str, object] = {
            "mesh": [list(axis) for axis in self.mesh],
            "specs": {str(number): [list(axes) for axes in spec] for number, spec in self.specs},
        }
        return found | ({"inside": inside} if inside else {})


def read_setting(
    given: object,
    shapes: Sequence[tuple[int, ...]],
    devices: int | None,
    inside_shapes: Mapping[str, tuple[int, ...]] = MappingProxyType({}),
) -> Setting:
    """Parses the setting ``given`` for families of these ``shapes`` and this number of ``devices``; ``inside_shapes``
    are the shapes of tensors inside of the program, by pattern.

    Raises:
        WrongRequest: it is no setting, or a dimension is not divisible.
    """
    if not isinstance(given, dict):
        raise WrongRequest("a setting has a mesh and specs")
    mesh = _mesh(given.get("mesh"))
    sizes = dict(mesh)
    if devices is not None and prod(sizes.values()) != devices:
        raise WrongRequest(f"the mesh has {prod(sizes.values())} devices, and the hardware {devices}")
    specs: dict[int, Spec] = {}
    listed, inside = given.get("specs", {}), given.get("inside", {})
    if not isinstance(listed, dict) or not isinstance(inside, dict):
        raise WrongRequest("specs are by the numbers of rows, and inside by patterns")
    for number, spec in listed.items():
        if not (isinstance(number, str) and number.isdecimal() and int(number) < len(shapes)):
            raise WrongRequest("there is no such row")
        specs[int(number)] = _spec(spec, shapes[int(number)], sizes)
    for pattern in inside:
        if pattern not in inside_shapes:
            raise WrongRequest("there is no such line inside of the program")
    lines = tuple(sorted((one, _spec(spec, inside_shapes[one], sizes)) for one, spec in inside.items()))
    return Setting(mesh, (), lines).with_specs(specs)


def _mesh(given: object) -> tuple[tuple[str, int], ...]:
    if not isinstance(given, list) or not 0 < len(given) <= _MOST_AXES:
        raise WrongRequest(f"a mesh has 1 to {_MOST_AXES} axes")
    found: dict[str, int] = {}
    for axis in given:
        name, size = axis if isinstance(axis, list) and len(axis) == 2 else (None, None)
        if not (isinstance(name, str) and _AXIS.fullmatch(name)) or name in found:
            raise WrongRequest("axes have different names of letters, digits and _")
        if not isinstance(size, int) or isinstance(size, bool) or not 0 < size <= _MOST_DEVICES:
            raise WrongRequest(f"the size of axis {name} is a number of devices")
        found[name] = size
    if prod(found.values()) > _MOST_DEVICES:
        raise WrongRequest(f"a mesh has at most {_MOST_DEVICES} devices")
    return tuple(found.items())


def _spec(given: object, shape: tuple[int, ...], sizes: Mapping[str, int]) -> Spec:
    if not isinstance(given, list) or len(given) != len(shape):
        raise WrongRequest("a row has as many slots as its tensors have dimensions")
    found: list[tuple[str, ...]] = []
    for axes, size in zip(given, shape, strict=True):
        if not isinstance(axes, list) or not all(isinstance(axis, str) for axis in axes):
            raise WrongRequest("a slot holds names of axes")
        plain = [axis.removeprefix(LATER) for axis in axes]
        if not set(plain) <= set(sizes):
            raise WrongRequest("the mesh has no such axis")
        parts = prod(sizes[axis] for axis in plain)
        if size % parts:
            raise WrongRequest(f"{size} is not divisible by {parts}")
        found.append(tuple(axes))
    if not is_consistent(tuple(found)):
        raise WrongRequest("an axis stands in one slot of a row")
    return tuple(found)
