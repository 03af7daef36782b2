"""Entry: ``pyshardy.run_passes``, which runs pipelines that propagate on a folded program if it can.

The first passes of the pipeline, as far as they are known to be local, run on the folded program, which is unfolded
then; the others run on the whole program. A pass is *local* if it looks at an operation, its operands, the readers of
its results, and operations nearby, and writes nothing but the program. Without a certificate, and where passes are
observed, ``run_passes`` of ``module`` does all of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pyshardy.folding.program import folded_program, layers_of
from pyshardy.ir import rewriting, shortcuts
from pyshardy.ir.collector import paused_collector
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Pass, Pipeline
from pyshardy.ir.pipeline_run import PassObserver
from pyshardy.ir.pipeline_text import parse_pipeline
from pyshardy.ir.progress import Report
from pyshardy.module import Module, ModuleKind, check_is_module
from pyshardy.module import run_passes as run_plain_passes

_LOCAL = ("pyshardy.passes.importing.", "pyshardy.passes.propagating.", "pyshardy.passes.exporting.")
"""The packages whose passes are local."""
_SAVING = "pyshardy.passes.save_module"
"""This pass writes the program to a directory, if it is given one; else it does nothing."""


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
    check_is_module(module, "run_passes")
    parsed = parse_pipeline(pipeline) if isinstance(pipeline, str) else pipeline
    if not observers and not module.context.propagation_observers:
        with paused_collector():
            parsed = _with_few_layers(module, parsed)
    return run_plain_passes(module, parsed, verify_each=verify_each, observers=observers, progress=progress)


def _with_few_layers(module: Module, pipeline: Pipeline) -> Pipeline:
    """Runs the first passes of ``pipeline`` with few layers of ``module``, and returns the rest of the pipeline. If
    that is not possible, ``module`` stays as it is and all of the pipeline is returned."""
    first = _first_local_passes(pipeline)
    if not any(one.name.endswith("-propagate") for one in _passes(first)):
        return pipeline
    try:
        layers = layers_of(module.op)
        found = None if layers is None else folded_program(module, Pipeline(pipeline.anchor, tuple(first)), layers)
        if found is None:
            return pipeline
        found.unfold()
    except PyshardyError:
        # The plain run will raise it again, and say where in the whole program it is.
        return pipeline
    except Exception as error:
        shortcuts.raise_if_strict(error)
        return pipeline
    _replace(module, found.module.op)
    module.context.merge_diagnostics(found.module.context)
    return Pipeline(pipeline.anchor, pipeline.items[len(first) :])


def _first_local_passes(pipeline: Pipeline) -> list[Pass | Pipeline]:
    """The first items of ``pipeline``, as far as all of their passes are local."""
    found: list[Pass | Pipeline] = []
    for item in pipeline.items:
        if not all(map(_is_local, _passes([item]))):
            break
        found.append(item)
    return found


def _passes(items: Sequence[Pass | Pipeline]) -> Iterator[Pass]:
    """The passes of ``items``, those of nested pipelines included."""
    for item in items:
        if isinstance(item, Pipeline):
            yield from _passes(item.items)
        else:
            yield item


def _is_local(one: Pass) -> bool:
    module = type(one).__module__
    if module == _SAVING:
        return not getattr(one, "directory", "")
    writes = getattr(one, "is_traced", False) or getattr(one, "module_dump_directory", "")
    return module.startswith(_LOCAL) and not writes


def _replace(module: Module, op: Operation) -> None:
    """Moves the operations of ``op`` into ``module``, in the place of its own."""
    # What is remembered of operations would keep all of the old program in memory.
    module.context.operation_indexes.clear()
    module.context.accepted.clear()
    for old in list(module.op.body):
        rewriting.detach(old)
    for new in list(op.body):
        rewriting.detach(new)
        rewriting.append(module.op.body, new)
    rewriting.set_attributes(module.op, op.attributes)
    rewriting.set_properties(module.op, op.properties)
