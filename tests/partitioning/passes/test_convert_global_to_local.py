"""Global shapes become local ones: what the reference gets wrong or cannot do, and what is refused.

What both do alike is compared in `tests/differential/programs/passes/sdy-convert-global-to-local.mlir`.
"""

# ruff: noqa: E501 (programs have long lines)

from __future__ import annotations

import numpy as np
import pytest

import pyshardy
from tests.partitioning.passes.simulated import same_results
from tests.passes.running import body_after, first_error

CONVERT = "sdy-convert-global-to-local"


def sharding(*dims: str, mesh: str = "m") -> str:
    return f"#sdy.sharding<@{mesh}, [{', '.join('{' + dim + '}' for dim in dims)}]>"


def on(*dims: str) -> str:
    """The attribute of an argument or a result of a function."""
    return f"{{sdy.sharding = {sharding(*dims)}}}"


def of(*dims: str) -> str:
    """The attribute of an operation with one result."""
    return f"{{sdy.sharding = #sdy.sharding_per_value<[<@m, [{', '.join('{' + dim + '}' for dim in dims)}]>]>}}"


P, Q = '"p"', '"q"'
X = f"%x: tensor<8x6xf32> {on(P, Q)}"


# --- where a device's shard begins ------------------------------------------------------------------------------------


@pytest.mark.parametrize("mesh", ['<["p"=4, "q"=2]>', '<["p"=4, "q"=2], device_ids=[3, 1, 0, 2, 7, 5, 4, 6]>'])
@pytest.mark.parametrize("axes", ['"p":(1)2', '"p":(2)2', '"q", "p":(2)2', '"p":(2)2, "p":(1)2', '"p", "q"'])
def test_a_shard_along_sub_axes_begins_where_it_should(mesh: str, axes: str) -> None:
    same_results(
        CONVERT,
        f"""
        sdy.mesh @m = {mesh}
        func.func @main(%x: tensor<16xf32>) -> (tensor<16xf32> {on(axes)}, tensor<16xi32> {on(axes)}) {{
          %0 = sdy.all_slice [{{{axes}}}] %x out_sharding=<@m, [{{{axes}}}]> : tensor<16xf32>
          %1 = stablehlo.iota dim = 0 {of(axes)} : tensor<16xi32>
          return %0, %1 : tensor<16xf32>, tensor<16xi32>
        }}
        """,
    )


def test_on_many_devices_offsets_are_computed() -> None:
    text = same_results(
        CONVERT,
        f"""
        sdy.mesh @m = <["p"=8, "q"=3, "r"=4]>
        func.func @main(%x: tensor<12x16xf32>) -> (tensor<12x16xf32> {on('"q", "r"', '"p"')}, tensor<96xi32> {on('"r", "p":(2)4')}) {{
          %0 = sdy.all_slice [{{"q", "r"}}, {{"p"}}] %x out_sharding=<@m, [{{"q", "r"}}, {{"p"}}]> : tensor<12x16xf32>
          %1 = stablehlo.iota dim = 0 {of('"r", "p":(2)4')} : tensor<96xi32>
          return %0, %1 : tensor<12x16xf32>, tensor<96xi32>
        }}
        """,
    )
    assert "dense<[" not in text
    assert "stablehlo.remainder" in text


def test_the_text_does_not_grow_with_the_mesh_but_for_replica_groups() -> None:
    def lines(size: int) -> int:
        program = f"""
            sdy.mesh @m = <["p"={size}, "q"=16]>
            func.func @main() -> (tensor<{size * 4}x32xi32> {on(P, Q)}) {{
              %0 = stablehlo.iota dim = 0 {of(P, Q)} : tensor<{size * 4}x32xi32>
              return %0 : tensor<{size * 4}x32xi32>
            }}
            """
        return len(body_after(CONVERT, program))

    assert lines(4096) - lines(16) < 20


def test_devices_may_be_replicas() -> None:
    text = same_results(
        f"{CONVERT}{{replica-count=4}}",
        f"""
        sdy.mesh @m = <["p"=2, "q"=2]>
        func.func @main(%x: tensor<8x4xf32> {on(P, Q)}) -> (tensor<8x4xf32> {on(P, "")}, tensor<8xi32> {on(Q)}) {{
          %0 = sdy.all_gather [{{}}, {{"q"}}] %x out_sharding=<@m, [{{"p"}}, {{}}]> : tensor<8x4xf32>
          %1 = stablehlo.iota dim = 0 {of(Q)} : tensor<8xi32>
          return %0, %1 : tensor<8x4xf32>, tensor<8xi32>
        }}
        """,
        replicas=True,
    )
    assert "stablehlo.replica_id" in text
    assert "stablehlo.partition_id" not in text


def test_replicas_and_partitions_at_once_are_refused() -> None:
    program = "func.func @main() {\n  return\n}"
    expected = "Shardy partitioner convert_global_to_local does not support both replica_count > 1 and partition_count > 1 yet."
    assert first_error(f"{CONVERT}{{replica-count=2 partition-count=2}}", program) == expected


