"""``sdy-import-pipeline``: from a program as a user wrote it to one that can be propagated."""

from __future__ import annotations

from pyshardy.ir.passes import NamedPipeline, option, register_pipeline

CLEAN_UP = (
    "symbol-dce",
    "sdy-lift-inlined-meshes",
    "sdy-remove-size-one-axes",
    "sdy-propagate-sharding-from-func-to-call",
    "sdy-constant-or-scalar-splitter",
    "symbol-dce",
    "sdy-manual-axes-cleanup",
)
EDGES = "sdy-add-data-flow-edges"
ONE_BODY_A_FUNCTION = ("sdy-apply-sharding-constraints", "sdy-sharding-group-import")


@register_pipeline("sdy-import-pipeline")
class ImportPipeline(NamedPipeline):
    """Prepares a program for propagation.

    Meshes get names, useless axes go, constants are split, data-flow edges come in.
    """

    dedup_functions_fully: bool = option(False, "keep one body a function instead of one a call")

    def parts(self) -> tuple[str, ...]:
        # Otherwise calls are replaced by bodies in between, and then the two passes see those too.
        return (*CLEAN_UP, EDGES, *(ONE_BODY_A_FUNCTION if self.dedup_functions_fully else ()))
