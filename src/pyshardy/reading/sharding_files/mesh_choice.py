"""Chooses the mesh for the lines of a sharding file: that of the program, or that of the file, which may replace it.

``applying`` uses it for each line, and inserts the mesh into the program at the end.
"""

from __future__ import annotations

from pyshardy.dialects.sdy import placement
from pyshardy.dialects.sdy.dataflow import manual_axes
from pyshardy.dialects.sdy.every_sharding import visit_shardings
from pyshardy.dialects.sdy.names import STABLEHLO_MESH
from pyshardy.ir import rewriting
from pyshardy.ir.operation import BlockArgument, Operation, OpResult
from pyshardy.module import Module
from pyshardy.reading.names import boundary_names
from pyshardy.reading.sharding_files.strategies import ShardingLine
from pyshardy.reading.tensors import ShardingSlot, add_mesh, check_mesh
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.plain import ShardingProblem, did_you_mean, some_of
from pyshardy.sharding.tensor import TensorSharding


class MeshChoice:
    """The mesh for the lines of ``source`` in ``module``, of which ``given`` is that of the file.

    Raises:
        ShardingProblem: the program has several meshes, and none of them is the one given.
    """

    def __init__(self, module: Module, given: Mesh | None, source: str) -> None:
        self._module = module
        self._given = given
        self._source = source
        self._known = dict(placement.meshes(module.op))
        real = {name: mesh for name, mesh in self._known.items() if mesh.axes}
        self._is_new = self._is_replaced = False
        self._default: tuple[str, Mesh] | None = None
        if given is None:
            self._default = next(iter(real.items())) if len(real) == 1 else None
            return
        same = next((one for one in real.items() if one[1].axes == given.axes), None)
        if same is not None:
            self._default = same
        elif not real:
            self._is_new = True
            self._default = self._free_name(), given
        elif len(real) == 1:
            self._is_replaced = True
            self._default = next(iter(real)), given
        else:
            listed = ", ".join(f"@{name} = {mesh.body_text}" for name, mesh in real.items())
            raise ShardingProblem(
                f"{source}: the program has several meshes ({listed}), none of them {given.body_text}: give one of "
                "these in [mesh], or none there and mesh = with each sharding"
            )

    def of(self, line: ShardingLine) -> tuple[str, Mesh]:
        """Name and mesh for a line.

        Raises:
            ShardingProblem: the program has none, or not the one that is named, or several and none is named.
        """
        wanted = line.entry.mesh
        if wanted is not None and (self._default is None or wanted != self._default[0]):
            if wanted not in self._known:
                listed = f"only {', '.join(self._known)}" if self._known else "none at all"
                near = did_you_mean(wanted, self._known)
                raise ShardingProblem(f"the meshes of the program do not include {wanted!r}, {listed}{near}")
            return wanted, self._known[wanted]
        if self._default is None:
            several = any(mesh.axes for mesh in self._known.values())
            advice = (
                "say which in [mesh]" if several else "the file needs one, [mesh] with a line data = 8 for each axis"
            )
            raise ShardingProblem(f"the mesh is missing: the program has {'several' if several else 'none'}, {advice}")
        return self._default

    def _free_name(self) -> str:
        taken = {op.symbol_name for op in self._module.op.body}
        names = ("mesh", *(f"mesh_{number}" for number in range(len(taken) + 1)))
        return next(name for name in names if name not in taken)

    def check_replacement(self, written: set[ShardingSlot]) -> None:
        """Verifies that the program's mesh may be replaced: only shardings that are ``written`` use its axes.

        Raises:
            ShardingProblem: another sharding uses them.
        """
        if not self._is_replaced or self._default is None:
            return
        name, given = self._default
        left: list[str] = []

        def look(sharding: TensorSharding, slot: placement.ShardingSlot) -> None:
            if sharding.mesh_or_ref == name and sharding.has_axes and slot not in written:
                left.append(_slot_text(slot))

        visit_shardings(self._module.op, look)
        left += [f"a {op.name}" for op in self._module.op.walk() if manual_axes(op)]
        if left:
            listed = some_of(list(dict.fromkeys(left)))
            old = f"@{name}, {self._known[name].body_text}"
            raise ShardingProblem(
                f"{self._source}: the mesh {given.body_text} cannot replace {old}, which the program needs for what "
                f"the file says nothing of: {listed}; write a line for each, first of all perhaps "
                '"**" = "?" (arguments and results) or ":sharding_constraint" = "?", or take the mesh of the program'
            )

    def write(self) -> Operation | None:
        """Inserts the mesh into the program if it is missing; returns the new operation, if any."""
        if self._default is None:
            return None
        name, mesh = self._default
        if self._is_new:
            add_mesh(self._module, mesh, name)
            return next(iter(self._module.op.body))
        if self._is_replaced:
            check_mesh(mesh)
            op = next(one for one in self.operations() if one.symbol_name == name)
            rewriting.set_properties(op, op.properties.with_("mesh", mesh))
            # It says the old mesh; passes write it anew.
            rewriting.set_attributes(op, op.attributes.without(STABLEHLO_MESH))
        return None

    def operations(self) -> list[Operation]:
        """The operations of the program that define meshes."""
        return [one for one in self._module.op.body if one.name == "sdy.mesh"]


def _slot_text(slot: placement.ShardingSlot) -> str:
    """The name of a sharding slot, for a message."""
    if isinstance(slot, placement.FunctionResult):
        return boundary_names(slot.func).results[slot.number]
    if isinstance(slot, OpResult):
        return f"a {slot.owner.name}"
    op = slot.parent_block.parent_op if isinstance(slot, BlockArgument) else None
    if op is None or not isinstance(slot, BlockArgument):
        return "an operation without results"
    return boundary_names(op).arguments[slot.index] if op.name == "func.func" else f"a {op.name}"
