"""The differences between two plans: figures, shardings of tensors, collectives.

``page`` shows them in a view of their own.
"""

from __future__ import annotations

from collections import Counter

from pyshardy.analysis.cost.step_cost import Cost
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.dialects.sdy import placement
from pyshardy.partitioning.plan import Plan
from pyshardy.reading.sharding_files.paths import path_of_name
from pyshardy.report.alike import alike
from pyshardy.report.words import one_line, seconds_text, size_text
from pyshardy.searching.sharding_lines import braced
from pyshardy.sharding.axes import axes_text

Json = dict[str, object]
Row = list[str]
_LONGEST = 110


def differences(first: Plan, second: Plan, names: tuple[str, str], costs: tuple[Cost | None, Cost | None]) -> Json:
    """The differences, as data for the page's script."""
    shown = names if names[0] != names[1] else ("first", "second")
    return {
        "names": list(shown),
        "verdict": _verdict(first, second, shown, costs),
        "figures": _figures(first, second, costs),
        "tensors": _tensors(first, second),
        "collectives": _collectives(first, second),
    }


def _verdict(first: Plan, second: Plan, names: tuple[str, str], costs: tuple[Cost | None, Cost | None]) -> str:
    """A sentence that says which plan is better, and how its memory compares: ``megatron: 1.17 s instead of 1.79 s, 4.9
    times the memory``."""
    moved = _received(first), _received(second)
    one, other = costs
    if one is None or other is None:
        better = 1 if moved[1] < moved[0] else 0
        figures = [f"each device receives {size_text(moved[better])} instead of {size_text(moved[1 - better])}"]
        peaks = first.memory.peak, second.memory.peak
    else:
        seconds = one.step_seconds.expected, other.step_seconds.expected
        fits = one.fits, other.fits
        better = (1 if fits[1] else 0) if fits[0] != fits[1] else (1 if seconds[1] < seconds[0] else 0)
        same = seconds_text(seconds[0]) == seconds_text(seconds[1])
        texts = seconds_text(seconds[better]), seconds_text(seconds[1 - better])
        figures = [f"{texts[0]} as well" if same else f"{texts[0]} instead of {texts[1]}"]
        if fits[0] != fits[1]:
            figures.append(f"fits, which {names[1 - better]} does not")
        elif not fits[0]:
            figures.append("neither fits")
        peaks = one.peak_bytes, other.peak_bytes
    return f"{names[better]}: {', '.join([*figures, _times(peaks[better], peaks[1 - better])])}"


def _times(size: float, other: float) -> str:
    """The ratio of the memory to the other's, as text."""
    if size_text(size) == size_text(other):
        return "the same memory"
    if size > 1.1 * other:
        return f"{size / (other or 1):.1f} times the memory"
    if size > other:
        return f"{size_text(size - other)} more memory"
    return f"{100 * size / other:.0f} % of the memory"


def _figures(first: Plan, second: Plan, costs: tuple[Cost | None, Cost | None]) -> list[Row]:
    one, other = costs
    peaks = [
        cost.peak_bytes if cost is not None else plan.memory.peak for cost, plan in ((one, first), (other, second))
    ]
    rows = [
        ["devices", str(first.devices), str(second.devices)],
        ["peak of memory", *map(size_text, peaks)],
        ["arguments on a device", size_text(first.memory.arguments), size_text(second.memory.arguments)],
        ["each device receives", size_text(_received(first)), size_text(_received(second))],
        ["collectives", str(len(first.collectives)), str(len(second.collectives))],
    ]
    if one is not None and other is not None:
        rows.insert(0, ["a step takes", *map(_step_text, (one, other))])
    return [row for row in rows if row[1] != row[2]]


def _step_text(cost: Cost) -> str:
    """The expected time, and the bounds if they differ."""
    step = cost.step_seconds
    least, most = seconds_text(step.full_overlap), seconds_text(step.no_overlap)
    return seconds_text(step.expected) + (f" ({least} to {most})" if least != most else "")


def _received(plan: Plan) -> float:
    return sum(one.run_bytes for one in plan.collectives)


def _tensors(first: Plan, second: Plan) -> list[list[object]]:
    """Arguments and results of both programs whose shardings differ: those with the same shardings are one row, named
    by a pattern, with all their names."""
    one, other = _boundary(first), _boundary(second)
    groups: dict[tuple[str, str], list[str]] = {}
    for name in dict.fromkeys([*one, *other]):
        pair = one.get(name, ""), other.get(name, "")
        if pair[0] != pair[1]:
            groups.setdefault(pair, []).append(name)
    return [[_pattern(names), f"×{len(names)}", *pair, names] for pair, names in groups.items()]


def _pattern(names: list[str]) -> str:
    """One name, or a pattern for all."""
    if len(names) == 1:
        return names[0]
    paths = [path_of_name(group.name) for group in alike(names, str, lambda _: None)]
    return one_line(braced(paths), _LONGEST)


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