# --- collectives ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "mesh",
    [
        '<["p"=2, "q"=3, "r"=4]>',
        '<["q"=3, "r"=4, "p"=2], device_ids=[23, 3, 5, 4, 11, 2, 0, 12, 13, 1, 6, 22, 21, 10, 7, 8, 9, 14, 20, 19, 15, 16, 17, 18]>',
    ],
)
@pytest.mark.parametrize(
    "option",
    [
        "",
        "{per-dim-all-gather=true combine-multi-dimension-reduce-scatter=true}",
        "{enable-rgv3=true}",
        "{enable-rgv3=true compat=r2}",
    ],
)
def test_collectives_of_several_dimensions_bring_the_right_data(mesh: str, option: str) -> None:
    all_axes = '"q", "r", "p"' if mesh.startswith('<["q"') else '"p", "q", "r"'
    same_results(
        f"{CONVERT}{option}",
        f"""
        sdy.mesh @m = {mesh}
        func.func @main(%x: tensor<24x8x24x8xf32> {on(Q, '"r"', "", P)}, %y: tensor<12x24xf32> {on("", "")}) -> (tensor<24x8x24x8xf32>, tensor<24x8x24x8xf32> {on("", '"r", "p"', Q, "")}, tensor<24x8x24x8xf32> {on("", '"r":(2)2', Q, "")}, tensor<12x24xf32> {on('"r"', '"p", "q"')}) {{
          %0 = sdy.all_gather [{{"q"}}, {{"r"}}, {{}}, {{"p"}}] %x out_sharding=<@m, [{{}}, {{}}, {{}}, {{}}]> : tensor<24x8x24x8xf32>
          %1 = sdy.all_to_all [{{"q"}}: 0->2, {{"p"}}: 3->1] %x out_sharding=<@m, [{{}}, {{"r", "p"}}, {{"q"}}, {{}}]> : tensor<24x8x24x8xf32>
          %2 = sdy.all_to_all [{{"r", "p"}}: 1->0] %1 out_sharding=<@m, [{{"r", "p"}}, {{}}, {{"q"}}, {{}}]> : tensor<24x8x24x8xf32>
          %3 = sdy.all_gather [{{"r", "p"}}, {{}}, {{}}, {{}}] %2 out_sharding=<@m, [{{}}, {{}}, {{"q"}}, {{}}]> : tensor<24x8x24x8xf32>
          %4 = sdy.all_slice [{{}}, {{"r":(1)2}}, {{}}, {{}}] %3 out_sharding=<@m, [{{}}, {{"r":(1)2}}, {{"q"}}, {{}}]> : tensor<24x8x24x8xf32>
          %5 = sdy.collective_permute %4 out_sharding=<@m, [{{}}, {{"r":(2)2}}, {{"q"}}, {{}}]> : tensor<24x8x24x8xf32>
          %u = sdy.replicated_to_unreduced {{{all_axes}}} %y out_sharding=<@m, [{{}}, {{}}], unreduced={{{all_axes}}}> : tensor<12x24xf32>
          %6 = sdy.reduce_scatter [{{"r"}}, {{"p", "q"}}] %u out_sharding=<@m, [{{"r"}}, {{"p", "q"}}]> : tensor<12x24xf32>
          return %0, %1, %5, %6 : tensor<24x8x24x8xf32>, tensor<24x8x24x8xf32>, tensor<24x8x24x8xf32>, tensor<12x24xf32>
        }}
        """,
    )


def test_a_dimension_that_is_not_scattered_keeps_its_place() -> None:
    text = same_results(
        f"{CONVERT}{{combine-multi-dimension-reduce-scatter=true}}",
        f"""
        sdy.mesh @m = <["p"=2, "q"=3]>
        func.func @main(%y: tensor<6x5x12xf32> {on("", "", "")}) -> (tensor<6x5x12xf32> {on(P, "", Q)}) {{
          %u = sdy.replicated_to_unreduced {{"p", "q"}} %y out_sharding=<@m, [{{}}, {{}}, {{}}], unreduced={{"p", "q"}}> : tensor<6x5x12xf32>
          %0 = sdy.reduce_scatter [{{"p"}}, {{}}, {{"q"}}] %u out_sharding=<@m, [{{"p"}}, {{}}, {{"q"}}]> : tensor<6x5x12xf32>
          return %0 : tensor<6x5x12xf32>
        }}
        """,
    )
    assert "stablehlo.transpose %" in text


def test_terms_of_a_sum_are_made_of_shards_and_of_replicas() -> None:
    same_results(
        CONVERT,
        """
        sdy.mesh @m = <["p"=2, "q"=3]>
        func.func @main(%x: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@m, [{"q"}, {}]>}) -> (tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}], unreduced={"p", "q"}>}) {
          %0 = sdy.replicated_to_unreduced {"p"} %x out_sharding=<@m, [{"q"}, {}], unreduced={"p"}> : tensor<6x5xf32>
          %1 = sdy.sharded_to_unreduced [{"q"}, {}] %0 out_sharding=<@m, [{}, {}], unreduced={"p", "q"}> : tensor<6x5xf32>
          return %1 : tensor<6x5xf32>
        }
        """,
    )


def test_a_permute_keeps_the_terms_of_a_sum_where_they_are() -> None:
    same_results(
        CONVERT,
        """
        sdy.mesh @m = <["p"=2, "t"=3, "q"=2]>
        func.func @main(%x: tensor<4x5xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}) -> (tensor<4x5xf32> {sdy.sharding = #sdy.sharding<@m, [{"q"}, {}], unreduced={"t"}>}) {
          %0 = sdy.replicated_to_unreduced {"t"} %x out_sharding=<@m, [{"p"}, {}], unreduced={"t"}> : tensor<4x5xf32>
          %1 = sdy.collective_permute %0 out_sharding=<@m, [{"q"}, {}], unreduced={"t"}> : tensor<4x5xf32>
          return %1 : tensor<4x5xf32>
        }
        """,
    )


