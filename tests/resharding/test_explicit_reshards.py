"""Operations become compatible with the shardings around them."""

from __future__ import annotations

import pytest

from tests.passes.running import body_after

MINIMAL = "func.func(sdy-insert-explicit-reshards)"
FULL = "func.func(sdy-insert-explicit-reshards{enable-full-version=true})"
MESH = 'sdy.mesh @m = <["a"=2, "b"=2, "c"=4, "d"=6]>'


def sharded(*shardings: str) -> str:
    return f"{{sdy.sharding = #sdy.sharding_per_value<[{', '.join(f'<@m, {one}>' for one in shardings)}]>}}"


def argument(name: str, type: str, sharding: str) -> str:
    return f"{name}: {type} {{sdy.sharding = #sdy.sharding<@m, {sharding}>}}"


def steps(passes: str, arguments: str, operation: str, type: str, results: str = "") -> list[str]:
    """What the body of a function becomes in which one operation makes ``%0``, which is returned."""
    program = f"{MESH}\nfunc.func @main({arguments}) -> ({type} {results}) {{\n{operation}\nreturn %0 : {type}\n}}"
    lines = body_after(passes, program).splitlines()
    return [
        line.strip().split(" : ")[0] for line in lines if " = " in line and "mesh" not in line and "@main" not in line
    ]


L, R, OUT = "tensor<4x32xf32>", "tensor<32x16xf32>", "tensor<4x16xf32>"
DOT = f"({L}, {R}) -> {OUT}"


def test_a_dot_whose_result_has_the_contracting_axis_is_resharded_behind() -> None:
    arguments = ", ".join([argument("%l", L, '[{}, {"a"}]'), argument("%r", R, '[{"a"}, {"b"}]')])
    dot = "%0 = stablehlo.dot %l, %r " + sharded('[{}, {"a"}]') + f" : {DOT}"
    assert steps(MINIMAL, arguments, dot, OUT) == [
        "%0 = stablehlo.dot %arg0, %arg1 " + sharded('[{}, {"b"}]'),
        '%1 = sdy.reshard %0 <@m, [{}, {"a"}]>',
    ]


def test_the_full_version_also_sums_and_reshards_what_is_returned() -> None:
    arguments = ", ".join([argument("%l", L, '[{}, {"a"}]'), argument("%r", R, '[{"a"}, {"b"}]')])
    dot = "%0 = stablehlo.dot %l, %r " + sharded('[{}, {"a"}]') + f" : {DOT}"
    assert steps(FULL, arguments, dot, OUT)[1:] == [
        '%1 = sdy.all_reduce {"a"} %0 out_sharding=<@m, [{}, {"b"}]>',
        '%2 = sdy.reshard %1 <@m, [{}, {"a"}]>',
        "%3 = sdy.reshard %2 <@m, [{}, {}]>",
    ]


SQUARE = "tensor<8x8xf32>"
FIRST = '[{"a"}, {}]'


@pytest.mark.parametrize(
    ("operand", "made"),
    [
        ('[{"a"}, {"b"}]', []),
        (
            '[{}, {"b"}]',
            ['%0 = sdy.reshard %arg0 <@m, [{"a", "b"}, {}]>', '%1 = sdy.reshard %arg0 <@m, [{"a", "b"}, {}]>'],
        ),
    ],
)
def test_a_concatenation_is_resharded_only_if_its_operands_are_sharded_otherwise(operand: str, made: list[str]) -> None:
    operation = "%0 = stablehlo.concatenate %x, %x, dim = 1 " + sharded('[{"a"}, {"b"}]')
    types = f" : ({SQUARE}, {SQUARE}) -> tensor<8x16xf32>"
    found = steps(MINIMAL, argument("%x", SQUARE, operand), operation + types, "tensor<8x16xf32>")
    assert found[: len(made)] == made
    assert len(found) == (4 if made else 1)


def test_unreduced_operands_are_summed_before_an_operation_that_wants_sums() -> None:
    x = argument("%x", SQUARE, '[{}, {}], unreduced={"a", "b"}')
    negate = "%0 = stablehlo.negate %x " + sharded('[{}, {}], unreduced={"a"}') + f" : {SQUARE}"
    result = '{sdy.sharding = #sdy.sharding<@m, [{}, {}], unreduced={"a"}>}'
    assert steps(MINIMAL, x, negate, SQUARE, result)[0] == (
        '%0 = sdy.all_reduce {"b"} %arg0 out_sharding=<@m, [{}, {}], unreduced={"a"}>'
    )


