"""Finds passes and pipelines by name, and loads them on first use.

Importing the package loads no pass. A user's package adds its own through ``register_pass_class``. For dialects there
is ``ir.registry``.
"""

from __future__ import annotations

from importlib import import_module

from pyshardy.ir.passes import ANY, NamedPipeline, Pass
from pyshardy.plugins import claim

_NAMES = {
    "passes.partitioning": (
        "sdy-convert-global-to-local",
        "sdy-pad-for-divisibility",
        "sdy-partitioner",
        "sdy-per-instruction-partitioning",
        "sdy-resolve-permutation-factors",
        "sdy-resolve-single-device-sharding",
    ),
    "passes": (
        "cse",
        "inline",
        "sdy-export-pipeline",
        "sdy-import-pipeline",
        "sdy-propagation-pipeline",
        "view-op-graph",
    ),
    "passes.exporting": (
        "canonicalize",
        "sdy-close-shardings",
        "sdy-constant-merger",
        "sdy-constant-or-scalar-merger",
        "sdy-drop-sharding-and-mesh",
        "sdy-drop-sharding-rules",
        "sdy-export-named-computations",
        "sdy-insert-explicit-reshards",
        "sdy-insert-func-call-reshards",
        "sdy-propagate-to-func-results",
        "sdy-remove-all-gather-reduce-scatter-for-cmv1",
        "sdy-remove-propagation-debug-info",
        "sdy-remove-sharding-groups",
        "sdy-remove-sub-axes-in-input-output-shardings",
        "sdy-reshard-to-collectives",
        "sdy-sharding-constraint-to-reshard",
        "sdy-sink-data-flow-edges",
        "sdy-sink-func-data-flow-edges",
        "sdy-unflatten-call-graph",
        "sdy-update-non-divisible-input-output-shardings",
        "sdy-verify-unreduced-axes",
    ),
    "passes.importing": (
        "sdy-add-data-flow-edges",
        "sdy-add-func-data-flow-edges",
        "sdy-apply-sharding-constraints",
        "sdy-constant-or-scalar-splitter",
        "sdy-explicit-gather-scatter-batching",
        "sdy-flatten-call-graph",
        "sdy-import-func-calls",
        "sdy-inline-meshes",
        "sdy-lift-inlined-meshes",
        "sdy-manual-axes-cleanup",
        "sdy-populate-op-sharding-rules",
        "sdy-pre-order-funcs",
        "sdy-propagate-sharding-from-func-to-call",
        "sdy-remove-size-one-axes",
        "sdy-sharding-group-import",
        "symbol-dce",
    ),
    "passes.propagating": (
        "sdy-aggressive-propagate",
        "sdy-basic-propagate",
        "sdy-op-priority-propagate",
        "sdy-user-priority-propagate",
    ),
}
"""Folder below ``pyshardy`` → the passes and pipelines in it. Each has the file and the class of its name: in
``close_shardings.py`` stands ``CloseShardings``, which is ``sdy-close-shardings``."""

_OTHER_NAMES = {"sdy-constant-merger": "sdy-constant-or-scalar-merger", "sdy-partitioner": "sdy-partitioner-pipeline"}
"""Those whose file and class go by another name."""

_FOLDERS = {name: folder for folder, names in _NAMES.items() for name in names}

_passes: dict[str, type[Pass] | type[NamedPipeline]] = {}


def pass_or_pipeline(name: str) -> type[Pass] | type[NamedPipeline] | None:
    """The class of the pass or pipeline called ``name``, or None."""
    if name not in _passes:
        folder = _FOLDERS.get(name)
        if folder is None:
            return None
        words = _OTHER_NAMES.get(name, name).removeprefix("sdy-").split("-")
        module = import_module(f"pyshardy.{folder}.{'_'.join(words)}")
        _passes[name] = getattr(module, "".join(map(str.capitalize, words)))
    return _passes[name]


def register_pass_class(new: type[Pass] | type[NamedPipeline]) -> None:
    """Adds a pass or pipeline (or replaces the one of that name).

    Raises:
        ValueError: it has no ``apply``, or runs on what is no operation.
    """
    if issubclass(new, Pass):
        if new.apply is Pass.apply:
            raise ValueError(f"the pass '{new.name}' has no function apply(op, context)")
        if new.anchor != ANY and "." not in new.anchor:
            raise ValueError(
                f"the pass '{new.name}' runs on '{new.anchor}', and builtin.module, func.func, the name of another "
                f"operation or {ANY} is expected"
            )
    claim("pass", new.name)
    _passes[new.name] = new


def pass_names() -> list[str]:
    """Every pass and pipeline that can be named in a pipeline, alphabetically."""
    return sorted({*_FOLDERS, *_passes})