@pytest.mark.parametrize("compat, axes", [("r1", '[#sdy<axis_ref"q">]'), ("r2", '[#stablehlo.axis_ref<name = "q">]')])
def test_axes_in_replica_groups_are_spelled_as_the_chosen_release_does(compat: str, axes: str) -> None:
    program = f"""
        sdy.mesh @m = <["p"=2, "q"=2]>
        func.func @main(%x: tensor<8xf32> {on(Q)}) -> tensor<8xf32> {{
          %0 = sdy.all_gather [{{"q"}}] %x out_sharding=<@m, [{{}}]> : tensor<8xf32>
          return %0 : tensor<8xf32>
        }}
        """
    text = body_after(f"{CONVERT}{{enable-rgv3=true compat={compat}}}", program)
    assert f"replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @m, axes = {axes}>" in text


def test_the_newer_release_lists_the_devices_of_sub_axes() -> None:
    program = f"""
        sdy.mesh @m = <["p"=4]>
        func.func @main(%x: tensor<8xf32> {on('"p":(2)2')}) -> tensor<8xf32> {{
          %0 = sdy.all_gather [{{"p":(2)2}}] %x out_sharding=<@m, [{{}}]> : tensor<8xf32>
          return %0 : tensor<8xf32>
        }}
        """
    assert "dense<[[0, 1], [2, 3]]>" in body_after(f"{CONVERT}{{enable-rgv3=true compat=r2}}", program)


def test_an_inlined_mesh_in_replica_groups_can_be_read_again() -> None:
    program = """
        func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["a"=2]>, [{"a"}]>}) -> tensor<8xf32> {
          %0 = sdy.all_gather [{"a"}] %x out_sharding=<mesh<["a"=2]>, [{}]> : tensor<8xf32>
          return %0 : tensor<8xf32>
        }
        """
    text = body_after(f"{CONVERT}{{enable-rgv3=true}}", program)
    assert '<mesh = #stablehlo.mesh<axes=[<name = "a", size = 2>]>, axes = [#sdy<axis_ref"a">]>' in text
    assert str(pyshardy.parse(text)).count("mesh_axes") == 1


# --- reductions -------------------------------------------------------------------------------------------------------

REDUCTIONS = [
    ("maximum", "f32"),
    ("minimum", "f32"),
    ("multiply", "f64"),
    ("add", "f32"),
    ("or", "i1"),
    ("and", "i1"),
    ("xor", "i32"),
]


@pytest.mark.parametrize("operation, element", REDUCTIONS)
@pytest.mark.parametrize("init", ["constant", "argument"])
def test_a_reduction_over_a_sharded_dimension_is_the_one_that_was_written(
    operation: str, element: str, init: str
) -> None:
    literal = {"i1": "true", "i32": "5"}.get(element, "3.0")
    start = "%c" if init == "argument" else "%k"
    same_results(
        CONVERT,
        f"""
        sdy.mesh @m = <["p"=2, "q"=2]>
        func.func @main(%x: tensor<4x4x{element}> {on(P, Q)}, %c: tensor<{element}>) -> (tensor<4x{element}> {on(P)}) {{
          %k = stablehlo.constant dense<{literal}> : tensor<{element}>
          %0 = stablehlo.reduce(%x init: {start}) applies stablehlo.{operation} across dimensions = [1] {of(P)} : (tensor<4x4x{element}>, tensor<{element}>) -> tensor<4x{element}>
          %1 = sdy.all_reduce {{"q"}} %0 out_sharding=<@m, [{{"p"}}]> : tensor<4x{element}>
          return %1 : tensor<4x{element}>
        }}
        """,
    )


def test_a_reduction_that_no_collective_can_go_on_with_is_computed_whole() -> None:
    text = same_results(
        CONVERT,
        f"""
        sdy.mesh @m = <["p"=2, "q"=2]>
        func.func @main(%x: tensor<4x6xf32> {on(P, Q)}, %i: tensor<4x6xi32> {on(P, Q)}) -> (tensor<6xf32> {on(Q)}, tensor<6xi32> {on(Q)}, tensor<6xf32>) {{
          %z = stablehlo.constant dense<0xFF800000> : tensor<f32>
          %k = stablehlo.constant dense<0> : tensor<i32>
          %0:2 = stablehlo.reduce(%x init: %z), (%i init: %k) across dimensions = [0] {{sdy.sharding = #sdy.sharding_per_value<[<@m, [{{"q"}}]>, <@m, [{{"q"}}]>]>}} : (tensor<4x6xf32>, tensor<4x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<6xf32>, tensor<6xi32>)
            reducer(%a: tensor<f32>, %c: tensor<f32>) (%b: tensor<i32>, %d: tensor<i32>) {{
              %g = stablehlo.compare GT, %a, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
              %v = stablehlo.select %g, %a, %c : tensor<i1>, tensor<f32>
              %w = stablehlo.select %g, %b, %d : tensor<i1>, tensor<i32>
              stablehlo.return %v, %w : tensor<f32>, tensor<i32>
            }}
          %1 = sdy.all_reduce {{"p"}} %0#0 out_sharding=<@m, [{{"q"}}]> : tensor<6xf32>
          %2 = sdy.all_reduce {{"p"}} %0#1 out_sharding=<@m, [{{"q"}}]> : tensor<6xi32>
          %3 = sdy.all_gather [{{"q"}}] %1 out_sharding=<@m, [{{}}]> : tensor<6xf32>
          return %1, %2, %3 : tensor<6xf32>, tensor<6xi32>, tensor<6xf32>
        }}
        """,
    )
    assert "all_reduce" not in text


