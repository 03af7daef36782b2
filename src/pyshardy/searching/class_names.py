"""Names for dimension classes (batch, sequence, heads, …), guessed from the arguments that have them.

The names of weights suggest them: frameworks and papers use few names for the same matrices. A class that is not
recognised gets the name of one family that has it and the number of the dimension, ``wq.1``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence

from pyshardy.ir.types import IntegerType
from pyshardy.searching.dimension_classes import DimensionClasses
from pyshardy.searching.families import INPUT, Family

_EXPERTS = re.compile(r"expert|router|moe|gate_w")
_WORDS = {
    "heads": re.compile(r"^(w?[qkvo]|w_?[qkvo]|[qkvo]_?proj|qkv|query|key|value|attn_vec|out_proj|c_attn|wqkv)(_.*)?$"),
    "hidden": re.compile(
        r"^(w_?)?(up|gate|down|in|fc\d?|ff\d?|mlp|w[123]|wi(_\d)?|c_fc|dense_h.*|linear\d?|h)(_?proj)?$"
    ),
    "vocabulary": re.compile(r"embed|vocab|wte|lm_head|unembed|logits|tok|^out(put)?$|^head$"),
}
_ROWS = re.compile(r"down|fc2|w2|wo|out|ff2|linear2")
"""Names of matrices whose rows are hidden features."""
_WEIGHT_STEPS = frozenset({"kernel", "weight", "w", "value", "scale", "embedding"})


def class_names(
    listed: Sequence[Family],
    classes: DimensionClasses,
    batch: Sequence[int],
    candidates: Collection[int],
    volume: Callable[[int], int],
) -> dict[int, str]:
    """A name for each class of the families ``listed``; no two have the same. The classes of ``batch`` are known, only
    ``candidates`` can be sharded, and ``volume`` gives the number of elements of all tensors that have a class."""
    found: dict[int, str] = {}

    def give(one: int, name: str) -> None:
        if one not in found:
            found[one] = unique_name(name, set(found.values()), " ")

    for one in batch:
        give(one, "batch")
    for family in listed:
        holds_numbers = isinstance(family.type.element, IntegerType)
        if family.role == INPUT and holds_numbers and len(family.shape) > 1 and family.classes[0] in batch:
            give(family.classes[1], "sequence")
    for family in listed:
        for one in family.classes:
            if classes.is_sliced(one):
                give(one, "layers")
    weights = [family for family in listed if family.arguments and family.role != INPUT and len(family.shape) > 1]
    counts: dict[int, int] = {}
    for family in weights:
        for one in set(family.classes):
            counts[one] = counts.get(one, 0) + 1
    if counts:
        given = {one for family in listed if family.role == INPUT for one in family.classes}
        width = max(counts, key=lambda one: (counts[one], one in given, volume(one), -one))
        if counts[width] > 2 and counts[width] * 2 > len(weights):
            give(width, "features")
    for family in weights:
        if any(_EXPERTS.search(step.lower()) for step in family.path):
            # Matrices of experts are stacked; a router has a column for each expert.
            one = family.classes[0 if len(family.shape) > 2 else -1]
            if one not in found and "experts" not in found.values() and one in candidates:
                give(one, "experts")
    for word, pattern in _WORDS.items():
        for family in weights:
            step = next((each for each in reversed(family.path) if each not in _WEIGHT_STEPS), "")
            if not pattern.search(step.lower()) or any(found.get(one, "").startswith(word) for one in family.classes):
                continue
            free = [one for one in family.classes if one not in found and one in candidates]
            if word == "hidden" and not _ROWS.search(step.lower()):
                free.reverse()
            if word == "vocabulary":
                free.sort(key=lambda one: -classes.size(one))
            if free:
                give(free[0], word)
            if word == "heads":
                for one in free[1:]:
                    give(one, "head size")
    if "experts" not in found.values():
        stacked = _stacked_in_several(weights, found)
        if stacked is not None and stacked in candidates:
            give(stacked, "experts")
    for family in listed:
        for place, one in enumerate(family.classes):
            give(one, f"{family.path[-1] if family.path else family.name}.{place}")
    return found


def unique_name(name: str, taken: Collection[str], blank: str) -> str:
    """``name`` if it is not ``taken``, else ``name``, ``blank`` and the first number from 2 on that makes it unique."""
    unique, number = name, 2
    while unique in taken:
        unique, number = f"{name}{blank}{number}", number + 1
    return unique


def _stacked_in_several(weights: Sequence[Family], found: Mapping[int, str]) -> int | None:
    """The class that several weights stack matrices along, as (experts, …, …) do; None if there is none."""
    first: dict[int, int] = {}
    for family in weights:
        inside = [one for one in family.classes if not found.get(one, "").startswith("layers")]
        if len(inside) == 3 and inside[0] not in found:
            first[inside[0]] = first.get(inside[0], 0) + 1
    several = [one for one, count in first.items() if count > 1]
    return several[0] if several else None
