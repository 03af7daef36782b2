"""A strategy of a sharding file put into a program: its mesh, and a sharding for each tensor that a pattern means.

Everything is judged before anything is changed, and everything that is wrong is said at once. ``strategies`` stands
left of this file, ``Module.apply_shardings`` and the command line right of it.
"""

from __future__ import annotations

from dataclasses import dataclass

from pyshardy.dialects.sdy import placement
from pyshardy.dialects.sdy.dataflow import manual_axes
from pyshardy.dialects.sdy.every_sharding import visit_shardings
from pyshardy.ir import rewriting
from pyshardy.ir.operation import BlockArgument, Operation, OpResult
from pyshardy.ir.verifier import verify
from pyshardy.module import Module
from pyshardy.reading.names import boundary_names
from pyshardy.reading.sharding_files.places import Place, Places
from pyshardy.reading.sharding_files.strategies import ShardingLine, Shardings
from pyshardy.reading.tensors import Holder, add_mesh
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.plain import ShardingProblem, did_you_mean, uneven_dimension
from pyshardy.sharding.tensor import TensorSharding

_MOST_LISTED = 4


def apply_shardings(module: Module, shardings: Shardings, *, even: bool = True) -> None:
    """Shards ``module`` as ``shardings`` say, in place of what the program says of the same tensors.

    A program without a mesh gets that of the file; one that has another gets it instead, if nothing that stays names an
    axis of the old one. Dimensions of arguments and results must divide, unless ``even`` is false. A sentence on it
    joins ``module.notes``.

    Raises:
        ShardingProblem: a pattern that means nothing in the program, a sharding that does not fit a tensor or the mesh,
            a mesh that cannot be replaced; the program stays as it was.
        PyshardyError: the program with these shardings is illegal; it stays as it was, too.
    """
    meshes = _Meshes(module, shardings.mesh, shardings.name)
    problems: list[str] = []
    chosen = _chosen(Places(module), shardings, problems)
    new = _new_shardings(chosen, meshes, even, problems)
    if problems:
        raise ShardingProblem("\n".join(problems))
    meshes.check_replacement({one.place.holder for one in chosen})
    before = [(op, op.properties, op.attributes) for op in module.op.walk()]
    said = len(module.context.diagnostics)
    added = meshes.write()
    for place, sharding in new:
        place.write(sharding)
    if not verify(module.op, module.context):
        for op, properties, attributes in before:
            op.properties, op.attributes = properties, attributes
        if added is not None:
            rewriting.erase(added)
        raise module.context.failure(said)
    count = f"{len(new)} tensor{'' if len(new) == 1 else 's'}"
    module.notes.append(f"shardings of {shardings.name} were applied to {count}")


@dataclass(frozen=True)
class _Choice:
    place: Place
    line: ShardingLine


def _chosen(places: Places, shardings: Shardings, problems: list[str]) -> list[_Choice]:
    """The line for each tensor, the last one that means it; lines that mean nothing join ``problems``."""
    found: dict[Holder, _Choice] = {}
    for line in shardings.lines:
        meant = places.find(line.pattern)
        if not meant and not line.entry.optional:
            problems.append(f"{line.where}: {places.nothing_text(line.pattern)}")
        for place in meant:
            found[place.holder] = _Choice(place, line)
    return list(found.values())


def _new_shardings(
    chosen: list[_Choice], meshes: _Meshes, even: bool, problems: list[str]
) -> list[tuple[Place, TensorSharding]]:
    """The sharding for each tensor; what does not fit joins ``problems``."""
    found: list[tuple[Place, TensorSharding]] = []
    misfits: dict[str, list[tuple[str, str]]] = {}
    for one in chosen:
        try:
            name, mesh = meshes.of(one.line)
            shape = one.place.type.shape
            sharding = one.line.entry.sharding(mesh, name, shape)
            uneven = uneven_dimension(sharding, mesh, shape) if even and one.place.is_boundary else None
            if uneven is not None:
                raise ShardingProblem(uneven)
            found.append((one.place, sharding))
        except ShardingProblem as problem:
            what = f"{one.place.name} ({one.place.type})"
            misfits.setdefault(one.line.where, []).append((what, str(problem)))
    problems += [_misfit_text(where, listed) for where, listed in misfits.items()]
    return found


def _misfit_text(where: str, misfits: list[tuple[str, str]]) -> str:
    """What does not fit in a line: the first by its reason, the others by their names."""
    (first, reason), *others = misfits
    if not others and reason.startswith("the mesh"):
        return f"{where}: {reason}"
    same = [what for what, problem in others if problem == reason]
    if len(same) == len(others) and reason.startswith("the mesh"):
        return f"{where}: {reason}"
    more = ""
    if others:
        rest = len(others) - _MOST_LISTED
        listed = ", ".join(what for what, _ in others[:_MOST_LISTED]) + (f" and {rest} more" if rest > 0 else "")
        more = f"; nor does it fit {listed}"
    advice = "; a later line may say otherwise of single tensors" if others or "*" in where else ""
    return f"{where}: {first}: {reason}{more}{advice}"


class _Meshes:
    """Which mesh the lines mean: the program's, that of the file, or that of the file instead of the program's."""

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

    def check_replacement(self, written: set[Holder]) -> None:
        """Whether the program's mesh may be another one: nothing but what is ``written`` names its axes.

        Raises:
            ShardingProblem: something does.
        """
        if not self._is_replaced or self._default is None:
            return
        name, given = self._default
        left: list[str] = []

        def look(sharding: TensorSharding, holder: placement.Holder) -> None:
            if sharding.mesh_or_ref == name and sharding.has_axes and holder not in written:
                left.append(_holder_text(holder))

        visit_shardings(self._module.op, look)
        left += [f"a {op.name}" for op in self._module.op.walk() if manual_axes(op)]
        if left:
            names = list(dict.fromkeys(left))
            rest = len(names) - _MOST_LISTED
            listed = ", ".join(names[:_MOST_LISTED]) + (f" and {rest} more" if rest > 0 else "")
            old = f"@{name}, {self._known[name].body_text}"
            raise ShardingProblem(
                f"{self._source}: the mesh {given.body_text} cannot replace {old}, which the program needs for what "
                f"the file says nothing of: {listed}; write a line for each, first of all perhaps "
                '"**" = "?" (arguments and results) or ":sharding_constraint" = "?", or take the mesh of the program'
            )

    def write(self) -> Operation | None:
        """Puts the mesh into the program, where it is not there; the operation that names it if that is new."""
        if self._default is None:
            return None
        name, mesh = self._default
        if self._is_new:
            add_mesh(self._module, mesh, name)
            return next(iter(self._module.op.body))
        if self._is_replaced:
            op = next(one for one in self._module.op.body if one.name == "sdy.mesh" and one.symbol_name == name)
            op.properties = op.properties.with_("mesh", mesh)
        return None


def _holder_text(holder: placement.Holder) -> str:
    """What has a sharding, for a message."""
    if isinstance(holder, placement.FunctionResult):
        return boundary_names(holder.func).results[holder.number]
    if isinstance(holder, OpResult):
        return f"a {holder.owner.name}"
    op = holder.parent_block.parent_op if isinstance(holder, BlockArgument) else None
    if op is None or not isinstance(holder, BlockArgument):
        return "an operation without results"
    return boundary_names(op).arguments[holder.index] if op.name == "func.func" else f"a {op.name}"