def test_parts_chosen_at_run_time_and_operations_without_rule_are_computed_whole() -> None:
    same_results(
        CONVERT,
        f"""
        sdy.mesh @m = <["p"=2, "q"=2]>
        func.func @main({X}, %u: tensor<8x2xf32> {on(P, "")}, %i: tensor<i32>) -> (tensor<8x3xf32> {on(P, "")}, tensor<8x6xf32> {on(P, Q)}, tensor<8x2xf32> {on(P, "")}, tensor<8x6xf32> {on(P, Q)}, tensor<8x6xf32>, tensor<0x4xf32>) {{
          %k = stablehlo.constant dense<2> : tensor<i32>
          %0 = stablehlo.dynamic_slice %x, %k, %k, sizes = [8, 3] {of(P, "")} : (tensor<8x6xf32>, tensor<i32>, tensor<i32>) -> tensor<8x3xf32>
          %1 = stablehlo.dynamic_update_slice %x, %u, %k, %k {of(P, Q)} : (tensor<8x6xf32>, tensor<8x2xf32>, tensor<i32>, tensor<i32>) -> tensor<8x6xf32>
          %v, %j = chlo.top_k(%x, k = 2) {{sdy.sharding = #sdy.sharding_per_value<[<@m, [{{"p"}}, {{}}]>, <@m, [{{"p"}}, {{}}]>]>}} : tensor<8x6xf32> -> (tensor<8x2xf32>, tensor<8x2xi32>)
          %2 = chlo.square %x {of(P, Q)} : tensor<8x6xf32> -> tensor<8x6xf32>
          %3 = chlo.square %x : tensor<8x6xf32> -> tensor<8x6xf32>
          %e = sdy.constant {of("", Q)} dense<> : tensor<0x4xf32>
          %f = sdy.all_gather [{{}}, {{"q"}}] %e out_sharding=<@m, [{{}}, {{}}]> : tensor<0x4xf32>
          return %0, %1, %v, %2, %3, %f : tensor<8x3xf32>, tensor<8x6xf32>, tensor<8x2xf32>, tensor<8x6xf32>, tensor<8x6xf32>, tensor<0x4xf32>
        }}
        """,
    )


def test_random_numbers_are_those_of_the_whole_tensor() -> None:
    same_results(
        CONVERT,
        f"""
        sdy.mesh @m = <["p"=2, "q"=2]>
        func.func @main() -> (tensor<2xui64>, tensor<4x6xui32> {on(P, Q)}) {{
          %c = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
          %0, %1 = stablehlo.rng_bit_generator %c, algorithm = THREE_FRY {{sdy.sharding = #sdy.sharding_per_value<[<@m, [{{}}]>, <@m, [{{"p"}}, {{"q"}}]>]>}} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x6xui32>)
          return %0, %1 : tensor<2xui64>, tensor<4x6xui32>
        }}
        """,
    )


def test_a_custom_call_whose_results_share_memory_with_operands_keeps_their_types() -> None:
    program = f"""
        sdy.mesh @m = <["p"=2]>
        func.func @main(%x: tensor<4x4xf32> {on(P, "")}) -> tensor<4x4xf32> {{
          %0 = stablehlo.custom_call @f(%x) {{output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]}} : (tensor<4x4xf32>) -> tensor<4x4xf32>
          return %0 : tensor<4x4xf32>
        }}
        """
    text = body_after(CONVERT, program)
    assert "stablehlo.all_gather" in text
    assert "stablehlo.custom_call @f(%0)" in text


def test_a_reduction_without_a_collective_behind_it_is_warned_of() -> None:
    module = pyshardy.parse(
        f"""
        sdy.mesh @m = <["p"=2]>
        func.func @main(%x: tensor<4xf32> {on(P)}) -> tensor<f32> {{
          %z = stablehlo.constant dense<0.0> : tensor<f32>
          %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
          return %0 : tensor<f32>
        }}
        """
    )
    pyshardy.run_passes(module, CONVERT)
    (said,) = module.context.diagnostics
    assert said.severity == "warning"
    assert said.message == 'each device reduces its part along {"p"}, but no collective combines the results'


# --- gather and scatter -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("element", ["i32", "i64"])
@pytest.mark.parametrize(
    "mesh", ['<["p"=2, "q"=2]>', '<["p"=2, "q"=2], device_ids=[3, 1, 0, 2]>', '<["p"=2, "q"=2, "r"=32]>']
)
def test_a_gather_from_sharded_dimensions_finds_every_row(element: str, mesh: str) -> None:
    same_results(
        CONVERT,
        f"""
        sdy.mesh @m = {mesh}
        func.func @main(%x: tensor<8x6xf32> {on(P, Q)}, %i: tensor<5x1x{element}>, %j: tensor<7x2x{element}>) -> (tensor<5x6xf32> {on("", Q)}, tensor<7xf32>) {{
          %0 = "stablehlo.gather"(%x, %i) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}}> {of("", Q)} : (tensor<8x6xf32>, tensor<5x1x{element}>) -> tensor<5x6xf32>
          %1 = sdy.all_reduce {{"p"}} %0 out_sharding=<@m, [{{}}, {{"q"}}]> : tensor<5x6xf32>
          %2 = "stablehlo.gather"(%x, %j) <{{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [1, 0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}}> : (tensor<8x6xf32>, tensor<7x2x{element}>) -> tensor<7xf32>
          %3 = sdy.all_reduce {{"p", "q"}} %2 out_sharding=<@m, [{{}}]> : tensor<7xf32>
          return %1, %3 : tensor<5x6xf32>, tensor<7xf32>
        }}
        """,
        inputs={
            1: np.array([[0], [7], [3], [-4], [99]], "int32" if element == "i32" else "int64"),
            2: np.array(
                [[0, 0], [5, 7], [2, 3], [3, 4], [-1, 9], [9, -1], [4, 1]], "int32" if element == "i32" else "int64"
            ),
        },
    )


