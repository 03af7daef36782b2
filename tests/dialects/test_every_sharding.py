"""All shardings of a program: in which order they are visited, and that they are replaced where they stand."""

from __future__ import annotations

from pyshardy.dialects.sdy import placement
from pyshardy.dialects.sdy.every_sharding import transform_shardings, visit_shardings
from pyshardy.ir.printing.program_text import operation_text
from tests.dialects.test_placement import EDGE, MANUAL, WHILE, module_with, named


def test_all_shardings_are_visited_in_order_with_what_they_belong_to() -> None:
    body = (
        MANUAL
        + "  stablehlo.custom_call @g(%a) {has_side_effect = true, sdy.sharding = \
#sdy.sharding_per_value<[<@maximal, []>]>} : (tensor<8x8xf32>) -> ()\n"
    )
    module = module_with(body)
    func, manual = named(module, "func.func"), named(module, "sdy.manual_computation")
    seen: list[tuple[str, placement.ShardingSlot]] = []
    visit_shardings(module, lambda sharding, slot: seen.append((sharding.body_text, slot)))
    assert seen == [
        ('<@mesh, [{"a"}, {?}]>', func.body.arguments[0]),
        ('<@mesh, [{"c"}, {}]>', placement.FunctionResult(func, 1)),
        ('<@mesh, [{"a", "b"}, {}], replicated={"c"}>', manual.body.arguments[0]),
        ('<@mesh, [{"a", "b"}, {}]>', manual.result),
        ("<@maximal, []>", None),
    ]


def test_all_shardings_are_transformed_where_they_stand() -> None:
    module = module_with(MANUAL + WHILE + EDGE)
    transform_shardings(module.operations(), lambda sharding: sharding.replace(mesh_or_ref="same"))
    text = operation_text(module)
    assert "<@mesh," not in text
    assert text.count("<@same,") == 5
