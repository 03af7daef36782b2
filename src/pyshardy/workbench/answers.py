"""Answers the requests of the workbench's page: a request is JSON with a whole setting, an answer is JSON, too.

Of several settings of one browser only the last is evaluated: evaluations of earlier ones are cancelled. A search runs
until its browser stops it, and is interrupted by evaluations.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256
from threading import Lock
from typing import Any

from pyshardy.analysis.cost.estimate import cost_of
from pyshardy.analysis.cost.step_cost import Cost
from pyshardy.analysis.why.explainer import Explainer
from pyshardy.ir.progress import Check
from pyshardy.module import Module
from pyshardy.planning import partition
from pyshardy.reading.sharding_files.applying import apply_shardings
from pyshardy.reading.sharding_files.strategies import load_shardings
from pyshardy.report.page.page import page_text
from pyshardy.report.page.report import Report
from pyshardy.searching.families import MOMENT, WEIGHT
from pyshardy.searching.scoring import Score
from pyshardy.searching.search import SearchProblem, search_strategy
from pyshardy.sharding.mesh import Mesh
from pyshardy.workbench.causes import causes
from pyshardy.workbench.changes import best_change, place_class, shards_inputs, store_class
from pyshardy.workbench.exports import logical_axes, partition_specs, sharding_file, sharding_tables
from pyshardy.workbench.scheduling import SCHEDULER, Cancelled
from pyshardy.workbench.setting import Setting, WrongRequest, read_setting
from pyshardy.workbench.sheet import Sheet

Json = dict[str, Any]
_TRY_SECONDS = 5.0
_SEARCH_SECONDS = 20.0
_MOST_REPORTS = 8
_MOST_BROWSERS = 64
_LONGEST_NAME = 64


class Answers:
    """Answers about ``sheet``; ``name`` is the name of the program on the page."""

    def __init__(self, sheet: Sheet, name: str) -> None:
        self.sheet, self.name = sheet, name
        self._last: OrderedDict[str, int] = OrderedDict()
        self._stopped: set[str] = set()
        self._reports: OrderedDict[str, str] = OrderedDict()
        self._wholes: dict[Setting, Json] = {}
        self._lock = Lock()
        self._questions: dict[str, Callable[[Json], Json]] = {
            "sheet": self._sheet,
            "evaluate": self._evaluate,
            "whole": self._whole,
            "place": self._place,
            "try": self._try,
            "search": self._search,
            "stop": self._stop,
            "export": self._export,
            "report": self._report,
        }

    def answer(self, question: str, given: object) -> Json:
        """The answer.

        Raises:
            WrongRequest: there is no such question, or its contents are wrong.
        """
        if not isinstance(given, dict) or question not in self._questions:
            raise WrongRequest("there is no such question")
        return self._questions[question](given)

    def take_results_of(self, before: Answers) -> None:
        """Takes over the results of ``before``, if program and hardware are the same."""
        if self.sheet.take_results_of(before.sheet):
            self._wholes.update(before._wholes)

    # --- the sheet ----------------------------------------------------------------------------------------------------

    def _sheet(self, given: Json) -> Json:
        sheet = self.sheet
        return {
            "name": self.name,
            "hardware": sheet.hardware.name,
            "program": sheet.digest,
            "capacity": sheet.capacity,
            "devices": sheet.devices,
            "start": sheet.start.as_json(),
            "bound": sheet.is_bound,
            "notes": sheet.notes,
            "inside_shapes": sheet.inside_shapes,
            "inputs": [family.number for family in sheet.space.listed if family.role == "input"],
            "rows": [
                {
                    "number": row.family.number,
                    "pattern": row.family.name,
                    "role": row.family.role,
                    "shape": list(row.family.shape),
                    "classes": list(row.family.classes),
                    "names": list(row.names),
                    "sliced": list(row.sliced),
                    "bytes": row.family.bytes + sum(sheet.space.listed[one].bytes for one in row.followers),
                    "own_bytes": row.family.bytes,
                    "followers": list(row.followers),
                    "small": sheet.is_small(row.family),
                }
                for row in sheet.rows
            ],
        }

    def _setting(self, given: Json) -> Setting:
        setting = read_setting(given.get("setting"), self.sheet.shapes, self.sheet.devices, self.sheet.inside_shapes)
        if self.sheet.is_bound and setting.mesh != self.sheet.start.mesh:
            needed = ", ".join(f"{axis}={size}" for axis, size in self.sheet.start.mesh)
            raise WrongRequest(f"a manual computation in the program needs the mesh {needed}")
        return setting

    # --- evaluation ---------------------------------------------------------------------------------------------------

    def _evaluate(self, given: Json) -> Json:
        # No long work may begin between the evaluation that this one cancels and this one.
        with SCHEDULER.announcing_quick():
            check = self._cancel_earlier(given)
            setting = self._setting(given)
            try:
                with SCHEDULER.quick():
                    check()
                    score = self.sheet.score(setting, check)
            except Cancelled:
                return {"stale": True}
        return self._scored(setting, score)

    def _cancel_earlier(self, given: Json) -> Check:
        """Cancels earlier evaluations of this browser; returns the check that cancels this one when the next is asked
        for."""
        browser, number = self._client(given)
        with self._lock:
            self._last[browser] = max(number, self._last.pop(browser, -1))
            while len(self._last) > _MOST_BROWSERS:
                self._last.popitem(last=False)
        return self._until_newer(browser, number)

    def _until_newer(self, browser: str, number: int) -> Check:
        def check() -> None:
            if self._last.get(browser, number) > number:
                raise Cancelled

        return check

    def _whole(self, given: Json) -> Json:
        """The figures of the plan of the whole program, the best of its candidates, as ``pyshardy cost`` has them."""
        check = self._cancel_earlier(given)
        setting = self._setting(given)
        found = self._wholes.get(setting)
        if found is None:
            try:
                cost = SCHEDULER.long(lambda checked: self._cost(setting, checked), check)
            except Cancelled:
                return {"stale": True}
            step = cost.step_seconds
            found = self._wholes[setting] = {
                "expected": step.expected,
                "least": step.full_overlap,
                "most": step.no_overlap,
                "peak": cost.peak_bytes,
                "received": sum(one.run_bytes for one in cost.collectives),
                "fits": cost.fits,
                "whole": True,
            }
        return {"setting": setting.as_json()} | found

    def _cost(self, setting: Setting, check: Check) -> Cost:
        return cost_of(partition(self._sharded(setting, check)), self.sheet.hardware)

    def _sharded(self, setting: Setting, check: Check) -> Module:
        """A copy of the program with the shardings of ``setting``, whose passes ``check`` may cancel."""
        module = self.sheet.module.copy()
        module.context.check = check
        check()
        apply_shardings(module, load_shardings(sharding_tables(self.sheet, setting)))
        return module

    def _scored(self, setting: Setting, score: Score | None) -> Json:
        found: Json = {"setting": setting.as_json()}
        if score is None:
            return found | {"problem": "the program cannot be partitioned so"}
        return found | {
            "expected": score.expected,
            "least": score.full_overlap,
            "most": score.no_overlap,
            "peak": score.peak,
            "received": score.received,
            "fits": score.peak <= self.sheet.capacity,
            "causes": [one._asdict() for one in causes(self.sheet, setting, score)],
        }

    def _place(self, given: Json) -> Json:
        """The setting with an axis on a dimension in all tensors that have it; if the axis shards inputs, parameters
        are only stored along it."""
        setting, axis, number, dim = self._setting(given), given.get("axis"), given.get("row"), given.get("dim")
        rows = dict(enumerate(self.sheet.space.listed))
        family = rows.get(number) if isinstance(number, int) else None
        if (
            axis not in setting.sizes
            or family is None
            or not isinstance(dim, int)
            or dim not in range(len(family.shape))
        ):
            raise WrongRequest("there is no such slot")
        wanted = family.classes[dim]
        if family.role in (WEIGHT, MOMENT) and shards_inputs(self.sheet, setting, str(axis)):
            roles = (MOMENT,) if family.role == MOMENT else (WEIGHT, MOMENT)
            placed = store_class(self.sheet, setting, str(axis), wanted, roles)
        else:
            placed = place_class(self.sheet, setting, str(axis), wanted)
        return {"setting": placed.as_json()}

    def _try(self, given: Json) -> Json:
        """The best change, and all that were tried until the browser stopped it or asked for another setting."""
        browser, number = self._client(given)
        self._stopped.discard(browser)
        newer = self._until_newer(browser, number)

        def check() -> None:
            newer()
            if browser in self._stopped:
                raise Cancelled

        axes = given.get("axes")
        wanted = [str(one) for one in axes] if isinstance(axes, list) else []
        setting = self._setting(given)
        best, tried = best_change(self.sheet, setting, wanted, _TRY_SECONDS, check)
        return {
            "tried": [{"words": one.words} | self._scored(one.setting, one.score) for one in tried],
            "best": None if best is None else {"words": best.words} | self._scored(best.setting, best.score),
        }

    def _search(self, given: Json) -> Json:
        """The best strategy that a search finds on the mesh of a setting, and the front of time against memory; if the
        browser stops it, the best so far."""
        browser, _ = self._client(given)
        setting = self._setting(given)
        self._stopped.discard(browser)

        def check() -> None:
            if browser in self._stopped:
                raise KeyboardInterrupt

        def progress(done: int, of: int) -> None:
            SCHEDULER.yield_to_quick()

        sheet = self.sheet
        try:
            with SCHEDULER.after_quick():
                found = search_strategy(
                    sheet.module,
                    sheet.target,
                    mesh=Mesh(setting.sizes),
                    seconds=_SEARCH_SECONDS,
                    progress=progress,
                    check=check,
                )
        except (KeyboardInterrupt, SearchProblem) as problem:
            return {"problem": str(problem) or "the search was ended before it had tried anything"}
        listed = []
        for tried, words in [(found.best.tried, found.best.words), *((one.tried, one.words) for one in found.front)]:
            setting = sheet.taken_over(tried.layouts, tried.first)
            listed.append({"words": f"search: {words}"} | self._scored(setting, tried.first))
        notes = ["stopped: the best so far"] if any("interrupted" in one for one in found.notes) else []
        return {"tried": listed, "best": listed[0], "notes": notes, "inside_shapes": sheet.inside_shapes}

    def _stop(self, given: Json) -> Json:
        browser, _ = self._client(given)
        self._stopped.add(browser)
        return {}

    def _client(self, given: Json) -> tuple[str, int]:
        """The browser that sends the request, and the number of the request."""
        browser, number = given.get("browser"), given.get("number")
        if not isinstance(browser, str) or len(browser) > _LONGEST_NAME or not isinstance(number, int):
            raise WrongRequest("a question says which browser asks, and its number")
        return browser, number

    # --- texts --------------------------------------------------------------------------------------------------------

    def _export(self, given: Json) -> Json:
        setting = self._setting(given)
        return {
            "file": sharding_file(self.sheet, setting),
            "specs": partition_specs(self.sheet, setting),
            "logical": logical_axes(self.sheet, setting),
        }

    def _report(self, given: Json) -> Json:
        """The name under which the report page of a setting, with the whole program, can be read once it is made."""
        setting = self._setting(given)
        name = sha256(json.dumps(setting.as_json()).encode()).hexdigest()[:32]
        if name not in self._reports:
            text = SCHEDULER.long(lambda check: self._page(setting, check), lambda: None)
            with self._lock:
                self._reports[name] = text
                while len(self._reports) > _MOST_REPORTS:
                    self._reports.popitem(last=False)
        return {"report": name}

    def _page(self, setting: Setting, check: Check) -> str:
        explainer = Explainer(self._sharded(setting, check)).on(self.sheet.hardware)
        check()
        return page_text(Report.of(explainer, self.name, path=self.name, edits=False))

    def report(self, name: str) -> str | None:
        """The page called ``name``."""
        return self._reports.get(name)