@pytest.mark.parametrize("body", ["add", "maximum", "minimum", "multiply"])
@pytest.mark.parametrize("element", ["f32", "i32"])
@pytest.mark.parametrize("mesh", ['<["p"=2, "q"=2]>', '<["p"=2, "q"=2, "r"=32]>'])
def test_a_scatter_of_sharded_updates_into_a_sharded_operand(body: str, element: str, mesh: str) -> None:
    same_results(
        CONVERT,
        f"""
        sdy.mesh @m = {mesh}
        func.func @main(%x: tensor<8x6x{element}> {on(P, "")}, %i: tensor<4x1xi32> {on(Q, "")}, %u: tensor<4x6x{element}> {on(Q, "")}) -> (tensor<8x6x{element}> {on(P, "")}) {{
          %0 = "stablehlo.scatter"(%x, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> ({{
            ^bb0(%a: tensor<{element}>, %b: tensor<{element}>):
            %r = stablehlo.{body} %a, %b : tensor<{element}>
            stablehlo.return %r : tensor<{element}>
          }}) {of(P, "")} : (tensor<8x6x{element}>, tensor<4x1xi32>, tensor<4x6x{element}>) -> tensor<8x6x{element}>
          %1 = sdy.all_reduce {{"q"}} %0 out_sharding=<@m, [{{"p"}}, {{}}]> : tensor<8x6x{element}>
          return %1 : tensor<8x6x{element}>
        }}
        """,
        inputs={1: np.array([[1], [7], [1], [8]], "int32")},
    )


def test_windows_of_a_scatter_along_a_sharded_dimension() -> None:
    same_results(
        CONVERT,
        f"""
        sdy.mesh @m = <["p"=2]>
        func.func @main(%x: tensor<8x6xf32> {on(P, "")}, %i: tensor<3x2xi32>, %u: tensor<3x8x1xf32> {on("", P, "")}, %v: tensor<3x3x1xf32>) -> (tensor<8x6xf32> {on(P, "")}, tensor<8x6xf32> {on(P, "")}) {{
          %0 = "stablehlo.scatter"(%x, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}}> ({{
            ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            %r = stablehlo.add %a, %b : tensor<f32>
            stablehlo.return %r : tensor<f32>
          }}) {of(P, "")} : (tensor<8x6xf32>, tensor<3x2xi32>, tensor<3x8x1xf32>) -> tensor<8x6xf32>
          %1 = "stablehlo.scatter"(%x, %i, %v) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}}> ({{
            ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            %r = stablehlo.add %a, %b : tensor<f32>
            stablehlo.return %r : tensor<f32>
          }}) {of(P, "")} : (tensor<8x6xf32>, tensor<3x2xi32>, tensor<3x3x1xf32>) -> tensor<8x6xf32>
          return %0, %1 : tensor<8x6xf32>, tensor<8x6xf32>
        }}
        """,
        inputs={1: np.array([[0, 1], [0, 5], [3, 2]], "int32")},
    )


def test_a_scatter_of_two_element_types_and_into_a_scalar() -> None:
    same_results(
        CONVERT,
        f"""
        sdy.mesh @m = <["p"=2]>
        func.func @main(%x: tensor<8xf32>, %y: tensor<8xi32>, %i: tensor<4x1xi32> {on(P, "")}, %u: tensor<4xf32> {on(P)}, %v: tensor<4xi32> {on(P)}, %s: tensor<f32>, %j: tensor<4x0xi32> {on(P, "")}) -> (tensor<8xf32>, tensor<8xi32>, tensor<f32>) {{
          %0:2 = "stablehlo.scatter"(%x, %y, %i, %u, %v) <{{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> ({{
            ^bb0(%a: tensor<f32>, %c: tensor<i32>, %b: tensor<f32>, %d: tensor<i32>):
            %r = stablehlo.add %a, %b : tensor<f32>
            %t = stablehlo.add %c, %d : tensor<i32>
            stablehlo.return %r, %t : tensor<f32>, tensor<i32>
          }}) : (tensor<8xf32>, tensor<8xi32>, tensor<4x1xi32>, tensor<4xf32>, tensor<4xi32>) -> (tensor<8xf32>, tensor<8xi32>)
          %1 = sdy.all_reduce {{"p"}} %0#0 out_sharding=<@m, [{{}}]> : tensor<8xf32>
          %2 = sdy.all_reduce {{"p"}} %0#1 out_sharding=<@m, [{{}}]> : tensor<8xi32>
          %3 = "stablehlo.scatter"(%s, %j, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<index_vector_dim = 1>}}> ({{
            ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            %r = stablehlo.add %a, %b : tensor<f32>
            stablehlo.return %r : tensor<f32>
          }}) : (tensor<f32>, tensor<4x0xi32>, tensor<4xf32>) -> tensor<f32>
          %4 = sdy.all_reduce {{"p"}} %3 out_sharding=<@m, []> : tensor<f32>
          return %1, %2, %4 : tensor<8xf32>, tensor<8xi32>, tensor<f32>
        }}
        """,
        inputs={2: np.array([[0], [7], [0], [9]], "int32"), 6: np.zeros((4, 0), "int32")},
    )


# --- control flow, slices, pads, constants ----------------------------------------------------------------------------


