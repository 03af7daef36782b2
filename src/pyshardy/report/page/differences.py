"""Two plans side by side, only what differs: figures, tensors sharded otherwise, collectives.

``page`` shows them in a view of their own.
"""

from __future__ import annotations

from collections import Counter

from pyshardy.analysis.cost.step_cost import Cost
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.dialects.sdy import placement
from pyshardy.partitioning.plan import Plan
from pyshardy.report.words import seconds_text, size_text
from pyshardy.sharding.axes import axes_text

Json = dict[str, object]
Row = list[str]


def differences(first: Plan, second: Plan, names: tuple[str, str], costs: tuple[Cost | None, Cost | None]) -> Json:
    """What differs, as the page's script shows it."""
    return {
        "names": list(names) if names[0] != names[1] else ["first", "second"],
        "figures": _figures(first, second, costs),
        "tensors": _tensors(first, second),
        "collectives": _collectives(first, second),
    }


def _figures(first: Plan, second: Plan, costs: tuple[Cost | None, Cost | None]) -> list[Row]:
    rows = [
        ["devices", str(first.devices), str(second.devices)],
        ["peak of memory", size_text(first.memory.peak), size_text(second.memory.peak)],
        ["arguments on a device", size_text(first.memory.arguments), size_text(second.memory.arguments)],
        ["each device receives", size_text(_received(first)), size_text(_received(second))],
        ["collectives", str(len(first.collectives)), str(len(second.collectives))],
    ]
    if costs[0] is not None and costs[1] is not None:
        one, other = (
            f"{seconds_text(cost.step_seconds.expected)} ({seconds_text(cost.step_seconds.full_overlap)} to "
            f"{seconds_text(cost.step_seconds.no_overlap)})"
            for cost in (costs[0], costs[1])
        )
        rows.append(["a step takes", one, other])
    return [row for row in rows if row[1] != row[2]]


def _received(plan: Plan) -> float:
    return sum(one.run_bytes for one in plan.collectives)


def _tensors(first: Plan, second: Plan) -> list[Row]:
    """Arguments and results by name; those of both programs whose shardings differ."""
    one, other = _boundary(first), _boundary(second)
    return [
        [name, one.get(name, ""), other.get(name, "")]
        for name in dict.fromkeys([*one, *other])
        if one.get(name, "") != other.get(name, "")
    ]


def _boundary(plan: Plan) -> dict[str, str]:
    module = plan.correspondence.module
    entry = functions_by_name(module.op)[plan.entry]
    names = plan.names.boundary
    found = {}
    for index, name in enumerate(names.arguments):
        sharding = placement.function_argument_sharding(entry, index)
        found[name] = sharding.body_text if sharding is not None else "no sharding"
    for index, name in enumerate(names.results):
        sharding = placement.function_result_sharding(entry, index)
        found[name] = sharding.body_text if sharding is not None else "no sharding"
    return found


def _collectives(first: Plan, second: Plan) -> list[Row]:
    one, other = _by_kind(first), _by_kind(second)
    rows = []
    for key in sorted({*one, *other}, key=lambda key: -max(one[key], other[key])):
        texts = [size_text(amounts[key]) for amounts in (one, other)]
        if texts[0] != texts[1]:
            rows.append([key, *texts])
    return rows


def _by_kind(plan: Plan) -> Counter[str]:
    found: Counter[str] = Counter()
    for one in plan.collectives:
        axes = axes_text(one.axes) if one.axes else "the program's own"
        found[f"{one.kind} {axes}"] += round(one.run_bytes)
    return found
