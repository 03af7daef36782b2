"""Sharded dimensions that do not divide are padded, and what is in the padding reaches no result.

What the reference does alike is compared in `tests/differential/programs/passes/sdy-pad-for-divisibility.mlir`.
"""

# ruff: noqa: E501 (programs have long lines)

from __future__ import annotations

import numpy as np
import pytest

from tests.passes.partitioning.program_text import of, on, one_operation
from tests.passes.partitioning.simulated import same_results
from tests.passes.running import body_after, first_error

PAD = "func.func(sdy-pad-for-divisibility)"
CHAIN = f"{PAD},sdy-convert-global-to-local"
P, Q = '"p"', '"q"'
UNREDUCED = "results are unreduced, but every device computes the whole operation; reshard them afterwards"
MESHES = ['<["p"=4, "q"=2]>', '<["q"=2, "p"=4], device_ids=[3, 1, 0, 2, 7, 5, 4, 6]>']


def program(mesh: str, arguments: str, results: str, body: str) -> str:
    return f"sdy.mesh @m = {mesh}\nfunc.func @main({arguments}) -> ({results}) {{\n{body}\n}}"


def slices(name: str, value: str, type: str, *axes: str) -> str:
    listed = ", ".join("{" + one + "}" for one in axes)
    return f"%{name} = sdy.all_slice [{listed}] %{value} out_sharding=<@m, [{listed}]> : tensor<{type}>"


def gathers(name: str, value: str, type: str, *axes: str) -> str:
    listed = ", ".join("{" + one + "}" for one in axes)
    closed = ", ".join("{}" for _ in axes)
    return f"%{name} = sdy.all_gather [{listed}] %{value} out_sharding=<@m, [{closed}]> : tensor<{type}>"


@pytest.mark.parametrize("mesh", MESHES)
def test_rows_that_do_not_divide_are_padded_and_cut(mesh: str) -> None:
    same_results(
        CHAIN,
        program(
            mesh,
            "%x: tensor<10x7xf32>",
            f"tensor<10x7xf32>, tensor<7x10xf32>, tensor<7x12xf32> {on('', P)}",
            f"""
            {slices("0", "x", "10x7xf32", P, Q)}
            %1 = stablehlo.exponential %0 {of(P, Q)} : tensor<10x7xf32>
            %2 = stablehlo.add %0, %0 {of(P, Q)} : tensor<10x7xf32>
            {gathers("3", "2", "10x7xf32", P, Q)}
            %4 = stablehlo.transpose %2, dims = [1, 0] {of(Q, P)} : (tensor<10x7xf32>) -> tensor<7x10xf32>
            {gathers("5", "4", "7x10xf32", Q, P)}
            %c = stablehlo.constant dense<5.0> : tensor<f32>
            %6 = stablehlo.pad %4, %c, low = [0, 0], high = [0, 2], interior = [0, 0] {of(Q, P)} : (tensor<7x10xf32>, tensor<f32>) -> tensor<7x12xf32>
            %7 = sdy.all_gather [{{"q"}}, {{}}] %6 out_sharding=<@m, [{{}}, {{"p"}}]> : tensor<7x12xf32>
            return %3, %5, %7 : tensor<10x7xf32>, tensor<7x10xf32>, tensor<7x12xf32>""",
        ),
    )


@pytest.mark.parametrize("mesh", MESHES)
@pytest.mark.parametrize("operation", ["dot", "dot_general"])
def test_what_is_contracted_is_zero_in_the_padding(mesh: str, operation: str) -> None:
    dims = ", contracting_dims = [1] x [0]" if operation == "dot_general" else ""
    same_results(
        CHAIN,
        program(
            mesh,
            "%x: tensor<8x6xf32>, %y: tensor<6x7xf32>",
            "tensor<8x7xf32>",
            f"""
            {slices("a", "x", "8x6xf32", "", P)}
            {slices("b", "y", "6x7xf32", P, "")}
            %e = stablehlo.cosine %a {of("", P)} : tensor<8x6xf32>
            %f = stablehlo.cosine %b {of(P, "")} : tensor<6x7xf32>
            %0 = stablehlo.{operation} %e, %f{dims} {of("", "")} : (tensor<8x6xf32>, tensor<6x7xf32>) -> tensor<8x7xf32>
            %1 = sdy.all_reduce {{"p"}} %0 out_sharding=<@m, [{{}}, {{}}]> : tensor<8x7xf32>
            return %1 : tensor<8x7xf32>""",
        ),
    )


