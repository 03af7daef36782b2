"""The pipelines that have a name: sequences of passes as text, with the options that choose among them.

``ir.registry`` loads the classes by name; ``ir.passes`` reads the text that they give.
"""

from __future__ import annotations

from dataclasses import dataclass

from pyshardy.ir.passes import NamedPipeline, option, register_pipeline

_IMPORT = (
    "symbol-dce",
    "sdy-lift-inlined-meshes",
    "sdy-remove-size-one-axes",
    "sdy-propagate-sharding-from-func-to-call",
    "sdy-constant-or-scalar-splitter",
    "symbol-dce",
    "sdy-manual-axes-cleanup",
    "sdy-add-data-flow-edges",
)
_IMPORT_ONE_BODY_A_FUNCTION = ("sdy-apply-sharding-constraints", "sdy-sharding-group-import")


@register_pipeline("sdy-import-pipeline", summary="Prepares a program for propagation.")
@dataclass(frozen=True)
class ImportPipeline(NamedPipeline):
    """Prepares a program for propagation: names for meshes, no useless axes, constants split, data-flow edges."""

    dedup_functions_fully: bool = option(False, "keep one body a function instead of one a call")

    def passes_text(self) -> str:
        # Otherwise calls are replaced by bodies in between, and then the two passes see those too.
        return ",".join([*_IMPORT, *(_IMPORT_ONE_BODY_A_FUNCTION if self.dedup_functions_fully else ())])
