"""The result of ``pyshardy check`` as a table and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TextIO

from pyshardy.report.console import open_console
from pyshardy.report.rows import Rows
from pyshardy.report.words import counted, left_out

if TYPE_CHECKING:
    from pyshardy.checking.verdicts import CheckReport

_MOST_ROWS = 64


def print_check(report: CheckReport, out: TextIO) -> None:
    """Writes the outcome of a check to ``out``: the results that are not simply equal, or all if all are."""
    console = open_console(out)
    weak = [one for one in report.results if not one.agrees] or [one for one in report.results if one.reason]
    shown = weak or list(report.results)
    table = Rows("check", ("", "type", "verdict", "why"), numbers=0, whole=("verdict",))
    for one in shown[:_MOST_ROWS]:
        table.add((one.name, one.type, one.verdict.value, one.reason), "green" if one.agrees else "red")
    table.print(console)
    if len(shown) > _MOST_ROWS:
        console.print(left_out(len(shown) - _MOST_ROWS, "--json lists all"), markup=False)
    if report.first_wrong is not None:
        console.print(f"first wrong operation: {report.first_wrong}", markup=False, highlight=False)
    console.print(
        f"{outcome(report)}: the global program against {counted(report.devices, 'device')}, {report.evaluation} "
        f"evaluation, {compared_parts(report)}{counted(report.runs, 'run')} from seed {report.seed}, "
        f"{report.seconds:.1f} s",
        markup=False,
        style="bold green" if report.agrees else "bold red",
    )


def compared_parts(report: CheckReport) -> str:
    """The number of parts that were compared alone, in words, followed by a comma."""
    if not report.parts:
        return ""
    like_them = f" ({report.alike} more are like them)" if report.alike else ""
    return f"{counted(report.parts, 'part')} compared alone{like_them}, "


def outcome(report: CheckReport) -> str:
    """The number of results with each verdict, in words."""
    counts: dict[str, int] = {}
    for one in report.results:
        counts[one.verdict.value] = counts.get(one.verdict.value, 0) + 1
    total = len(report.results)
    if len(counts) <= 1:
        verdict = next(iter(counts), "equal")
        verb = "" if verdict == "says nothing" else "is " if total == 1 else "are "
        verdict = "say nothing" if verdict == "says nothing" and total != 1 else verdict
        return f"the result {verb}{verdict}" if total == 1 else f"all {total} results {verb}{verdict}"
    return "of " + counted(total, "result") + " " + ", ".join(f"{count} {verdict}" for verdict, count in counts.items())


def check_as_json(report: CheckReport) -> dict[str, Any]:
    """The outcome as data; docs/check.md has the schema."""
    wrong = report.first_wrong
    return {
        "notes": list(report.notes),
        "agrees": report.agrees,
        "evaluation": report.evaluation,
        "devices": report.devices,
        "seed": report.seed,
        "runs": report.runs,
        "parts": report.parts,
        "alike": report.alike,
        "results": [
            {
                "index": one.index,
                "name": one.name,
                "type": one.type,
                "verdict": one.verdict.value,
                "reason": one.reason,
                "error": one.error,
                "agrees": one.agrees,
            }
            for one in report.results
        ],
        "first_wrong": None
        if wrong is None
        else {
            "operation": wrong.operation,
            "location": wrong.location,
            "source": wrong.source,
            "device": wrong.difference.device,
            "element": list(wrong.difference.element),
            "expected": wrong.difference.expected,
            "found": wrong.difference.found,
        },
    }
