"""Passes of our own, which are verified once, at their end.

If what comes out is not legal, the caller begins anew, with a look at what each pass leaves, which says why.
"""

from __future__ import annotations

from pyshardy.ir import shortcuts
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.passes import Pipeline
from pyshardy.ir.pipeline_run import PassCrash
from pyshardy.ir.verifier import is_legal
from pyshardy.module import Module, run_passes


def verified_once(module: Module, pipeline: Pipeline) -> bool:
    """Runs ``pipeline`` on ``module``: whether what comes out is legal."""
    if not shortcuts.taken():
        return False
    try:
        run_passes(module, pipeline, verify_each=False)
    except PyshardyError:
        return False
    except PassCrash as crash:
        shortcuts.declines_after(crash)
        return False
    return is_legal(module.op, module.context)