def test_carried_values_of_a_loop_calls_and_whole_dynamic_slices_are_local() -> None:
    text = same_results(
        CONVERT,
        f"""
        sdy.mesh @m = <["p"=2, "q"=2]>
        func.func @main(%x: tensor<4x8xf32> {on(P, Q)}, %n: tensor<i32>) -> (tensor<4x8xf32> {on(P, Q)}, tensor<1x8xf32> {on("", Q)}) {{
          %z = stablehlo.constant dense<0> : tensor<i32>
          %one = stablehlo.constant dense<1> : tensor<i32>
          %three = stablehlo.constant dense<3> : tensor<i32>
          %0:2 = stablehlo.while(%a = %x, %i = %z) : tensor<4x8xf32>, tensor<i32> attributes {{sdy.sharding = #sdy.sharding_per_value<[<@m, [{{"p"}}, {{"q"}}]>, <@m, []>]>}}
          cond {{
            %c = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
            stablehlo.return %c : tensor<i1>
          }} do {{
            %b = func.call @twice(%a) {of(P, Q)} : (tensor<4x8xf32>) -> tensor<4x8xf32>
            %j = stablehlo.add %i, %one : tensor<i32>
            stablehlo.return %b, %j : tensor<4x8xf32>, tensor<i32>
          }}
          %1 = func.call @twice(%0#0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
          %h = stablehlo.negate %1 {of(P, Q)} : tensor<4x8xf32>
          %g = sdy.all_gather [{{"p"}}, {{}}] %h out_sharding=<@m, [{{}}, {{"q"}}]> : tensor<4x8xf32>
          %2 = stablehlo.dynamic_slice %g, %one, %n, sizes = [1, 8] {of("", Q)} : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
          return %1, %2 : tensor<4x8xf32>, tensor<1x8xf32>
        }}
        func.func private @twice(%x: tensor<4x8xf32> {on(P, Q)}) -> (tensor<4x8xf32> {on(P, Q)}) {{
          %0 = stablehlo.add %x, %x {of(P, Q)} : tensor<4x8xf32>
          return %0 : tensor<4x8xf32>
        }}
        """,
    )
    assert text.count("tensor<4x8xf32>") == 0


def test_constants_and_iotas_of_every_kind_are_each_devices_own() -> None:
    values = ", ".join(map(str, range(24)))
    same_results(
        CONVERT,
        f"""
        sdy.mesh @m = <["p"=2, "q"=3]>
        func.func @main() -> (tensor<24xi32> {on('"q", "p"')}, tensor<24xi32> {on(Q)}, tensor<6xf32> {on(Q)}, tensor<600xbf16> {on('"p", "q"')}, tensor<12x6xf32> {on(P, Q)}) {{
          %0 = sdy.constant {of('"q", "p"')} dense<[{values}]> : tensor<24xi32>
          %1 = stablehlo.constant {of(Q)} dense<[{values}]> : tensor<24xi32>
          %2 = stablehlo.constant {of(Q)} dense<2.0> : tensor<6xf32>
          %3 = stablehlo.iota dim = 0 {of('"p", "q"')} : tensor<600xbf16>
          %4 = stablehlo.iota dim = 1 {of(P, Q)} : tensor<12x6xf32>
          return %0, %1, %2, %3, %4 : tensor<24xi32>, tensor<24xi32>, tensor<6xf32>, tensor<600xbf16>, tensor<12x6xf32>
        }}
        """,
    )


@pytest.mark.parametrize(
    "mesh", ['<["p"=2, "q"=2]>', '<["p"=2, "q"=2], device_ids=[3, 1, 0, 2]>', '<["p"=2, "q"=2, "r"=32]>']
)
def test_pads_and_slices_that_move_nothing(mesh: str) -> None:
    same_results(
        CONVERT,
        f"""
        sdy.mesh @m = {mesh}
        func.func @main(%x: tensor<4x6xf32> {on(P, Q)}, %c: tensor<f32>) -> (tensor<8x12xf32> {on(P, Q)}, tensor<6x6xf32> {on(P, Q)}, tensor<2x2xf32> {on(P, Q)}) {{
          %0 = stablehlo.pad %x, %c, low = [2, 0], high = [2, 1], interior = [0, 1] {of(P, Q)} : (tensor<4x6xf32>, tensor<f32>) -> tensor<8x12xf32>
          %1 = stablehlo.pad %x, %c, low = [1, 0], high = [1, 0], interior = [0, 0] {of(P, Q)} : (tensor<4x6xf32>, tensor<f32>) -> tensor<6x6xf32>
          %2 = stablehlo.slice %x [0:4:2, 0:6:3] {of(P, Q)} : (tensor<4x6xf32>) -> tensor<2x2xf32>
          return %0, %1, %2 : tensor<8x12xf32>, tensor<6x6xf32>, tensor<2x2xf32>
        }}
        """,
    )


def test_windows_that_stay_on_their_device() -> None:
    same_results(
        CONVERT,
        f"""
        sdy.mesh @m = <["p"=2, "q"=2]>
        func.func @main(%x: tensor<4x12xf32> {on(P, Q)}) -> (tensor<4x4xf32> {on(P, Q)}) {{
          %z = stablehlo.constant dense<0.0> : tensor<f32>
          %0 = "stablehlo.reduce_window"(%x, %z) <{{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 3>}}> ({{
            ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            %r = stablehlo.add %a, %b : tensor<f32>
            stablehlo.return %r : tensor<f32>
          }}) {of(P, Q)} : (tensor<4x12xf32>, tensor<f32>) -> tensor<4x4xf32>
          return %0 : tensor<4x4xf32>
        }}
        """,
    )


