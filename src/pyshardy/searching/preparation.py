"""The program that strategies are tried on: without its shardings, except those that the search keeps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pyshardy.dialects.sdy import placement
from pyshardy.ir import rewriting
from pyshardy.module import Module
from pyshardy.reading.sharding_files.applying import apply_shardings
from pyshardy.reading.sharding_files.clearing import clear_shardings
from pyshardy.reading.sharding_files.entries import OPEN_SIGN, entry_value
from pyshardy.reading.sharding_files.shardable_tensors import ShardableTensors
from pyshardy.reading.sharding_files.strategies import Shardings
from pyshardy.reading.sharding_files.writing import line_values
from pyshardy.searching.layouts import Key, key_of
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.plain import ShardingProblem
from pyshardy.sharding.tensor import TensorSharding, fully_open

_CONSTRAINT = "sdy.sharding_constraint"
_MANUAL = "sdy.manual_computation"


@dataclass(frozen=True)
class Prepared:
    """The program ``source``; the arguments and results that are ``kept`` as they are; the mesh that it needs, if any;
    whether a sharding file has to ``clear`` shardings inside, and its lines for the shardings that are kept."""

    source: Module
    kept: frozenset[Key]
    mesh: Mesh | None
    clear: bool = False
    kept_lines: Mapping[str, object] = field(default_factory=dict)


def prepared(
    module: Module, mesh: Mesh | None, *, keep: Shardings | None = None, keep_program: bool = False
) -> Prepared:
    """A copy of ``module``, which stays as it is, for a search. The search may decide all shardings that ``keep`` does
    not give, or with ``keep_program`` those of all tensors without one. ``mesh`` is that of the search, None if it is
    searched for.

    Raises:
        ShardingProblem: what is kept is on another mesh, or does not fit.
        PyshardyError: the program with what is kept is illegal.
    """
    source = module.copy()
    has_manual = any(op.name == _MANUAL for op in source.op.operations())
    own = {name: one for name, one in placement.meshes(source.op).items() if one.axes}
    if (keep_program or has_manual) and len(own) > 1:
        raise ShardingProblem(f"the program has several meshes ({', '.join(own)}): a search goes along one")
    own_mesh = next(iter(own.values()), None) if keep_program or has_manual else None
    if own_mesh is not None and mesh is not None and own_mesh.axes != mesh.axes:
        what = "what is kept of the program" if keep_program else "a manual computation in the program"
        raise ShardingProblem(f"{what} is on a mesh {own_mesh.body_text}, and the search is for {mesh.body_text}")
    wanted = mesh if own_mesh is None else own_mesh
    clear = False
    kept_lines: dict[str, object] = {}
    if keep_program:
        kept_lines.update(line_values(source))
    else:
        clear = clear_shardings(source) or len(own) > 1
        if own_mesh is None:
            _erase_meshes(source)
    kept = {key_of(one.tensor.slot) for one in ShardableTensors(source).boundary if one.tensor.sharding is not None}
    if keep is not None:
        wanted, lines = _apply_kept(source, wanted, keep)
        kept_lines.update(lines)
        kept |= {
            key_of(one.tensor.slot) for one in ShardableTensors(source).boundary if one.tensor.sharding is not None
        }
    return Prepared(source, frozenset(kept), wanted, clear, kept_lines)


def _apply_kept(source: Module, mesh: Mesh | None, keep: Shardings) -> tuple[Mesh, dict[str, object]]:
    if keep.mesh is not None and mesh is not None and keep.mesh.axes != mesh.axes:
        raise ShardingProblem(
            f"{keep.name} is for a mesh {keep.mesh.body_text}, and the search for {mesh.body_text}: one is wanted"
        )
    found = keep.mesh if mesh is None else mesh
    if found is None:
        raise ShardingProblem(f"{keep.name} names axes of a mesh, so the mesh is not to be searched for: give it")
    apply_shardings(source, Shardings(keep.source, keep.strategy, found, keep.lines))
    tensors = ShardableTensors(source)
    lines: dict[str, object] = {}
    for line in keep.lines:
        meant = tensors.find(line.pattern)
        sharding = meant[0].sharding if meant else None
        if sharding is not None:
            is_open = line.entry.dims is None
            lines[line.pattern] = OPEN_SIGN if is_open else entry_value(sharding, None)
    return found, lines


def _erase_meshes(source: Module) -> None:
    """Erases all meshes; the meshes that open constraints name have no effect."""
    for op in list(source.op.body):
        if op.name == "sdy.mesh":
            rewriting.erase(op)
    for op in source.op.operations():
        found = op.properties.get("sharding") if op.name == _CONSTRAINT else None
        if isinstance(found, TensorSharding):
            rewriting.set_properties(op, op.properties.with_("sharding", fully_open(found.rank, MESH)))


MESH = "mesh"
"""The name of a strategy's mesh in the program."""
