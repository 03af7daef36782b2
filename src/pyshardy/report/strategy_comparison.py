"""Compares plans: the costs of each on a device, and the best plan for each figure.

It is made from plans of one program under different shardings; ``strategy_tables`` prints it, ``as_json`` returns the
documented JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

from pyshardy.ir.types import TensorType
from pyshardy.partitioning.account.memory_model import type_bytes
from pyshardy.report.strategy_cost import ComparedRow, ReplicatedTensor, StrategyCost
from pyshardy.report.traffic import traffic
from pyshardy.report.words import mesh_text

if TYPE_CHECKING:
    from pyshardy.emitting.collectives import Collective
    from pyshardy.partitioning.boundary import Boundary
    from pyshardy.partitioning.plan import Plan

LARGE = 1 << 20
"""The size from which on a replicated tensor is listed."""


Figure = Callable[[StrategyCost], float]


@dataclass(frozen=True, repr=False)
class StrategyComparison:
    """The costs of several strategies for one program; tensors of at least ``replicated_above`` bytes are large."""

    strategies: tuple[StrategyCost, ...]
    replicated_above: int

    @property
    def rows(self) -> tuple[ComparedRow, ...]:
        """The compared figures, one row for each."""
        axes = dict.fromkeys(axes for one in self.strategies for axes in one.by_axes)
        rows = [
            self._row("memory.arguments", "arguments", lambda one: one.argument_bytes),
            self._row("memory.peak", "peak of memory", lambda one: one.peak_bytes),
            self._row("bytes", "received in collectives", lambda one: one.traffic.run_bytes),
        ]
        rows += [self._axes_row(one) for one in sorted(axes)]
        rows.append(self._row("collectives", "collectives", lambda one: one.traffic.count, is_size=False))
        if any(one.traffic.is_repeated for one in self.strategies):
            rows.append(self._row("runs", "with all iterations of loops", lambda one: one.traffic.runs, is_size=False))
        rows.append(self._row("padding", "padding", lambda one: one.padding))
        rows.append(self._row("replicated", "large and replicated", lambda one: len(one.replicated), is_size=False))
        return tuple(rows)

    def _axes_row(self, axes: str) -> ComparedRow:
        return self._row(f"bytes_by_axes.{axes}", f"  along {axes}", lambda one: one.by_axes.get(axes, 0.0))

    def _row(self, key: str, title: str, figure: Figure, *, is_size: bool = True) -> ComparedRow:
        return ComparedRow(key, title, tuple(figure(one) for one in self.strategies), is_size)

    def as_json(self) -> dict[str, object]:
        """The comparison as plain values; docs/shardings.md describes the schema."""
        names = [one.name for one in self.strategies]
        return {
            "replicated_above": self.replicated_above,
            "strategies": [one.as_json() for one in self.strategies],
            "best": {row.key: [names[number] for number in row.best] for row in self.rows},
        }

    def report(self) -> str:
        """The table that ``pyshardy compare`` prints."""
        from pyshardy.report.console import printed

        return printed(self.print)

    def print(self, out: TextIO) -> None:
        """Writes the table to ``out``."""
        from pyshardy.report.strategy_tables import print_comparison

        print_comparison(self.strategies, self.rows, self.replicated_above, out)

    def __repr__(self) -> str:
        return f"<StrategyComparison of {', '.join(one.name for one in self.strategies)}>"


def compare(plans: Mapping[str, Plan], *, replicated_above: int = LARGE) -> StrategyComparison:
    """The costs of several plans of a program, by their names; ``report()`` of the result is a table.

    Arguments and results of at least ``replicated_above`` bytes that every device has whole are listed.

    Raises:
        ValueError: there are no plans.
        TypeError: they are something else, or not by name.

    >>> from pyshardy import parse, partition
    >>> module = parse('''
    ... func.func @main(%a: tensor<8x2xf32> loc("x")) -> tensor<8x2xf32> { return %a : tensor<8x2xf32> }''')
    >>> plans = {}
    >>> for name, axis in {"split": ["data"], "whole": []}.items():
    ...     one = module.copy()
    ...     one.apply_shardings({"mesh": {"data": 4}, "shardings": {"**": axis}})
    ...     plans[name] = partition(one)
    >>> compare(plans).rows[0]
    ComparedRow(key='memory.arguments', title='arguments', values=(16, 64), is_size=True)
    """
    from pyshardy.partitioning.plan import Plan

    if not isinstance(plans, Mapping):
        raise TypeError(f"compare takes a dictionary with plans by their names, not a {type(plans).__name__}")
    for name, plan in plans.items():
        if not isinstance(plan, Plan):
            kind = type(plan).__name__
            raise TypeError(f"compare takes plans, as pyshardy.partition makes them; {name!r} is a {kind}")
    if not plans:
        raise ValueError("there are no plans to compare")
    return StrategyComparison(
        tuple(strategy_cost(name, plan, replicated_above) for name, plan in plans.items()), replicated_above
    )


def strategy_cost(name: str, plan: Plan, replicated_above: int = LARGE) -> StrategyCost:
    """The costs of ``plan``, under ``name``."""
    by_axes: dict[str, list[Collective]] = {}
    for one in plan.collectives:
        by_axes.setdefault(_axes_text(one), []).append(one)
    names = plan.names.boundary
    boundary = [*zip(names.arguments, plan.arguments, strict=True), *zip(names.results, plan.results, strict=True)]
    return StrategyCost(
        name,
        mesh_text(plan.mesh_name or "", plan.mesh) if plan.mesh is not None else "",
        plan.devices,
        plan.memory.arguments,
        plan.memory.results,
        plan.memory.peak,
        traffic(plan.collectives),
        {axes: traffic(found).run_bytes for axes, found in by_axes.items()},
        sum(one.padding for _, one in boundary),
        tuple(_replicated(boundary, replicated_above)) if plan.devices > 1 else (),
    )


def _axes_text(collective: Collective) -> str:
    names = [one.body_text.replace('"', "") for one in collective.axes]
    return ", ".join(names) if names else "the program's own"


def _replicated(boundary: list[tuple[str, Boundary]], above: int) -> list[ReplicatedTensor]:
    return [
        ReplicatedTensor(name, type_bytes(one.type))
        for name, one in boundary
        if isinstance(one.type, TensorType)
        and tuple(one.local_shape) == tuple(one.type.shape)
        and type_bytes(one.type) >= above
    ]
