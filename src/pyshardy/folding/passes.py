"""Passes on a program of many layers: on few of them, and the others get what these got.

``run_passes`` here is what ``pyshardy.run_passes`` is: that of ``module``, but where a pipeline propagates, it runs on
the folded program up to the last pass of the project that is known to look at nothing but what is near.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pyshardy.folding.program import folded_program, layers_of
from pyshardy.ir import rewriting, shortcuts
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Pass, Pipeline
from pyshardy.ir.pipeline_run import PassObserver
from pyshardy.ir.pipeline_text import parse_pipeline
from pyshardy.ir.progress import Report
from pyshardy.module import Module, ModuleKind
from pyshardy.module import run_passes as run_plain_passes

_LOCAL = ("pyshardy.passes.importing.", "pyshardy.passes.propagating.", "pyshardy.passes.exporting.")
"""Where passes stand that look at an operation, at what it reads and who reads it, and at what is near it."""
_NOTHING = "pyshardy.passes.save_module"
"""What writes the program nowhere unless it is told where to."""


def run_passes(
    module: ModuleKind,
    pipeline: str | Pipeline,
    *,
    verify_each: bool = True,
    observers: Sequence[PassObserver] = (),
    progress: Report | None = None,
) -> ModuleKind:
    """Runs a pipeline (MLIR's text, or a list of module passes) on ``module``, in place, and returns it.

    ``observers`` are told before and after each pass; ``progress(name, number, total)`` before each.

    Raises:
        PyshardyError: the pipeline's text is wrong, a pass failed, or left an illegal program behind.

    >>> from pyshardy import parse
    >>> module = parse("func.func private @unused(tensor<8xf32>)")
    >>> print(run_passes(module, "builtin.module(symbol-dce)"), end="")
    module {
    }
    """
    parsed = parse_pipeline(pipeline) if isinstance(pipeline, str) else pipeline
    if not observers and not module.context.propagation_observers:
        parsed = _without_what_is_done(module, parsed)
    return run_plain_passes(module, parsed, verify_each=verify_each, observers=observers, progress=progress)


def _without_what_is_done(module: Module, pipeline: Pipeline) -> Pipeline:
    """What is left of ``pipeline`` when ``module`` has gone through its first passes with few of its layers: all of it
    if that is not possible."""
    first = _first_local_passes(pipeline)
    if not any(one.name.endswith("-propagate") for one in _passes(first)):
        return pipeline
    try:
        layers = layers_of(module.op)
        found = None if layers is None else folded_program(module, Pipeline(pipeline.anchor, tuple(first)), layers)
        if found is None:
            return pipeline
        found.unfolded()
    except PyshardyError:
        # What is wrong is said of the whole program.
        return pipeline
    except Exception as error:
        shortcuts.declines_after(error)
        return pipeline
    _replace(module, found.module.op)
    return Pipeline(pipeline.anchor, pipeline.items[len(first) :])


def _first_local_passes(pipeline: Pipeline) -> list[Pass | Pipeline]:
    """The first items of ``pipeline`` that look at nothing but what is near."""
    found: list[Pass | Pipeline] = []
    for item in pipeline.items:
        if not all(map(_is_local, _passes([item]))):
            break
        found.append(item)
    return found


def _passes(items: Sequence[Pass | Pipeline]) -> Iterator[Pass]:
    for item in items:
        if isinstance(item, Pipeline):
            yield from _passes(item.items)
        else:
            yield item


def _is_local(one: Pass) -> bool:
    stands = type(one).__module__
    if stands == _NOTHING:
        return not getattr(one, "directory", "")
    writes = getattr(one, "is_traced", False) or getattr(one, "module_dump_directory", "")
    return stands.startswith(_LOCAL) and not writes


def _replace(module: Module, op: Operation) -> None:
    """Makes ``module`` hold what is in ``op``."""
    module.context.operation_indexes.clear()
    for old in list(module.op.body):
        rewriting.detach(old)
    for new in list(op.body):
        rewriting.detach(new)
        rewriting.append(module.op.body, new)
    rewriting.set_attributes(module.op, op.attributes)
    rewriting.set_properties(module.op, op.properties)
