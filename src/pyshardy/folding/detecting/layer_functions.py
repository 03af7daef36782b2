"""Detection: functions that belong to layers, because each layer calls one of its own.

``jax.jit`` or ``jax.checkpoint`` around a layer makes a private function of each layer: ``checkpoint_3`` is called by
layer 3 alone, and differs from ``checkpoint_2`` in nothing but its name. Such a function is left out and unfolded
together with its layer. ``comparison`` compares calls of two layers and enters here which functions are counterparts;
``parts`` compares the functions again in what the stages have made of the folded program.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from pyshardy.dialects.func import callee, is_declaration, is_private
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.ir.locations import Location
from pyshardy.ir.operation import Operation
from pyshardy.ir.operation_kinds import OperationKinds
from pyshardy.ir.symbol_references import symbol_references


class Locations(NamedTuple):
    """The locations of an operation and of the arguments of its regions."""

    own: int | Location | None
    arguments: Sequence[int | Location | None]

    @classmethod
    def of(cls, op: Operation) -> Locations:
        inside = [one.location for one in op.block_arguments()]
        return cls(op.location, inside)


class CallSite(NamedTuple):
    """The layer that a function belongs to, and its ``caller``: the number of the operation of the function that is
    folded that calls it or has the call inside, in a region or through another function."""

    layer: int
    caller: int


class Functions:
    """The functions of the module of ``function``; ``kinds`` are those of all operations of the module."""

    def __init__(self, function: Operation, kinds: OperationKinds) -> None:
        module = function.parent_op
        self.all = {} if module is None else functions_by_name(module)
        calls: Counter[str] = Counter()
        for number, op in enumerate(kinds.examples) if len(self.all) > 1 else ():
            if op.name == "func.call":
                calls[callee(op)] += kinds.counts[number]
        once = {
            name: one
            for name, one in self.all.items()
            if calls[name] == 1 and is_private(one) and not is_declaration(one)
        }
        named = _named_otherwise(kinds) if once else ()
        self.called_once = {name: one for name, one in once.items() if name not in named}
        """Those that have a single call, and may belong to a layer."""


class LayerFunctions:
    """Which of the ``functions`` belong to layers of one stack; ``pair`` enters them, and which function of the
    layer below is the counterpart of each."""

    def __init__(self, functions: Functions) -> None:
        self.all, self._called_once = functions.all, functions.called_once
        self._below: dict[str, str] = {}
        self._above: dict[str, str] = {}
        self._call_sites: dict[str, CallSite] = {}
        self._chains: dict[str, tuple[list[str], int]] = {}
        """For each of them the functions that are counterparts, from the lowest layer up, and its place there."""

    def pair(self, lower: str, name: str, layer: int, numbers: tuple[int, int]) -> bool:
        """Enters function ``name``, which operation ``numbers[1]`` of ``layer`` calls, as the counterpart of ``lower``,
        which operation ``numbers[0]`` of the layer below calls, unless both are one function. False if it cannot be:
        each has to be called once. A function has one counterpart in the layer below and one in the layer above, the
        first that are entered."""
        if lower == name:
            return True
        if lower not in self._called_once or name not in self._called_once:
            return False
        mine, its = self._below.setdefault(name, lower), self._above.setdefault(lower, name)
        if mine != lower or its != name:
            return False
        self._call_sites.setdefault(lower, CallSite(layer - 1, numbers[0]))
        self._call_sites[name] = CallSite(layer, numbers[1])
        # ``repeats`` has compared the operations of both functions; here follow the functions that they call.
        pairs = zip(calls_in(self.all[lower]), calls_in(self.all[name]), strict=True)
        return all(self.pair(callee(one), callee(other), layer, numbers) for one, other in pairs)

    def __bool__(self) -> bool:
        """Whether any function belongs to a layer."""
        return bool(self._call_sites)

    def locations(self) -> dict[str, list[Locations]]:
        """The locations of the operations of each function that belongs to a layer, by its name."""
        return {name: [Locations.of(op) for op in self.all[name].operations()] for name in self._call_sites}

    def call_site(self, name: str) -> CallSite | None:
        """Where function ``name`` is called; None if it belongs to no layer."""
        return self._call_sites.get(name)

    def of_layers(self, first: int, end: int) -> set[str]:
        """The names of the functions that belong to layers ``first`` up to (excluding) ``end``."""
        return {name for name, site in self._call_sites.items() if first <= site.layer < end}

    def family(self, name: str) -> str | None:
        """The counterpart of function ``name`` in the lowest layer, which names the family; None if ``name`` belongs to
        no layer."""
        found = self._chain(name)
        return None if found is None else found[0][0]

    def counterpart(self, name: str, layers: int) -> str | None:
        """The counterpart of function ``name`` in the layer that is ``layers`` above; None if there is none."""
        found = self._chain(name)
        if found is None:
            return None
        chain, place = found
        return chain[place + layers] if 0 <= place + layers < len(chain) else None

    def _chain(self, name: str) -> tuple[list[str], int] | None:
        if name not in self._call_sites:
            return None
        if name not in self._chains:
            lowest = name
            while lowest in self._below:
                lowest = self._below[lowest]
            chain = [lowest]
            while chain[-1] in self._above:
                chain.append(self._above[chain[-1]])
            self._chains.update((one, (chain, place)) for place, one in enumerate(chain))
        return self._chains[name]


def calls_in(op: Operation) -> list[Operation]:
    """The calls in ``op``, ``op`` itself included."""
    if op.name == "func.call":
        return [op]
    return [one for one in op.operations() if one.name == "func.call"] if op.regions else []


def _named_otherwise(kinds: OperationKinds) -> set[str]:
    """The functions that operations other than calls name; ``kinds`` are those of all operations of the program."""
    dictionaries = {op.attributes for op in kinds.examples}
    dictionaries.update(op.properties for op in kinds.examples if op.name != "func.call")
    return {reference.root for reference in symbol_references(dictionaries)}
