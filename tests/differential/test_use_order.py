"""The order of the uses of every value, which decides what propagation visits first, is that of MLIR after any pass."""

from __future__ import annotations

import pytest

import pyshardy
from tests.differential.pipelines import PIPELINES
from tests.differential.reference import run_reference
from tests.generator import Features, random_program
from tests.sampling import sampled
from tests.use_order import uses_by_number

_IMPORT = (
    "sdy-add-data-flow-edges,sdy-flatten-call-graph,symbol-dce,sdy-import-func-calls,sdy-apply-sharding-constraints"
)
_SPLIT = "sdy-constant-or-scalar-splitter"
_ROWS: tuple[tuple[str, Features], ...] = (
    ("", Features()),
    ("sdy-add-data-flow-edges", PIPELINES["add-edges"].features),
    ("sdy-add-data-flow-edges,func.func(sdy-sink-data-flow-edges)", PIPELINES["add-edges"].features),
    ("sdy-flatten-call-graph,sdy-import-func-calls", PIPELINES["import-calls"].features),
    ("sdy-import-func-calls", PIPELINES["import-calls"].features),
    (f"{_SPLIT},func.func(sdy-constant-or-scalar-merger)", PIPELINES["split-constants"].features),
    (f"sdy-add-data-flow-edges,{_SPLIT}", PIPELINES["split-constants"].features),
    ("sdy-add-data-flow-edges,sdy-apply-sharding-constraints", PIPELINES["apply-constraints"].features),
    (f"{_IMPORT},sdy-export-named-computations", PIPELINES["import-calls-after-edges"].features),
    (PIPELINES["everything"].passes, PIPELINES["everything"].features),
    (PIPELINES["sink-func-edges"].passes, PIPELINES["sink-func-edges"].features),
    ("sdy-add-func-data-flow-edges", PIPELINES["func-edges"].features),
    ("sdy-insert-func-call-reshards", PIPELINES["call-reshards"].features),
    ("sdy-sharding-group-import", PIPELINES["import-groups"].features),
    (PIPELINES["gather-batching"].passes, PIPELINES["gather-batching"].features),
    ("sdy-import-pipeline", PIPELINES["import"].features),
    ("sdy-import-pipeline{dedup-functions-fully=true}", PIPELINES["import-deduplicating"].features),
    (PIPELINES["propagation-around-copies"].passes, PIPELINES["propagation-around-copies"].features),
    (PIPELINES["propagation-around-shared"].passes, PIPELINES["propagation-around-shared"].features),
)
_PROGRAMS = 12


@pytest.mark.parametrize(
    ("passes", "features"), sampled(_ROWS, 2), ids=[passes[:60] or "parsing" for passes, _ in _ROWS]
)
def test_every_value_has_its_uses_in_the_order_of_mlir(passes: str, features: Features) -> None:
    for seed in range(_PROGRAMS):
        text = random_program(seed, features)
        reference = run_reference(text, f"builtin.module({passes})", uses=True)
        if not reference.ok:
            continue
        module = pyshardy.parse(text)
        pyshardy.run_passes(module, f"builtin.module({passes})")
        assert uses_by_number(module.op) == reference.uses, f"seed {seed}"
