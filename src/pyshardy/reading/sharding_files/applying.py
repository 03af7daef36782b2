"""Applies a strategy of a sharding file to a program: its mesh, and a sharding for each tensor that a pattern matches.

All lines are checked before anything is changed, and all mistakes are reported at once.
"""

from __future__ import annotations

from pyshardy.dialects.sdy import placement
from pyshardy.ir import rewriting
from pyshardy.ir.collector import paused_collector
from pyshardy.ir.verifying.verifier import verify
from pyshardy.module import Module
from pyshardy.reading.sharding_files.boundary_tensors import ShardableTensor
from pyshardy.reading.sharding_files.clearing import clear_shardings
from pyshardy.reading.sharding_files.mesh_choice import MeshChoice
from pyshardy.reading.sharding_files.shardable_tensors import ShardableTensors
from pyshardy.reading.sharding_files.strategies import ShardingLine, Shardings
from pyshardy.reading.tensors import ShardingSlot, main_of
from pyshardy.sharding.plain import ShardingProblem, some_of, uneven_dimension
from pyshardy.sharding.tensor import TensorSharding


def apply_shardings(module: Module, shardings: Shardings, *, even: bool = True) -> None:
    """Applies ``shardings`` to ``module``; they replace the shardings that the program has for the same tensors.

    If they have ``clear``, the shardings of other tensors are removed first. A program without a mesh gets that of the
    file; another mesh is replaced, if no remaining sharding names an axis of it. Dimensions of arguments and results
    must divide, unless ``even`` is false. A note is added to ``module.notes``, and ``module.hardware`` is set if they
    name hardware.

    Raises:
        ShardingProblem: a pattern that means nothing in the program, a sharding that does not fit a tensor or the mesh,
            a mesh that cannot be replaced; the program stays as it was.
        PyshardyError: the program with these shardings is illegal; it stays as it was, too.
    """
    if shardings.clear:
        # First on a copy, so that the program stays as it was if there is a mistake.
        copy = module.copy()
        clear_shardings(copy)
        _apply(copy, shardings, even)
        clear_shardings(module)
    _apply(module, shardings, even)
    if shardings.hardware is not None:
        module.hardware = shardings.hardware


@paused_collector()
def _apply(module: Module, shardings: Shardings, even: bool) -> None:
    meshes = MeshChoice(module, shardings.mesh, shardings.name)
    problems: list[str] = []
    chosen = _chosen(ShardableTensors(module), shardings, problems)
    new = _new_shardings(chosen, meshes, even, problems)
    if problems:
        raise ShardingProblem("\n".join(problems))
    meshes.check_replacement({tensor.slot for tensor, _ in chosen})
    inside = (placement.operation_holding(tensor.slot) for tensor, _ in new if not tensor.is_boundary)
    changing = dict.fromkeys(filter(None, (main_of(module), *inside)))
    before = [(op, op.properties, op.attributes) for op in (*changing, *meshes.operations())]
    said = len(module.context.diagnostics)
    added = meshes.write()
    placement.set_held_shardings((tensor.slot, sharding) for tensor, sharding in new)
    is_legal = verify(module.op, module.context)
    if not is_legal:
        for op, properties, attributes in before:
            rewriting.set_properties(op, properties)
            rewriting.set_attributes(op, attributes)
        if added is not None:
            rewriting.erase(added)
        raise module.context.failure(said)
    count = f"{len(new)} tensor{'' if len(new) == 1 else 's'}"
    module.notes.append(f"shardings of {shardings.name} were applied to {count}")


_Choice = tuple[ShardableTensor, ShardingLine]
"""A tensor and the line that shards it."""


def _chosen(tensors: ShardableTensors, shardings: Shardings, problems: list[str]) -> list[_Choice]:
    """The line for each tensor, the last one that matches it; lines that match nothing are added to ``problems``."""
    found: dict[ShardingSlot, _Choice] = {}
    for line in shardings.lines:
        meant = tensors.find(line.pattern)
        if not line.entry.optional and (not meant or ("{" in line.pattern and tensors.lacks_a_match(line.pattern))):
            problems.append(f"{line.where}: {tensors.no_match_text(line.pattern)}")
        for tensor in meant:
            found[tensor.slot] = tensor, line
    return list(found.values())


def _new_shardings(
    chosen: list[_Choice], meshes: MeshChoice, even: bool, problems: list[str]
) -> list[tuple[ShardableTensor, TensorSharding]]:
    """The sharding for each tensor; mistakes are added to ``problems``."""
    found: list[tuple[ShardableTensor, TensorSharding]] = []
    misfits: dict[str, list[tuple[str, str]]] = {}
    known: dict[tuple[int, tuple[int, ...], bool], TensorSharding | str] = {}
    for tensor, line in chosen:
        is_even = even and tensor.is_boundary
        key = id(line), tensor.type.shape, is_even
        sharding = known.get(key)
        if sharding is None:
            sharding = known[key] = _sharding_or_problem(tensor, line, meshes, is_even)
        if isinstance(sharding, str):
            misfits.setdefault(line.where, []).append((f"{tensor.name} ({tensor.type})", sharding))
        else:
            found.append((tensor, sharding))
    problems += [_misfit_text(where, listed) for where, listed in misfits.items()]
    return found


def _sharding_or_problem(
    tensor: ShardableTensor, line: ShardingLine, meshes: MeshChoice, even: bool
) -> TensorSharding | str:
    """The sharding of a line for a tensor, or why it does not fit; dimensions must divide if ``even`` is true."""
    try:
        name, mesh = meshes.of(line)
        shape = tensor.type.shape
        sharding = line.entry.sharding(mesh, name, shape)
        uneven = uneven_dimension(sharding, mesh, shape) if even else None
        return sharding if uneven is None else uneven
    except ShardingProblem as problem:
        return str(problem)


def _misfit_text(where: str, misfits: list[tuple[str, str]]) -> str:
    """A message about the tensors that a line does not fit: the reason for the first, and the names of the others."""
    (first, reason), *others = misfits
    if reason.startswith("the mesh") and all(problem == reason for _, problem in others):
        return f"{where}: {reason}"
    more = f"; nor does it fit {some_of([what for what, _ in others])}" if others else ""
    advice = "; a later line may say otherwise of single tensors" if others or "*" in where else ""
    return f"{where}: {first}: {reason}{more}{advice}"
