"""The meshes of a program that was sharded for GSPMD, and its shardings on them.

One mesh in the order of the devices is enough for all shardings that are digits of the device number
(``device_digits``): it ends an axis wherever some sharding ends a digit, unless that splits another digit unevenly. If
two shardings divide the devices into factors that are not compatible (2 by 3, and 3 by 2), the axis stays whole and
they use sub-axes. Shardings in another order of devices get a mesh with that order. ``conversion`` uses the meshes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain, count, pairwise

from pyshardy.reading.gspmd.device_digits import Counting, Digits, counting, order_of
from pyshardy.reading.gspmd.named_sharding import NamedSharding
from pyshardy.reading.gspmd.sharding_text import GspmdSharding
from pyshardy.reading.gspmd.sharding_tokens import BadSharding
from pyshardy.sharding.axes import AxisRef
from pyshardy.sharding.mesh import Mesh


@dataclass
class _Order:
    """All shardings that count digits of positions in one order of the devices (none: 0, 1, 2, …)."""

    devices: tuple[int, ...]
    countings: dict[GspmdSharding, Counting] = field(default_factory=dict)
    mesh: Mesh = field(default_factory=Mesh)
    name: str = ""
    ends: list[int] = field(default_factory=list)

    def choose_axes(self, total: int) -> None:
        """Makes the mesh: axes between the ends of digits that fit to all others."""
        digits = {digit for found in self.countings.values() for digit in found.all_digits()}
        ends = {1, total, *(digit.stride for digit in digits), *(digit.end for digit in digits)}
        fitting = sorted(one for one in ends if all(one % other == 0 or other % one == 0 for other in ends))
        sizes = [major // minor for minor, major in pairwise(fitting)][::-1] or [1]
        self.mesh = Mesh([(f"axis_{index}", size) for index, size in enumerate(sizes)], self.devices)
        self.ends = fitting

    def axes(self, digits: Digits) -> list[AxisRef]:
        """References to the axes, or parts of them, that are ``digits``."""
        found: list[AxisRef] = []
        names = [axis.name for axis in self.mesh.axes]
        for digit in digits:
            end = digit.end
            for index, name in enumerate(names):
                major, minor = self.ends[-1 - index], self.ends[-2 - index]
                top, bottom = min(major, end), max(minor, digit.stride)
                if top > bottom:
                    whole = (top, bottom) == (major, minor)
                    found.append(AxisRef(name) if whole else AxisRef(name, major // top, top // bottom))
        return found


@dataclass(frozen=True)
class MeshSharding:
    """A sharding on a mesh: its axes by dimension, those along which it is manual, and those along which it is
    unreduced."""

    mesh_name: str
    dims: tuple[tuple[AxisRef, ...], ...]
    manual: tuple[str, ...] = ()
    unreduced: tuple[AxisRef, ...] = ()


class Meshes:
    """The meshes for ``shardings``, of which there must be at least one; ``total`` is the number of devices if none of
    them has it. ``named`` are those in use, by name, for the program.

    Raises:
        BadSharding: two of them are for different numbers of devices.
    """

    def __init__(self, shardings: Iterable[GspmdSharding], total: int, taken: Iterable[str] = ()) -> None:
        shardings = list(shardings)
        names = set(taken)
        self.named: dict[str, Mesh] = {}
        self._names: list[str] = []
        self._orders: list[_Order] = []
        self._name_given_meshes(shardings, names)
        tiled = list(dict.fromkeys(one for one in shardings if one.kind == "tiled"))
        totals = sorted({one.num_devices or 1 for one in tiled})
        if len(totals) > 1:
            raise BadSharding(f"some shardings are for {totals[0]} devices, others for {totals[1]}")
        if self._names and not tiled:
            return
        devices = totals[0] if totals else max(total, 1)
        # Shardings that name every device determine an order best, so they come first.
        for one in sorted(tiled, key=lambda sharding: "replicated" in sharding.subgroups):
            self._count(one)
        if not self._orders:
            self._orders.append(_Order(()))
        self._orders.sort(key=lambda order: bool(order.devices))
        for number, order in enumerate(self._orders):
            order.choose_axes(devices)
            order.name = _free_name("mesh" if number == 0 else f"mesh_{number}", names)
            names.add(order.name)
            self.named[order.name] = order.mesh
            self._names.append(order.name)

    @property
    def main(self) -> tuple[str, Mesh]:
        """The mesh of replicated tensors."""
        return self._names[0], self.named[self._names[0]]

    def placed(self, sharding: GspmdSharding) -> MeshSharding:
        """A tiled, replicated or manual sharding on its mesh.

        Raises:
            BadSharding: a sharding is manual along part of an axis.
        """
        if sharding.named is not None:
            return self._placed_by_name(sharding.named)
        if sharding.kind == "manual":
            name, mesh = self.main
            return MeshSharding(name, (), tuple(axis.name for axis in mesh.axes))
        if sharding.kind == "unreduced":
            name, mesh = self.main
            return MeshSharding(name, (), (), tuple(AxisRef(axis.name) for axis in mesh.axes))
        if sharding.kind != "tiled":
            return MeshSharding(self.main[0], ())
        for order in self._orders:
            found = order.countings.get(sharding)
            if found is not None:
                dims = tuple(tuple(order.axes(digits)) for digits in found.dims)
                manual = order.axes(found.subgroups.get("manual", ()))
                if any(axis.sub_size is not None for axis in manual):
                    raise BadSharding("it is manual along a part of the devices that no axis of the mesh can be")
                unreduced = tuple(order.axes(found.subgroups.get("unreduced", ())))
                return MeshSharding(order.name, dims, tuple(axis.name for axis in manual), unreduced)
        raise KeyError(sharding)

    def _name_given_meshes(self, shardings: Iterable[GspmdSharding], names: set[str]) -> None:
        """Names the meshes in shardings with named axes; equal ones are merged."""
        for mesh in dict.fromkeys(one.named.mesh for one in shardings if one.named is not None):
            wanted = "empty_mesh" if mesh.is_empty else "mesh"
            name = wanted if wanted not in names else _free_name(wanted, names)
            names.add(name)
            self.named[name] = mesh
            self._names.append(name)

    def _placed_by_name(self, sharding: NamedSharding) -> MeshSharding:
        name = next(name for name, mesh in self.named.items() if mesh is sharding.mesh)
        dims = tuple(dim.axes for dim in sharding.dims or ())
        return MeshSharding(name, dims, sharding.manual, sharding.unreduced)

    def _count(self, sharding: GspmdSharding) -> None:
        # An order that is in use already is preferred, since nothing propagates between two meshes.
        for devices in (*(order.devices for order in self._orders), ()):
            found = counting(sharding, devices)
            if found is not None:
                self._order(devices).countings[sharding] = found
                return
        devices = order_of(sharding)
        found = counting(sharding, devices)
        assert found is not None
        self._order(devices).countings[sharding] = found

    def _order(self, devices: tuple[int, ...]) -> _Order:
        for order in self._orders:
            if order.devices == devices:
                return order
        self._orders.append(_Order(devices))
        return self._orders[-1]


def _free_name(name: str, taken: set[str]) -> str:
    candidates = chain([name], (f"{name}_{number}" for number in count(1)))
    return next(one for one in candidates if one not in taken)