def test_zeros_that_are_known_are_not_written_again() -> None:
    text = body_after(
        PAD,
        program(
            MESHES[0],
            "%x: tensor<8x6xf32>, %y: tensor<6x7xf32>",
            "tensor<8x7xf32>",
            f"""
            {slices("a", "x", "8x6xf32", "", P)}
            {slices("b", "y", "6x7xf32", P, "")}
            %0 = stablehlo.dot %a, %b {of("", "")} : (tensor<8x6xf32>, tensor<6x7xf32>) -> tensor<8x7xf32>
            %1 = sdy.all_reduce {{"p"}} %0 out_sharding=<@m, [{{}}, {{}}]> : tensor<8x7xf32>
            return %1 : tensor<8x7xf32>""",
        ),
    )
    assert "stablehlo.select" not in text


@pytest.mark.parametrize("mesh", MESHES)
@pytest.mark.parametrize("kind", ["add", "multiply", "maximum", "minimum"])
@pytest.mark.parametrize("init", ["0.0", "3.0"])
def test_what_is_reduced_is_neutral_in_the_padding(mesh: str, kind: str, init: str) -> None:
    same_results(
        CHAIN,
        program(
            mesh,
            "%x: tensor<10x3xf32>",
            "tensor<3xf32>",
            f"""
            {slices("a", "x", "10x3xf32", P, "")}
            %e = stablehlo.cosine %a {of(P, "")} : tensor<10x3xf32>
            %c = stablehlo.constant dense<{init}> : tensor<f32>
            %0 = stablehlo.reduce(%e init: %c) applies stablehlo.{kind} across dimensions = [0] : (tensor<10x3xf32>, tensor<f32>) -> tensor<3xf32>
            %1 = sdy.all_reduce {{"p"}} %0 out_sharding=<@m, [{{}}]> : tensor<3xf32>
            return %1 : tensor<3xf32>""",
        ),
    )


@pytest.mark.parametrize("mesh", MESHES)
def test_gathers_and_scatters_stay_in_the_visible_part(mesh: str) -> None:
    same_results(
        CHAIN,
        program(
            mesh,
            "%x: tensor<10x3xf32>, %i: tensor<5x1xi32>, %u: tensor<5x3xf32>",
            "tensor<5x3xf32>, tensor<10x3xf32>",
            f"""
            {slices("a", "x", "10x3xf32", P, "")}
            %e = stablehlo.cosine %a {of(P, "")} : tensor<10x3xf32>
            %0 = "stablehlo.gather"(%e, %i) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}}> : (tensor<10x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
            %1 = sdy.all_reduce {{"p"}} %0 out_sharding=<@m, [{{}}, {{}}]> : tensor<5x3xf32>
            {slices("j", "i", "5x1xi32", Q, "")}
            {slices("v", "u", "5x3xf32", Q, "")}
            %w = stablehlo.cosine %v {of(Q, "")} : tensor<5x3xf32>
            %2 = "stablehlo.scatter"(%e, %j, %w) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> ({{
              ^bb0(%b: tensor<f32>, %d: tensor<f32>):
              %r = stablehlo.add %b, %d : tensor<f32>
              stablehlo.return %r : tensor<f32>
            }}) {of(P, "")} : (tensor<10x3xf32>, tensor<5x1xi32>, tensor<5x3xf32>) -> tensor<10x3xf32>
            %3 = sdy.all_reduce {{"q"}} %2 out_sharding=<@m, [{{"p"}}, {{}}]> : tensor<10x3xf32>
            {gathers("4", "3", "10x3xf32", P, "")}
            return %1, %4 : tensor<5x3xf32>, tensor<10x3xf32>""",
        ),
        inputs={1: np.array([[0], [9], [-3], [11], [7]], "int32")},
    )


