"""Finds the values that a region reads and that are defined outside of it, also in the functions that it calls.

A frame needs them before it runs the region; the ``Machine`` of ``frame`` remembers them during a run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from pyshardy.ir.attributes import SymbolRefAttr
from pyshardy.ir.opdef import COLLECTIVE
from pyshardy.ir.operation import Block, Operation, Region, Value

_OF_THE_DEVICE = frozenset(("stablehlo.partition_id", "stablehlo.replica_id"))


class RegionNeeds(NamedTuple):
    """What a region takes from around it: values, whether it asks which device it runs on, whether devices talk."""

    captures: tuple[Value, ...]
    device: bool
    collective: bool


class Regions:
    """The regions of a module with ``symbols``."""

    def __init__(self, symbols: Mapping[str, Operation]) -> None:
        self._symbols = symbols
        self._known: dict[Region, RegionNeeds] = {}

    def needs(self, region: Region) -> RegionNeeds:
        """What ``region`` takes from around it, calls included."""
        found = self._known.get(region)
        if found is None:
            # Entered before it is complete, for functions that call each other in a circle.
            self._known[region] = RegionNeeds((), False, False)
            found = self._known[region] = self._found(region)
        return found

    def _found(self, region: Region) -> RegionNeeds:
        inside: set[Value] = set()
        captures: dict[Value, None] = {}
        device = collective = False
        for block in region.blocks:
            for op in _all_operations(block):
                for nested in op.regions:
                    for inner in nested.blocks:
                        inside.update(inner.arguments)
                inside.update(op.results)
                device = device or op.name in _OF_THE_DEVICE
                collective = collective or bool(op.traits & COLLECTIVE)
                for name in _called(op):
                    callee = self._symbols.get(name)
                    if callee is not None and callee.regions:
                        needs = self.needs(callee.regions[0])
                        device, collective = device or needs.device, collective or needs.collective
            inside.update(block.arguments)
        for block in region.blocks:
            for op in _all_operations(block):
                captures.update((value, None) for value in op.operands if value not in inside)
        return RegionNeeds(tuple(captures), device, collective)


def _all_operations(block: Block) -> Iterable[Operation]:
    for op in block:
        yield from op.walk()


def _called(op: Operation) -> Iterable[str]:
    for name in ("callee", "decomposition"):
        value = op.properties.get(name)
        if isinstance(value, SymbolRefAttr):
            yield value.root
