"""``pyshardy report``: a plan as one self-contained page.

``page_data`` makes the data of its script, ``answer`` the cards at the top, ``pictures`` the static pictures;
``document`` puts them into ``assets/page.html``.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from pyshardy.analysis.cost.memory_timeline import memory_timeline
from pyshardy.analysis.cost.operation_times import operation_times
from pyshardy.analysis.cost.schedule import schedule_of
from pyshardy.analysis.cost.step_cost import Cost
from pyshardy.analysis.cost.targets import AnyHardware
from pyshardy.analysis.why.explainer import Explainer
from pyshardy.ir.collector import paused_collector
from pyshardy.ir.whole_files import write_whole
from pyshardy.report.page.answer import answer_cards
from pyshardy.report.page.colours import axis_colours
from pyshardy.report.page.computation_parts import computation_parts
from pyshardy.report.page.cost_data import CostData
from pyshardy.report.page.differences import differences
from pyshardy.report.page.document import environment, filled
from pyshardy.report.page.largest_costs import largest_costs
from pyshardy.report.page.page_data import Json, PageData
from pyshardy.report.page.program_paths import ProgramPaths
from pyshardy.report.page.report import Report
from pyshardy.report.page.step_lanes import KINDS, one_iteration, step_lanes
from pyshardy.report.page.tried_edits import TriedEdits
from pyshardy.report.words import counted, mesh_text

if TYPE_CHECKING:
    import jinja2

_SCRIPTS = ("make.js", "elements.js", "outline.js", "details.js", "tiles.js", "memory.js", "views.js", "main.js")
"""The files of the script; each uses only those before it."""


def page_text(report: Report, other: Report | None = None) -> str:
    """The page as a document; with ``other`` also the differences to that plan.

    Raises:
        MissingExtra: a package that draws it is not installed.
    """
    templates = environment()
    with paused_collector():
        return _drawn(report, other, templates)


def _drawn(report: Report, other: Report | None, templates: jinja2.Environment) -> str:
    from markupsafe import Markup as safe

    from pyshardy.report.page import pictures

    explainer, timed, cost = report.explainer, report.timed, report.cost
    times = operation_times(timed) if timed is not None else None
    timeline = memory_timeline(report.plan, timed)
    paths = ProgramPaths(explainer)
    parts, works = computation_parts(timed, explainer.traced, paths) if timed is not None else ([], [])
    edits = TriedEdits(explainer.traced.source, fits=cost is None or cost.fits)
    columns = PageData(explainer, times, edits.of_collectives(report.conflicts.causes), paths)
    capacity = report.hardware.chip.capacity if report.hardware is not None else None
    given = f"{report.path} --shardings {report.shardings}" if report.shardings else report.path
    data: Json = columns.as_json() | {"given": given}
    costs = CostData(explainer, columns.texts, columns.operation_numbers)
    data["memory"] = costs.memory(timeline, capacity)
    shown = [report] if other is None else [report, other]
    data["colours"] = axis_colours(mesh for one in shown for mesh in one.explainer.traced.meshes.values())
    if other is not None:
        data["differences"] = differences(report.plan, other.plan, _names(report, other), (cost, other.cost))
    time_picture = turn_picture = ""
    if timed is not None and cost is not None:
        schedule = schedule_of(timed)
        turn = one_iteration(schedule)
        data["time"] = _time(cost) | {"turn": turn.title if turn is not None else ""} | costs.work(parts, works, timed)
        time_picture = pictures.lanes(step_lanes(schedule), data["colours"])
        turn_picture = pictures.lanes(turn, data["colours"]) if turn is not None else ""
    return filled(
        templates,
        "page.html",
        ("page.css",),
        _SCRIPTS,
        title=report.name,
        subtitle=_subtitle(report),
        cards=[
            (card, safe(pictures.stacked_bar(card.parts)) if card.parts else "")
            for card in answer_cards(report.plan, cost)
        ],
        costs=[
            (line, safe(pictures.share_bar(line.share, line.colours(data["colours"]))))
            for line in largest_costs(report, timeline, parts, edits)
        ],
        time_picture=safe(time_picture),
        turn_picture=safe(turn_picture),
        growth_picture=safe(pictures.curve(columns.curve)),
        data=safe(_embedded(data)),
    )


def write_page(explainer: Explainer, path: str | os.PathLike[str], on: AnyHardware | None = None) -> str:
    """Writes the page of the plan of ``explainer`` to ``path``, with times and capacity of the hardware ``on`` if that
    is given, and returns the document.

    Raises:
        MissingExtra: a package that draws it is not installed.
        HardwareProblem: there is no such hardware, or the mesh does not fit it.
        OSError: it cannot be written.
    """
    if on is not None:
        explainer = explainer.on(on)
    name = os.path.basename(explainer.traced.source.context.source.filename) or "plan"
    text = page_text(Report.of(explainer, name, path=name))
    write_whole(path, text.encode())
    return text


def _embedded(data: Json) -> str:
    """JSON in which no text can end the HTML element around it."""
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _time(cost: Cost) -> Json:
    """The data of the view of time: the lanes, and the collectives sorted by exposed time."""
    rows = sorted(cost.collectives, key=lambda one: (-one.exposed_seconds, -one.seconds))
    listed = [[one.kind, one.axes, one.runs, one.run_bytes, one.seconds, one.exposed_seconds] for one in rows]
    return {"kinds": KINDS, "seconds": cost.step_seconds.as_json(), "collectives": listed}


def _subtitle(report: Report) -> str:
    meshes = "; ".join(mesh_text(*one) for one in report.explainer.traced.meshes.items()) or "no mesh"
    shardings = f", shardings of {report.shardings}" if report.shardings else ""
    on = f", on {report.hardware.name}" if report.hardware is not None else ""
    return f"{counted(report.plan.devices, 'device')}, {meshes}{shardings}{on}"


def _names(*reports: Report) -> tuple[str, str]:
    """Names for two plans: those of the programs, or of the sharding files if the program is the same, or of the
    strategies if the file is the same, too."""
    names = [one.name for one in reports]
    if names[0] == names[1]:
        files, strategies = zip(*(one.shardings.rpartition(":")[::2] for one in reports), strict=True)
        names = strategies if files[0] == files[1] != "" else [one.shardings or "as the program is" for one in reports]
    return names[0], names[1]
