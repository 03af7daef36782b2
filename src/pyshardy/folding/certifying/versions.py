"""Certificate: values of layers have the versions in the partitioner that they would have with all layers.

The partitioner knows of a value in which layouts it exists, and how it could be computed again in another layout: by a
recipe, or from smaller tensors. Operations do not show that, but what the partitioner makes of later operations depends
on it. So versions near the splice point have to be equal.

There is an exception. A chain that goes through all layers (the gradient of a value that all layers read is added up
layer by layer) may be computed again in more steps the more layers there are. That makes no difference if nobody needs
any value of the chain, or any that is computed from it element by element, in another layout than it has: then nobody
asks how it is computed again.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import pairwise

from pyshardy.emitting.sharded import Sharded
from pyshardy.folding.certifying.likeness import NeedsMoreLayers
from pyshardy.folding.certifying.splice import Splice
from pyshardy.folding.folded import NoCertificate
from pyshardy.ir.opdef import ELEMENTWISE
from pyshardy.ir.operation import Operation, Value
from pyshardy.partitioning.account.buffer_aliases import has_tensors_inside
from pyshardy.partitioning.account.executions import captured
from pyshardy.partitioning.localizing.recipes import LONGEST_CHAIN, may_make_recipes, recipe_key
from pyshardy.partitioning.localizing.registry import localizer

_BROADCAST = "stablehlo.broadcast_in_dim"


def compare_versions(splice: Splice, env: Mapping[Value, Sharded]) -> None:
    """Compares the versions of the values of layers near ``splice``, which ``env`` has.

    Raises:
        NeedsMoreLayers: only in the two layers at the splice point they are alike.
        NoCertificate: they differ.
    """
    folded = splice.folded
    series = range(len(folded.series))
    values: dict[int, list[Value]] = {
        layer: [result for one in series for op in splice.parts[one, layer] for result in op.results]
        for layer in splice.layers_compared()
    }
    versions = {layer: [_layouts(env[one]) for one in own] for layer, own in values.items()}
    expected = versions[folded.below]
    if versions[folded.end] != expected:
        raise NoCertificate("values of the layers at the splice point have other layouts")
    if any(one != expected for one in versions.values()):
        raise NeedsMoreLayers(folded)
    keys = {layer: [recipe_key(env[one]) for one in own] for layer, own in values.items()}
    growing = {number for own in keys.values() for number, key in enumerate(own) if key != keys[folded.below][number]}
    if growing and not _are_never_computed_again(splice, env, values, keys, growing):
        if keys[folded.end] == keys[folded.below]:
            raise NeedsMoreLayers(folded)
        raise NoCertificate("with more layers values are computed again in more steps")


def _layouts(sharded: Sharded) -> Hashable:
    layouts = tuple([one.layout for one in sharded.versions])
    return sharded.layout, sharded.recipe is None, layouts, len(sharded.masked or ())


def _are_never_computed_again(
    splice: Splice,
    env: Mapping[Value, Sharded],
    values: Mapping[int, Sequence[Value]],
    keys: Mapping[int, Sequence[Hashable]],
    growing: set[int],
) -> bool:
    """Whether the values number ``growing`` of each layer, whose recipe ``keys`` differ between layers, are certainly
    never recomputed, neither with few layers nor with all."""
    steps = 0
    for mine, its in pairwise(keys.values()):
        for number in growing:
            chain, other = mine[number], its[number]
            if isinstance(chain, int) and isinstance(other, int):
                steps = max(steps, abs(other - chain))
    reached = {own[number]: None for own in values.values() for number in growing}
    for op in splice.block:
        if any(value in reached for value in (*op.operands, *(captured(op) if op.regions else ()))):
            if has_tensors_inside(op) or op.name == "func.call":
                # What is in regions, or in a function, may compute them again, too.
                return False
            if _may_be_computed_again(op, env):
                reached.update(dict.fromkeys(op.results))
    for value in reached:
        tensor = env[value]
        if tensor.layout.mesh is not None or len(tensor.versions) > 1:
            return False
        chain = recipe_key(tensor)
        # With all layers a chain that is too long would have no recipe.
        if isinstance(chain, int) and chain + steps * splice.folded.count > LONGEST_CHAIN:
            return False
    return True


def _may_be_computed_again(op: Operation, env: Mapping[Value, Sharded]) -> bool:
    """Whether the results of ``op`` may be computed again from its operands, now or with all layers."""
    tensors = [env[result] for result in op.results]
    return (
        bool(op.traits & ELEMENTWISE)
        or op.name == _BROADCAST
        or may_make_recipes(localizer(op.name))
        or any(one.recipe is not None or one.rematerialize is not None for one in tensors)
    )