def test_dots_and_grouped_convolutions() -> None:
    same_results(
        CONVERT,
        f"""
        sdy.mesh @m = <["p"=2, "q"=2]>
        func.func @main(%x: tensor<8x6xf32> {on(P, Q)}, %y: tensor<6x8xf32> {on(Q, "")}, %i: tensor<4x5x4xf32> {on("", "", Q)}, %k: tensor<3x2x8xf32> {on("", "", Q)}, %j: tensor<4x5x4xf32> {on(P, "", Q)}, %l: tensor<3x4x8xf32> {on("", Q, "")}) -> (tensor<8x8xf32> {on(P, "")}, tensor<4x3x8xf32> {on("", "", Q)}, tensor<4x3x8xf32> {on(P, "", "")}) {{
          %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] {of(P, "")} : (tensor<8x6xf32>, tensor<6x8xf32>) -> tensor<8x8xf32>
          %1 = sdy.all_reduce {{"q"}} %0 out_sharding=<@m, [{{"p"}}, {{}}]> : tensor<8x8xf32>
          %2 = stablehlo.convolution(%i, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {{}} {{batch_group_count = 1 : i64, feature_group_count = 2 : i64, sdy.sharding = #sdy.sharding_per_value<[<@m, [{{}}, {{}}, {{"q"}}]>]>}} : (tensor<4x5x4xf32>, tensor<3x2x8xf32>) -> tensor<4x3x8xf32>
          %3 = stablehlo.convolution(%j, %l) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {{}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64, sdy.sharding = #sdy.sharding_per_value<[<@m, [{{"p"}}, {{}}, {{}}]>]>}} : (tensor<4x5x4xf32>, tensor<3x4x8xf32>) -> tensor<4x3x8xf32>
          %4 = sdy.all_reduce {{"q"}} %3 out_sharding=<@m, [{{"p"}}, {{}}, {{}}]> : tensor<4x3x8xf32>
          return %1, %2, %4 : tensor<8x8xf32>, tensor<4x3x8xf32>, tensor<4x3x8xf32>
        }}
        """,
    )


@pytest.mark.parametrize("follower", ['all_reduce {"p", "q"} %0', 'reduce_scatter [{"q", "p"}, {}] %0'])
def test_a_dot_is_summed_over_its_axes_in_any_order_and_may_be_scattered(follower: str) -> None:
    out = ('"q", "p"', "") if "scatter" in follower else ("", "")
    same_results(
        CONVERT,
        f"""
        sdy.mesh @m = <["p"=2, "q"=2]>
        func.func @main(%x: tensor<8x12xf32> {on("", '"q", "p"')}, %y: tensor<12x4xf32> {on('"q", "p"', "")}) -> (tensor<8x4xf32> {on(*out)}) {{
          %0 = stablehlo.dot %x, %y {of("", "")} : (tensor<8x12xf32>, tensor<12x4xf32>) -> tensor<8x4xf32>
          %1 = sdy.{follower} out_sharding=<@m, [{{{out[0]}}}, {{}}]> : tensor<8x4xf32>
          return %1 : tensor<8x4xf32>
        }}
        """,
    )


# --- what is refused --------------------------------------------------------------------------------------------------


def one_operation(operands: str, operation: str, result: str, attribute: str, mesh: str = '<["p"=2, "q"=2]>') -> str:
    return f"""
        sdy.mesh @m = {mesh}
        func.func @main({operands}) -> ({result} {attribute}) {{
          {operation}
          return %0 : {result}
        }}
        """


