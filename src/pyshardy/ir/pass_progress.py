"""Reports which pass of a pipeline is running: an observer of ``ir.pipeline_run`` for a callback of ``ir.progress``."""

from __future__ import annotations

from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Pass, Pipeline
from pyshardy.ir.pipeline_run import PassObserver
from pyshardy.ir.progress import Report


class PassProgress(PassObserver):
    """Tells ``report`` the name of each pass of ``pipeline`` that begins, its number, and how many there are."""

    def __init__(self, pipeline: Pipeline, report: Report) -> None:
        self._report = report
        self._passes = list(pipeline.passes())
        self._numbers = {id(one): number for number, one in enumerate(self._passes)}

    def before_pass(self, one: Pass, op: Operation) -> None:
        self._report(one.name, self._numbers[id(one)], len(self._passes))