@pytest.mark.parametrize("mesh", MESHES)
def test_every_collective_takes_what_does_not_divide(mesh: str) -> None:
    unreduced = '"p", "q"' if mesh == MESHES[0] else '"q", "p"'
    same_results(
        CHAIN,
        program(
            mesh,
            f"%x: tensor<10x7xf32>, %y: tensor<10x7xf32> {on('', '')}",
            "tensor<10x7xf32>, tensor<10x7xf32>, tensor<10x7xf32>, tensor<10x7xf32>, tensor<10x7xf32>",
            f"""
            {slices("0", "x", "10x7xf32", P, "")}
            %1 = sdy.all_slice [{{"q"}}, {{}}] %0 out_sharding=<@m, [{{"p", "q"}}, {{}}]> : tensor<10x7xf32>
            %2 = stablehlo.cosine %1 {of('"p", "q"', "")} : tensor<10x7xf32>
            %3 = sdy.all_gather [{{"q"}}, {{}}] %2 out_sharding=<@m, [{{"p"}}, {{}}]> : tensor<10x7xf32>
            {gathers("4", "3", "10x7xf32", P, "")}
            %5 = sdy.all_to_all [{{"p"}}: 0->1] %3 out_sharding=<@m, [{{}}, {{"p"}}]> : tensor<10x7xf32>
            {gathers("6", "5", "10x7xf32", "", P)}
            %7 = sdy.all_to_all [{{"q"}}: 0->1] %2 out_sharding=<@m, [{{"p"}}, {{"q"}}]> : tensor<10x7xf32>
            {gathers("8", "7", "10x7xf32", P, Q)}
            %u = sdy.replicated_to_unreduced {{{unreduced}}} %y out_sharding=<@m, [{{}}, {{}}], unreduced={{{unreduced}}}> : tensor<10x7xf32>
            %v = stablehlo.negate %u {{sdy.sharding = #sdy.sharding_per_value<[<@m, [{{}}, {{}}], unreduced={{{unreduced}}}>]>}} : tensor<10x7xf32>
            %9 = sdy.reduce_scatter [{{"q"}}, {{"p"}}] %v out_sharding=<@m, [{{"q"}}, {{"p"}}]> : tensor<10x7xf32>
            {gathers("10", "9", "10x7xf32", Q, P)}
            %11 = sdy.collective_permute %2 out_sharding=<@m, [{{"q", "p"}}, {{}}]> : tensor<10x7xf32>
            {gathers("12", "11", "10x7xf32", '"q", "p"', "")}
            return %4, %6, %8, %10, %12 : tensor<10x7xf32>, tensor<10x7xf32>, tensor<10x7xf32>, tensor<10x7xf32>, tensor<10x7xf32>""",
        ),
    )


@pytest.mark.parametrize(
    "low, high, interior, size", [(0, 1, 0, 8), (0, 5, 0, 12), (0, 2, 1, 15), (1, 0, 0, 8), (-1, 3, 0, 9)]
)
@pytest.mark.parametrize("count", [2, 4])
def test_padding_of_what_is_padded_keeps_the_value_it_was_given(
    low: int, high: int, interior: int, size: int, count: int
) -> None:
    # On one device: where data goes is the business of the passes around.
    same_results(
        PAD,
        program(
            f'<["p"={count}]>',
            "%x: tensor<7xf32>",
            f"tensor<{size}xf32>",
            f"""
            {slices("0", "x", "7xf32", P)}
            %e = stablehlo.cosine %0 {of(P)} : tensor<7xf32>
            %c = stablehlo.constant dense<5.0> : tensor<f32>
            %1 = stablehlo.pad %e, %c, low = [{low}], high = [{high}], interior = [{interior}] {of(P)} : (tensor<7xf32>, tensor<f32>) -> tensor<{size}xf32>
            {gathers("2", "1", f"{size}xf32", P)}
            return %2 : tensor<{size}xf32>""",
        ),
    )