DOT = (
    f"%x: tensor<8x6xf32> {on(P, Q)}, %y: tensor<6x8xf32> {on(Q, '')}",
    "tensor<8x8xf32>",
    on(P, ""),
)
REFUSED = {
    "'stablehlo.slice' op dimension 1 is sharded but the slice is not a full slice and requires device communication.": one_operation(
        X, f"%0 = stablehlo.slice %x [0:8, 2:6] {of(P, Q)} : (tensor<8x6xf32>) -> tensor<8x4xf32>", "tensor<8x4xf32>", on(P, Q)
    ),
    "'stablehlo.slice' op dimension 0 is sharded but the slice is not a full slice and requires device communication.": one_operation(
        f"%x: tensor<10x6xf32> {on(P, '')}", f"%0 = stablehlo.slice %x [0:10:3, 0:6] {of(P, '')} : (tensor<10x6xf32>) -> tensor<4x6xf32>", "tensor<4x6xf32>", on(P, "")
    ),
    "'stablehlo.pad' op dimension 0 is sharded but the pad requires device communication.": one_operation(
        f"{X}, %c: tensor<f32>", f"%0 = stablehlo.pad %x, %c, low = [1, 0], high = [3, 0], interior = [0, 0] {of(P, Q)} : (tensor<8x6xf32>, tensor<f32>) -> tensor<12x6xf32>", "tensor<12x6xf32>", on(P, Q)
    ),
    'dimension 1 has mismatched sharding axes ([axis_ref"q"] vs []). This requires a reshard collective which should have been handled by previous passes.': one_operation(
        f"{X}, %c: tensor<f32>", f"%0 = stablehlo.pad %x, %c, low = [0, 0], high = [0, 2], interior = [0, 0] {of(P, '')} : (tensor<8x6xf32>, tensor<f32>) -> tensor<8x8xf32>", "tensor<8x8xf32>", on(P, "")
    ),
    "In op stablehlo.reduce_window dimension 1 is sharded but is not a pass-through dimension.": one_operation(
        X, f'''%z = stablehlo.constant dense<0.0> : tensor<f32>
          %0 = "stablehlo.reduce_window"(%x, %z) <{{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}}> ({{
            ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            %r = stablehlo.add %a, %b : tensor<f32>
            stablehlo.return %r : tensor<f32>
          }}) {of(P, "")} : (tensor<8x6xf32>, tensor<f32>) -> tensor<8x3xf32>''', "tensor<8x3xf32>", on(P, "")
    ),
    "Failed to compute local type due to non-divisible sharding": one_operation(
        f"%x: tensor<5xf32> {on(P)}", "%0 = stablehlo.constant dense<1.0> : tensor<f32>", "tensor<f32>", on()
    ),
    "Expected sharded contracting dot to have one user and the user is an sdy.all_reduce.": one_operation(
        DOT[0], f"%0 = stablehlo.dot %x, %y {of(P, '')} : (tensor<8x6xf32>, tensor<6x8xf32>) -> tensor<8x8xf32>", *DOT[1:]
    ),
    "Expected sharded contracting dot_general to have one user and the user is an sdy.all_reduce.": one_operation(
        DOT[0], f"%0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] {of(P, '')} : (tensor<8x6xf32>, tensor<6x8xf32>) -> tensor<8x8xf32>", *DOT[1:]
    ),
    "The axes of the sdy.all_reduce should match the sharded contracting dimension of the dot.": one_operation(
        DOT[0], f'''%1 = stablehlo.dot %x, %y {of(P, '')} : (tensor<8x6xf32>, tensor<6x8xf32>) -> tensor<8x8xf32>
          %0 = sdy.all_reduce {{"r"}} %1 out_sharding=<@m, [{{"p"}}, {{}}]> : tensor<8x8xf32>''', *DOT[1:], mesh='<["p"=2, "q"=2, "r"=2]>'
    ),
    "Expected the gather to have one user and the user is an sdy.all_reduce.": one_operation(
        f"{X}, %i: tensor<5x1xi32>", f'''%0 = "stablehlo.gather"(%x, %i) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}}> {of("", Q)} : (tensor<8x6xf32>, tensor<5x1xi32>) -> tensor<5x6xf32>''', "tensor<5x6xf32>", on("", Q)
    ),
    "The axes of the sdy.all_reduce should match the sharded collapsed operand dimensions of the gather.": one_operation(
        f"{X}, %i: tensor<5x1xi32>", f'''%1 = "stablehlo.gather"(%x, %i) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}}> {of("", Q)} : (tensor<8x6xf32>, tensor<5x1xi32>) -> tensor<5x6xf32>
          %0 = sdy.all_reduce {{"r"}} %1 out_sharding=<@m, [{{}}, {{"q"}}]> : tensor<5x6xf32>''', "tensor<5x6xf32>", on("", Q), mesh='<["p"=2, "q"=2, "r"=2]>'
    ),
    'dimension 0 of operand 1 is sharded along {"q"} and that of its result along {"p"}: the devices hold different parts of it; reshard one of them': one_operation(
        f"%x: tensor<8xf32> {on(P)}, %y: tensor<8xf32> {on(Q)}", f"%0 = stablehlo.add %x, %y {of(P)} : tensor<8xf32>", "tensor<8xf32>", on(P)
    ),
    "operand 0 and its result are sharded on different meshes; reshard one of them": one_operation(
        f"%x: tensor<8xf32> {on(P)}", '%0 = stablehlo.negate %x {sdy.sharding = #sdy.sharding_per_value<[<mesh<["p"=2, "q"=2], device_ids=[3, 2, 1, 0]>, [{"p"}]>]>} : tensor<8xf32>', "tensor<8xf32>", on(P)
    ),
    'dimension 0 of operand 0 is sharded along {"q"} and that of result 0 of the function along {"p"}: the devices hold different parts of it; reshard one of them': one_operation(
        f"%x: tensor<8xf32> {on(Q)}", f"%0 = stablehlo.negate %x {of(Q)} : tensor<8xf32>", "tensor<8xf32>", on(P)
    ),
    "entry 0 of in_shardings gives each device tensor<4xf32>, but the value there is tensor<8xf32>; insert a reshard": one_operation(
        "%x: tensor<8xf32>", '''%0 = sdy.manual_computation(%x) in_shardings=[<@m, [{"p"}]>] out_shardings=[<@m, [{"p"}]>] manual_axes={"p"} (%a: tensor<4xf32>) {
            sdy.return %a : tensor<4xf32>
          } : (tensor<8xf32>) -> tensor<8xf32>''', "tensor<8xf32>", on(P)
    ),
}  # fmt: skip


@pytest.mark.parametrize("expected", REFUSED)
def test_what_would_compute_something_else_is_refused(expected: str) -> None:
    assert first_error(CONVERT, REFUSED[expected]) == expected


def test_a_refusal_quotes_the_operation_with_its_global_types() -> None:
    program = f"""sdy.mesh @m = <["p"=2]>
        func.func @main(%x: tensor<8xf32> {on(P)}) -> tensor<8xf32> {{
          %0 = stablehlo.negate %x {of(P)} : tensor<8xf32>
          %1 = sdy.reshard %0 <@m, [{{}}]> : tensor<8xf32>
          return %1 : tensor<8xf32>
        }}"""
    module = pyshardy.parse(program)
    with pytest.raises(pyshardy.PyshardyError) as failure:
        pyshardy.run_passes(module, CONVERT)
    (said,) = failure.value.diagnostics
    assert (said.position.line, said.position.column) == (4, 16)
    assert said.message == (
        "failed to legalize operation 'sdy.reshard' that was explicitly marked illegal: "
        '%1 = "sdy.reshard"(%0) <{sharding = #sdy.sharding<@m, [{}]>}> : (tensor<8xf32>) -> tensor<8xf32>'
    )
