"""Automatic partitioning inside of a pipeline: the pass that searches, and the passes before and after it.

Propagation has sharded the tensors that the shardings of the program determine. The pass finds shardings for other
arguments and results on the mesh of the program, and a second propagation spreads them. Arguments, results and
operations that have a sharding keep it.
"""

from __future__ import annotations

import os

from pyshardy.analysis.cost.targets import target
from pyshardy.dialects.sdy import placement
from pyshardy.ir.context import Context
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Pass, PassFailure, Pipeline, register_pass
from pyshardy.ir.pipeline_text import parse_pipeline
from pyshardy.module import Module
from pyshardy.passes.propagation_pipeline import PropagationPipeline
from pyshardy.reading.sharding_files.applying import apply_shardings
from pyshardy.reading.sharding_files.strategies import load_shardings
from pyshardy.searching.search import search_strategy

VARIABLE = "PYSHARDY_HARDWARE"
"""The environment variable that names the hardware of the search."""
HARDWARE = "h100"
SECONDS = 10.0
"""The time limit of a search inside of a pipeline."""

_WITHOUT_EDGES = "func.func(sdy-constant-or-scalar-merger,sdy-sink-data-flow-edges)"


@register_pass("search-strategy", on="builtin.module")
class SearchStrategy(Pass):
    """Gives shardings on the mesh of the program to tensors without one, so that a step takes the least time."""

    def apply(self, op: Operation, context: Context) -> None:
        """Runs the pass.

        Raises:
            PassFailure: there is no mesh, or nothing can be found; the error has been emitted.
        """
        if not any(one.axes for one in placement.meshes(op).values()):
            raise _failure(op, context, "auto-partitioning needs a mesh with axes, and the program has none")
        module = Module(op, context)
        said = len(context.diagnostics)
        try:
            where = target(os.environ.get(VARIABLE) or HARDWARE)
            found = search_strategy(module, where, seconds=SECONDS, keep_program=True)
            apply_shardings(module, load_shardings(found.best.tables))
        except OSError as error:
            raise _failure(op, context, f"auto-partitioning: {error.filename}: {error.strerror}") from error
        except (PyshardyError, ValueError) as error:
            if len(context.diagnostics) > said:
                raise PassFailure from error
            raise _failure(op, context, f"auto-partitioning: {' '.join(str(error).split())}") from error


def _failure(op: Operation, context: Context, message: str) -> PassFailure:
    # The diagnostic is at the first line and quotes no operation: the operation is the whole program.
    context.emit("error", next(iter(op.body), op).location, message)
    return PassFailure()


def add_search(items: list[Pass | Pipeline]) -> None:
    """The callback for automatic partitioning: a search, and propagation once more."""
    items += [*parse_pipeline(_WITHOUT_EDGES).items, SearchStrategy()]
    for part in PropagationPipeline().before_export():
        items += parse_pipeline(part).items if isinstance(part, str) else (part,)