@pytest.mark.parametrize(
    ("source", "target", "made"),
    [
        ('[{"a"}, {}]', '[{"a"}, {}], unreduced={"b"}', ["replicated_to_unreduced"]),
        ('[{"a", "b"}, {}]', '[{"a"}, {}], unreduced={"b"}', ["sharded_to_unreduced"]),
        ('[{"a", "b"}, {}]', '[{"a"}, {}], unreduced={"b", "c"}', ["replicated_to_unreduced", "sharded_to_unreduced"]),
        ('[{"b", "a"}, {}]', '[{"a"}, {}], unreduced={"b"}', ["reshard", "replicated_to_unreduced"]),
        ('[{"d":(1)3, "b"}, {}]', '[{"d":(1)2}, {}], unreduced={"b"}', ["reshard", "replicated_to_unreduced"]),
        ('[{}, {}], unreduced={"a"}', '[{}, {}], unreduced={"b"}', ["all_reduce", "replicated_to_unreduced"]),
    ],
)
def test_a_reshard_to_unreduced_axes_says_where_they_come_from(source: str, target: str, made: list[str]) -> None:
    reshard = f"%0 = sdy.reshard %x <@m, {target}> : {SQUARE}"
    result = f"{{sdy.sharding = #sdy.sharding<@m, {target}>}}"
    found = steps(MINIMAL, argument("%x", SQUARE, source), reshard, SQUARE, result)
    assert [line.split("sdy.")[1].split(" ")[0] for line in found] == made


def test_the_operands_of_calls_are_resharded_to_the_arguments() -> None:
    callee = (
        "func.func private @f(" + argument("%p", SQUARE, '[{"a", ?}, {}]') + f") -> {SQUARE} {{ return %p : {SQUARE} }}"
    )
    main = "func.func @main(" + argument("%x", SQUARE, '[{}, {"b"}]') + f") -> {SQUARE} {{"
    program = f"{MESH}\n{callee}\n{main}\n%0 = call @f(%x) : ({SQUARE}) -> {SQUARE}\nreturn %0 : {SQUARE} }}"
    assert '%0 = sdy.reshard %arg0 <@m, [{"a", ?}, {}]>' in body_after(MINIMAL, program)


def test_an_axis_that_shards_a_dimension_is_no_longer_replicated() -> None:
    x = ", ".join([argument("%x", SQUARE, '[{}, {}], replicated={"a"}'), argument("%y", SQUARE, '[{"a"}, {}]')])
    operation = "%0 = stablehlo.concatenate %x, %y, dim = 1 " + sharded('[{"a"}, {}]')
    found = steps(MINIMAL, x, operation + f" : ({SQUARE}, {SQUARE}) -> tensor<8x16xf32>", "tensor<8x16xf32>")
    assert found[0] == '%0 = sdy.reshard %arg0 <@m, [{"a"}, {}]>'


@pytest.mark.parametrize(("option", "count"), [("", 2), (" avoid-reshards-on-named-computations", 1)])
def test_the_operands_of_named_computations_may_be_left_alone(option: str, count: int) -> None:
    operation = (
        '%0 = sdy.named_computation<"n">(%x) in_shardings=[<@m, [{"b"}, {}]>] out_shardings=[<@m, [{}, {}]>] '
        f"(%p: {SQUARE}) {{ sdy.return %p : {SQUARE} }} : ({SQUARE}) -> {SQUARE}"
    )
    passes = f"func.func(sdy-insert-explicit-reshards{{enable-full-version=true{option}}})"
    program = (
        f"{MESH}\nfunc.func @main({argument('%x', SQUARE, FIRST)}) -> {SQUARE} {{\n{operation}\nreturn %0 : {SQUARE} }}"
    )
    assert body_after(passes, program).count("sdy.reshard") == count


def test_a_declaration_is_left_alone() -> None:
    program = f'{MESH}\nfunc.func private @f({SQUARE} {{sdy.sharding = #sdy.sharding<@m, [{{"a"}}, {{}}]>}})'
    assert "sdy.reshard" not in body_after(MINIMAL, program)


@pytest.mark.parametrize(
    ("reducer", "type", "made"),
    [
        ("maximum", "f32", 'sdy.all_reduce max {"a"}'),
        ("minimum", "f32", 'sdy.all_reduce min {"a"}'),
        ("add", "f32", 'sdy.all_reduce {"a"}'),
        ("or", "i1", 'sdy.all_reduce max {"a"}'),
        ("multiply", "f32", "sdy.reshard %arg0 <@m, [{}, {}]>"),
    ],
)
def test_all_reduces_say_by_what_they_reduce_if_asked_to(reducer: str, type: str, made: str) -> None:
    tensor, row = f"tensor<8x8x{type}>", f"tensor<8x{type}>"
    reduce = f"%0 = stablehlo.reduce(%x init: %c) applies stablehlo.{reducer} across dimensions = [0]"
    passes = "func.func(sdy-insert-explicit-reshards{enable-full-version=true reduction-kinds=%s})"
    arguments = argument("%x", tensor, '[{"a"}, {}]') + f", %c: tensor<{type}>"
    operation = f"{reduce} : ({tensor}, tensor<{type}>) -> {row}"
    assert any(made in step for step in steps(passes % "true", arguments, operation, row))
    plain = 'sdy.all_reduce {"a"}'
    assert any(plain in step for step in steps(passes % "false", arguments, operation, row))
