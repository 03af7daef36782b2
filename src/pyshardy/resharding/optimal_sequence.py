"""The sequence of collectives from one layout to another that moves the fewest bytes, and of these the one with the
fewest collectives.

Shardy's sequence is the upper bound, and the answer if the search finds nothing better in time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from math import prod

from pyshardy.resharding.axis_alignment import Layout
from pyshardy.resharding.axis_atoms import Atoms
from pyshardy.resharding.collective_steps import (
    CollectiveStep,
    all_gather,
    all_reduce,
    all_slice,
    all_to_all,
    collective_permute,
    elements_moved,
    fused,
    reduce_scatter,
)
from pyshardy.resharding.layout_search import LayoutMove, LayoutSearch, SequencePrice
from pyshardy.resharding.shard_places import placed_alike
from pyshardy.sharding.axes import AxisRef, sort_and_merge
from pyshardy.sharding.mesh import Mesh


def optimal_sequence(
    bound: Sequence[CollectiveStep],
    mesh: Mesh,
    source: Layout,
    target: Layout,
    shape: Sequence[int],
    unreduced: Sequence[AxisRef] = (),
    target_mesh: Mesh | None = None,
    kept: Sequence[AxisRef] = (),
    permute_surcharge: int = 0,
) -> list[CollectiveStep]:
    """The cheapest steps from ``source`` to ``target`` by the byte model, at most as expensive as ``bound``.

    Args:
      bound: some sequence from ``source`` to ``target``, the answer if no better one is found.
      mesh: the mesh of ``source``.
      source: the axes of each dimension, from major to minor.
      target: the same after the last step.
      shape: of the whole tensor; a dynamic size counts as 1.
      unreduced: axes over which the tensor is unreduced before, and reduced afterwards.
      target_mesh: the mesh of ``target``, with the same axes and another order of devices; None for the same mesh.
      kept: axes over which the tensor is unreduced before and afterwards.
      permute_surcharge: the cost of a permute, in elements, besides the elements that it moves.
    """
    bound = fused(bound)
    try:
        atoms = Atoms(mesh, [*chain.from_iterable((*source, *target)), *unreduced, *kept])
    except ValueError:
        return bound
    before = target_mesh is not None and placed_alike(source, mesh, source, target_mesh) and not unreduced
    after = target_mesh is not None and not before and placed_alike(target, mesh, target, target_mesh)
    renamed = before or after  # Then a permute at the source or at the target moves nothing.
    scale = prod(axis.size for axis in mesh.axes) ** 2
    search = LayoutSearch(
        atoms.sizes,
        atoms.layout(source),
        atoms.layout(target),
        atoms.numbers(unreduced),
        shape,
        scale=scale,
        must_permute=target_mesh is not None and not renamed,
        kept=atoms.numbers(kept),
        permute_surcharge=permute_surcharge,
    )
    price = _price(bound, source, shape, mesh, target_mesh, scale, permute_surcharge)
    if price <= SequencePrice(search.lower_bound(), 1, 1) and not renamed:
        return bound
    moves = search.run(price)
    if moves is None:
        return bound
    steps = fused(_steps(moves, atoms, mesh, on_target_mesh=target_mesh is None or before, stays=after))
    if before:
        steps.insert(0, collective_permute(source))
    elif after:
        steps.append(collective_permute(target))
    return steps


def _price(
    steps: Sequence[CollectiveStep],
    source: Layout,
    shape: Sequence[int],
    mesh: Mesh,
    target_mesh: Mesh | None,
    scale: int,
    permute_surcharge: int,
) -> SequencePrice:
    permutes = sum(step.name == "sdy.collective_permute" for step in steps)
    received = (elements_moved(steps, source, shape, mesh, target_mesh) + permutes * permute_surcharge) * scale
    return SequencePrice(int(received), sum(step.name != "sdy.all_slice" for step in steps), len(steps))


# --- steps of moves ---------------------------------------------------------------------------------------------------


def _steps(
    moves: Iterable[LayoutMove], atoms: Atoms, mesh: Mesh, *, on_target_mesh: bool, stays: bool
) -> list[CollectiveStep]:
    """The moves as steps. A permute changes to the target's mesh, unless ``stays`` says that the tensor stays on the
    source's."""
    steps: list[CollectiveStep] = []
    for move in _with_merged_slices(moves):
        dims = [atoms.axes(numbers) for numbers in move.layout]
        on_target_mesh = on_target_mesh or (move.name == "collective_permute" and not stays)
        unreduced = tuple(sort_and_merge(atoms.axes(move.unreduced), mesh))
        step = _step(move, atoms, mesh, dims, on_target_mesh)
        steps.append(step._replace(on_target_mesh=on_target_mesh, unreduced=unreduced))
    return steps


def _with_merged_slices(moves: Iterable[LayoutMove]) -> list[LayoutMove]:
    joined: list[LayoutMove] = []
    for move in moves:
        if move.name == "all_slice" and joined and joined[-1].name == "all_slice":
            lists = tuple(a + b for a, b in zip(joined[-1].lists, move.lists, strict=True))
            joined[-1] = move._replace(lists=lists)
        else:
            joined.append(move)
    return joined


def _step(
    move: LayoutMove, atoms: Atoms, mesh: Mesh, dims: list[list[AxisRef]], on_target_mesh: bool
) -> CollectiveStep:
    lists = [atoms.axes(numbers) for numbers in move.lists]
    match move.name:
        case "all_slice":
            return all_slice(lists, dims, on_target_mesh)
        case "all_gather":
            return all_gather(lists, dims, on_target_mesh)
        case "reduce_scatter":
            return reduce_scatter(lists, dims, on_target_mesh)
        case "all_reduce":
            return all_reduce(sort_and_merge(lists[0], mesh), dims, on_target_mesh)
        case "collective_permute":
            return collective_permute(dims)
    parts = [(axes, *ends) for axes, ends in zip(lists, move.ends, strict=True)]
    return all_to_all(parts, dims, on_target_mesh)