def test_constants_iotas_slices_loops_and_convolutions() -> None:
    same_results(
        CHAIN,
        program(
            MESHES[0],
            "%x: tensor<5x9x6xf32>, %k: tensor<3x6x4xf32>, %n: tensor<i32>",
            "tensor<10xi32>, tensor<10xf32>, tensor<10xi32>, tensor<9xi32>, tensor<10xi32>, tensor<5x7x4xf32>",
            f"""
            %0 = sdy.constant {of(P)} dense<[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]> : tensor<10xi32>
            {gathers("g0", "0", "10xi32", P)}
            %1 = sdy.constant {of(P)} dense<3.0> : tensor<10xf32>
            {gathers("g1", "1", "10xf32", P)}
            %2 = stablehlo.iota dim = 0 {of(P)} : tensor<10xi32>
            {gathers("g2", "2", "10xi32", P)}
            %3 = stablehlo.slice %2 [0:9] {of(P)} : (tensor<10xi32>) -> tensor<9xi32>
            {gathers("g3", "3", "9xi32", P)}
            %z = stablehlo.constant dense<0> : tensor<i32>
            %one = stablehlo.constant dense<1> : tensor<i32>
            %4:2 = stablehlo.while(%a = %2, %i = %z) : tensor<10xi32>, tensor<i32> attributes {{sdy.sharding = #sdy.sharding_per_value<[<@m, [{{"p"}}]>, <@m, []>]>}}
            cond {{
              %three = stablehlo.constant dense<3> : tensor<i32>
              %c = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
              stablehlo.return %c : tensor<i1>
            }} do {{
              %b = stablehlo.add %a, %a {of(P)} : tensor<10xi32>
              %o = stablehlo.optimization_barrier {of(P)} %b : tensor<10xi32>
              %j = stablehlo.add %i, %one : tensor<i32>
              stablehlo.return %o, %j : tensor<10xi32>, tensor<i32>
            }}
            {gathers("g4", "4#0", "10xi32", P)}
            {slices("s", "x", "5x9x6xf32", P, "", "")}
            %e = stablehlo.cosine %s {of(P, "", "")} : tensor<5x9x6xf32>
            %5 = stablehlo.convolution(%e, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {{}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64, sdy.sharding = #sdy.sharding_per_value<[<@m, [{{"p"}}, {{}}, {{}}]>]>}} : (tensor<5x9x6xf32>, tensor<3x6x4xf32>) -> tensor<5x7x4xf32>
            {gathers("g5", "5", "5x7x4xf32", P, "", "")}
            return %g0, %g1, %g2, %g3, %g4, %g5 : tensor<10xi32>, tensor<10xf32>, tensor<10xi32>, tensor<9xi32>, tensor<10xi32>, tensor<5x7x4xf32>""",
        ),
    )


def test_a_convolution_contracts_features_that_do_not_divide() -> None:
    same_results(
        CHAIN,
        program(
            MESHES[0],
            "%x: tensor<2x9x6xf32>, %k: tensor<3x6x4xf32>",
            "tensor<2x7x4xf32>",
            f"""
            {slices("s", "x", "2x9x6xf32", "", "", P)}
            %e = stablehlo.cosine %s {of("", "", P)} : tensor<2x9x6xf32>
            {slices("t", "k", "3x6x4xf32", "", P, "")}
            %f = stablehlo.cosine %t {of("", P, "")} : tensor<3x6x4xf32>
            %0 = stablehlo.convolution(%e, %f) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {{}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : (tensor<2x9x6xf32>, tensor<3x6x4xf32>) -> tensor<2x7x4xf32>
            %1 = sdy.all_reduce {{"p"}} %0 out_sharding=<@m, [{{}}, {{}}, {{}}]> : tensor<2x7x4xf32>
            return %1 : tensor<2x7x4xf32>""",
        ),
    )


def test_reshapes_that_keep_the_padding_behind() -> None:
    same_results(
        CHAIN,
        program(
            MESHES[0],
            "%x: tensor<6x5xf32>",
            "tensor<3x2x5xf32>, tensor<6x5xf32>",
            f"""
            {slices("a", "x", "6x5xf32", P, Q)}
            %0 = stablehlo.reshape %a {of(P, "", Q)} : (tensor<6x5xf32>) -> tensor<3x2x5xf32>
            {gathers("1", "0", "3x2x5xf32", P, "", Q)}
            %2 = stablehlo.reshape %0 {of(P, Q)} : (tensor<3x2x5xf32>) -> tensor<6x5xf32>
            {gathers("3", "2", "6x5xf32", P, Q)}
            return %1, %3 : tensor<3x2x5xf32>, tensor<6x5xf32>""",
        ),
    )


def test_nothing_changes_where_everything_divides() -> None:
    text = one_operation(
        f"%x: tensor<8xf32> {on(P)}", f"%0 = stablehlo.negate %x {of(P)} : tensor<8xf32>", "tensor<8xf32>", on(P)
    )
    assert body_after(PAD, text) == body_after("", text)


