"""What functions would be called if no layer had been left out.

Passes make functions of computations, one after the other, and give those whose name is taken a number that only grows.
So a name says how many were made before, those of the layers included that are not there. ``few_layers`` stands right
of this file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pyshardy.dialects.func import callee
from pyshardy.ir import rewriting
from pyshardy.ir.attributes import StringAttr
from pyshardy.ir.layers_to_come import Exported, LayersToCome
from pyshardy.ir.locations import Location
from pyshardy.ir.operation import Operation
from pyshardy.partitioning.seam import Unlike
from pyshardy.partitioning.short_copy import ShortCopy
from pyshardy.passes.call_graph import free_name, set_callee


def full_names(short: ShortCopy, left: LayersToCome) -> dict[str, str]:
    """What the functions that passes made of ``short`` would be called with all layers, by what they are called.

    Raises:
        Unlike: that cannot be said.
    """
    runs = list(_runs(short, left.exported))
    few = [one for _, run in runs for one in run]
    if _names(few, left.taken) != [one.given for one in few]:
        raise Unlike
    below, count = short.first - 1, short.end - short.first
    layers = [layer for layer, _ in runs]
    everything: list[Exported] = []
    kept: list[int] = []
    for number, (layer, run) in enumerate(runs):
        ascending = layers[number : number + 2] == [below, short.end]
        descending = layers[number : number + 2] == [short.end, below]
        if layer == below and not ascending and layers[max(number - 1, 0) : number + 1] != [short.end, below]:
            raise Unlike
        kept += range(len(everything), len(everything) + len(run))
        everything += run
        if ascending or descending:
            alike = runs[number + 1][1]
            if [one.wanted for one in run] != [one.wanted for one in alike]:
                raise Unlike
            everything += alike * count
    full = _names(everything, left.taken)
    return {one.given: full[place] for one, place in zip(few, kept, strict=True)}


def _runs(short: ShortCopy, exported: Iterable[Exported]) -> Iterator[tuple[int | None, list[Exported]]]:
    """What was made one after the other of computations of a layer; those inside of others come before them."""
    layers = _layers_of_calls(short)
    runs: list[tuple[int | None, list[Exported]]] = []
    inner: list[Exported] = []
    for one in exported:
        inner.append(one)
        if one.location in layers:
            layer = layers[one.location]
            if runs and runs[-1][0] == layer:
                runs[-1][1].extend(inner)
            else:
                runs.append((layer, inner))
            inner = []
    if inner:
        raise Unlike
    return iter(runs)


def _layers_of_calls(short: ShortCopy) -> dict[int | Location | None, int | None]:
    """Where in the function calls stand, and of which layer they are."""
    repetition = short.repetition
    found: dict[int | Location | None, int | None] = {}
    for op in short.copies:
        for nested in op.operations() if op.regions else (op,):
            if nested.name == "func.call":
                if nested.location in found:
                    raise Unlike
                found[nested.location] = repetition.layer(repetition.numbers[op])
    return found


def _names(exported: Iterable[Exported], taken: Iterable[str]) -> list[str]:
    """What functions are called that are made in this order, if these names are ``taken``."""
    symbols, number = set(taken), 0
    found = []
    for one in exported:
        name = one.wanted
        if name in symbols:
            name, number = free_name(name, number, symbols)
        symbols.add(name)
        found.append(name)
    return found


def rename_functions(module: Operation, names: dict[str, str]) -> None:
    """Gives functions of ``module``, and calls of them, other names."""
    changed = {name: other for name, other in names.items() if name != other}
    if not changed:
        return
    for op in module.operations():
        if op.name == "func.call" and callee(op) in changed:
            set_callee(op, changed[callee(op)])
        elif op.name == "func.func" and op.symbol_name in changed:
            rewriting.set_properties(op, op.properties.with_("sym_name", StringAttr(changed[op.symbol_name])))
