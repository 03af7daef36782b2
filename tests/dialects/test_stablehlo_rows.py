"""The rows of StableHLO: what they say by trait and by family is true of what stands elsewhere."""

from __future__ import annotations

import pytest

from pyshardy.dialects.stablehlo import verification
from pyshardy.dialects.stablehlo.operations import DIALECT
from pyshardy.dialects.stablehlo.row import row
from pyshardy.interpreter.registry import evaluator
from pyshardy.ir.opdef import DATA_MOVEMENT, ELEMENTWISE, EXPENSIVE, LINEAR, NO_SHARDING_RULE, OpDef
from pyshardy.rules import registry
from pyshardy.rules.pointwise import NAMES

ROWS = DIALECT.definitions


@pytest.mark.parametrize("row", ROWS.values(), ids=list(ROWS))
def test_every_row_has_rules(row: OpDef) -> None:
    assert verification._rules_of(row)


def test_a_row_says_what_a_new_property_may_hold() -> None:
    made = row("collective_gather", None, required="gather_dim:index replica_groups")
    assert made.properties == {"gather_dim", "replica_groups"}
    assert made.kinds["gather_dim"].summary == "64-bit signless integer attribute whose value is non-negative"


def test_a_property_without_a_kind_is_told_where_to_get_one() -> None:
    file = "dialects/stablehlo/verification/property_kinds.py"
    unknown = f"not known what its property offset may hold: write offset:KIND in the row, .* in _KINDS of {file}"
    with pytest.raises(LookupError, match=unknown):
        row("collective_gather", None, required="offset")
    with pytest.raises(LookupError, match=f"the row says offset:int, but int is no kind: write .* in _KINDS of {file}"):
        row("collective_gather", None, required="offset:int")


def test_elementwise_operations_are_pointwise_and_evaluated() -> None:
    elementwise = {name for name, row in ROWS.items() if row.traits & ELEMENTWISE}
    without = {"stablehlo.clamp", "stablehlo.select"}
    assert elementwise - set(NAMES) - without == {"stablehlo.uniform_dequantize", "stablehlo.uniform_quantize"}
    assert all(map(evaluator, elementwise))


def test_what_has_no_sharding_rule_has_none() -> None:
    registry._load_families()
    assert not [name for name, row in ROWS.items() if row.traits & NO_SHARDING_RULE and name in registry._entries]


def test_linear_operations_move_elements_or_compute_with_single_ones() -> None:
    linear = {name: row for name, row in ROWS.items() if row.traits & LINEAR}
    assert {"stablehlo.add", "stablehlo.transpose"} < set(linear)
    assert all(row.traits & (DATA_MOVEMENT | ELEMENTWISE) for row in linear.values())
    assert all(row.traits & ELEMENTWISE for row in ROWS.values() if row.traits & EXPENSIVE)