ALONG = """%z = stablehlo.constant dense<0.0> : tensor<f32>
            %w = "stablehlo.reduce_window"(%a, %z) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
              ^bb0(%c: tensor<f32>, %d: tensor<f32>):
              %r = stablehlo.add %c, %d : tensor<f32>
              stablehlo.return %r : tensor<f32>
            }) {SHARDED} : (tensor<5xf32>, tensor<f32>) -> tensor<2xf32>
            %s = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
              ^bb0(%c: tensor<f32>, %d: tensor<f32>):
              %r = stablehlo.compare LT, %c, %d : (tensor<f32>, tensor<f32>) -> tensor<i1>
              stablehlo.return %r : tensor<i1>
            }) {SHARDED} : (tensor<5xf32>) -> tensor<5xf32>
            %t = stablehlo.concatenate %a, %s, dim = 0 {SHARDED} : (tensor<5xf32>, tensor<5xf32>) -> tensor<10xf32>
            %v = stablehlo.reverse %s, dims = [0] {SHARDED} : tensor<5xf32>
            %e = stablehlo.einsum %a, %v, config = "a,b->ab" {TWICE} : (tensor<5xf32>, tensor<5xf32>) -> tensor<5x5xf32>"""


def test_what_works_along_a_dimension_that_does_not_divide_is_computed_whole() -> None:
    results = [("w", "2xf32"), ("s", "5xf32"), ("t", "10xf32"), ("v", "5xf32")]
    body = ALONG.replace("{SHARDED}", of(P)).replace("{TWICE}", of(P, Q))
    gathered = "\n            ".join(gathers(f"g{name}", name, type, P) for name, type in results)
    same_results(
        CHAIN,
        program(
            MESHES[1],
            "%x: tensor<5xf32>",
            ", ".join(f"tensor<{type}>" for _, type in results) + ", tensor<5x5xf32>",
            f"""
            {slices("a", "x", "5xf32", P)}
            {body}
            {gathered}
            {gathers("ge", "e", "5x5xf32", P, Q)}
            return %gw, %gs, %gt, %gv, %ge : {", ".join(f"tensor<{type}>" for _, type in results)}, tensor<5x5xf32>""",
        ),
    )


def test_a_contraction_in_groups_that_do_not_divide_is_computed_whole() -> None:
    text = program(
        '<["p"=4]>',
        "%x: tensor<2x9x6xf32>, %k: tensor<3x3x4xf32>",
        "tensor<2x7x4xf32>",
        f"""
            {slices("s", "x", "2x9x6xf32", "", "", P)}
            {slices("t", "k", "3x3x4xf32", "", P, "")}
            %0 = stablehlo.convolution(%s, %t) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {{}} {{batch_group_count = 1 : i64, feature_group_count = 2 : i64}} : (tensor<2x9x6xf32>, tensor<3x3x4xf32>) -> tensor<2x7x4xf32>
            %1 = sdy.all_reduce {{"p"}} %0 out_sharding=<@m, [{{}}, {{}}, {{}}]> : tensor<2x7x4xf32>
            return %1 : tensor<2x7x4xf32>""",
    )
    assert "all_reduce" not in same_results(CHAIN, text)


def test_an_update_that_grows_to_the_size_of_what_it_updates_is_no_whole_update() -> None:
    same_results(
        CHAIN,
        program(
            '<["p"=2]>',
            "%x: tensor<2x2xf32>, %y: tensor<1x1xf32>, %i: tensor<i32>",
            "tensor<2x2xf32>",
            f"""
            {slices("s", "y", "1x1xf32", "", P)}
            %0 = stablehlo.dynamic_update_slice %x, %s, %i, %i : (tensor<2x2xf32>, tensor<1x1xf32>, tensor<i32>, tensor<i32>) -> tensor<2x2xf32>
            return %0 : tensor<2x2xf32>""",
        ),
        inputs={2: np.array(1, np.int32)},
    )


@pytest.mark.parametrize("place", ["argument", "result"])
def test_the_boundary_must_divide(place: str) -> None:
    argument, result = (on(P), "") if place == "argument" else ("", on(P))
    text = one_operation(f"%0: tensor<5xf32> {argument}", "", "tensor<5xf32>", result)
    assert first_error(PAD, text) == (
        f"'func.func' op {place} #0 has a non-divisible sharding. Shardy expects function IO to be divisible."
    )


def test_what_is_computed_whole_cannot_be_unreduced() -> None:
    sharding = '#sdy.sharding_per_value<[<@m, [{"p"}], unreduced={"q"}>]>'
    constant = f"%0 = stablehlo.constant {{sdy.sharding = {sharding}}} dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>"
    assert first_error(PAD, one_operation("", constant, "tensor<5xf32>", "")) == UNREDUCED
