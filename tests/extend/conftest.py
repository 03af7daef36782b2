"""What a test registers is gone behind it: other tests know no dialect of a vendor."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pyshardy import plugins
from pyshardy.dialects.sdy import dataflow
from pyshardy.interpreter import registry as evaluators
from pyshardy.ir import pass_registry, registry
from pyshardy.partitioning.localizing import registry as localizers
from pyshardy.rules import registry as rules

_TABLES = [
    (registry, "_dialects"),
    (registry, "_definitions"),
    (registry, "_foreign"),
    (pass_registry, "_passes"),
    (plugins, "_files"),
    (plugins, "_taken"),
    (rules, "_entries"),
    (localizers, "_localizers"),
    (evaluators, "_evaluators"),
    (dataflow, "_MODELS"),
]


@pytest.fixture(autouse=True)
def _tables_are_restored() -> Iterator[None]:
    # What is loaded late is loaded now, so that it is not taken for the test's.
    rules._load_families()
    evaluators.evaluator("stablehlo.add")
    localizers.localizer("stablehlo.add")
    before = [dict(getattr(module, name)) for module, name in _TABLES]
    yield
    for (module, name), known in zip(_TABLES, before, strict=True):
        table = getattr(module, name)
        table.clear()
        table.update(known)
