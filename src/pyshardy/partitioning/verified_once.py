"""Passes that the partitioner runs, verified once at their end instead of after each pass.

If the result is not legal, the caller starts again and verifies after each pass, which finds the pass to report.
"""

from __future__ import annotations

from pyshardy.ir import shortcuts
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.passes import Pipeline
from pyshardy.ir.pipeline_run import PassCrash
from pyshardy.ir.verifying.verifier import is_legal
from pyshardy.module import Module, run_passes
from pyshardy.passes.importing.import_func_calls import leaves_names_behind


def verified_once(module: Module, pipeline: Pipeline) -> bool:
    """Runs ``pipeline`` on ``module``; returns whether the result is legal. False, too, if this shortcut is switched
    off, or a pass may leave an illegal program behind of which later ones make a legal one."""
    if not shortcuts.enabled() or leaves_names_behind(module.op, module.context):
        return False
    try:
        run_passes(module, pipeline, verify_each=False)
    except PyshardyError:
        return False
    except PassCrash as crash:
        shortcuts.raise_if_strict(crash)
        return False
    return is_legal(module.op, module.context)
