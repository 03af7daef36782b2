"""What becomes of ``mhlo.sharding`` in a program, place by place; and what has no counterpart."""

from __future__ import annotations

import pytest

import pyshardy

X = "tensor<8x4xf32>"


def converted(*lines: str, arguments: str = f"%x: {X}", results: str = X, returned: str = "%x") -> str:
    """The program after reading, from its first mesh to the return."""
    body = "\n".join(lines)
    text = (
        f"module attributes {{mhlo.num_partitions = 4 : i32}} {{ func.func @main({arguments}) -> ({results}) {{\n"
        f"{body}\nreturn {returned} : {results.partition(' {')[0]} }} }}"
    )
    shown = str(pyshardy.parse(text)).splitlines()[1:-3]
    return "\n".join(line.strip() for line in shown)


def refusal(*lines: str, **function: str) -> str:
    with pytest.raises(pyshardy.PyshardyError) as error:
        converted(*lines, **function)
    return error.value.diagnostics[-1].message


def test_arguments_and_results_get_what_they_have() -> None:
    found = converted(
        arguments=f'%x: {X} {{mhlo.sharding = "{{devices=[2,2]<=[4]}}"}}',
        results=f'{X} {{mhlo.sharding = "{{replicated}}"}}',
    )
    assert found == (
        'sdy.mesh @mesh = <["axis_0"=2, "axis_1"=2]>\n'
        f'func.func @main(%arg0: {X} {{sdy.sharding = #sdy.sharding<@mesh, [{{"axis_0"}}, {{"axis_1"}}]>}}) -> '
        f"({X} {{sdy.sharding = #sdy.sharding<@mesh, [{{}}, {{}}]>}}) {{"
    )


def test_an_unknown_sharding_says_nothing() -> None:
    found = converted(arguments=f'%x: {X} {{mhlo.sharding = "{{unknown}}"}}')
    assert found == f'sdy.mesh @mesh = <["axis_0"=4]>\nfunc.func @main(%arg0: {X}) -> {X} {{'


def test_an_operation_keeps_its_own_sharding() -> None:
    found = converted(f'%0 = stablehlo.tanh %x {{mhlo.sharding = "{{devices=[1,4]<=[4]}}"}} : {X}', returned="%0")
    line = f'stablehlo.tanh %arg0 {{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{{}}, {{"axis_0"}}]>]>}} : {X}'
    assert line in found


def test_the_members_of_a_tuple_are_the_results() -> None:
    found = converted(
        '%0:2 = stablehlo.optimization_barrier {mhlo.sharding = "{{devices=[4,1]<=[4]}, /*index=1*/{replicated}}"} '
        f"%x, %x : {X}, {X}"
    )
    assert 'sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"axis_0"}, {}]>, <@mesh, [{}, {}]>]>' in found


def test_a_single_device_is_a_maximal_mesh() -> None:
    found = converted(
        'stablehlo.custom_call @log(%x) {mhlo.sharding = "{maximal device=3}", has_side_effect = true} '
        f": ({X}) -> ()"
    )
    assert "sdy.mesh @maximal_mesh_3 = <[], device_ids=[3]>" in found
    assert "sdy.sharding = #sdy.sharding_per_value<[<@maximal_mesh_3, []>]>" in found


def test_a_marker_is_a_constraint_and_may_leave_dimensions_open() -> None:
    found = converted(
        '%0 = stablehlo.custom_call @Sharding(%x) {backend_config = "unspecified_dims=[1]", '
        f'mhlo.sharding = "{{devices=[4,1]<=[4]}}"}} : ({X}) -> {X}',
        returned="%0",
    )
    assert f'%0 = sdy.sharding_constraint %arg0 <@mesh, [{{"axis_0"}}, {{?}}]> : {X}' in found


def test_a_marker_that_replicates_is_a_constraint_too() -> None:
    found = converted(
        f'%0 = stablehlo.custom_call @Sharding(%x) {{mhlo.sharding = "{{replicated}}"}} : ({X}) -> {X}', returned="%0"
    )
    assert f"%0 = sdy.sharding_constraint %arg0 <@mesh, [{{}}, {{}}]> : {X}" in found


def test_terms_of_a_sum_are_unreduced_axes() -> None:
    found = converted(arguments=f'%x: {X} {{mhlo.sharding = "{{devices=[2,1,2]<=[4] last_tile_dims={{unreduced}}}}"}}')
    assert '<@mesh, [{"axis_0"}, {}], unreduced={"axis_1"}>' in found


def test_a_sharding_in_bytes_is_read() -> None:
    found = converted(arguments=f'%x: {X} {{mhlo.sharding = "\\08\\03\\1A\\02\\04\\01\\22\\04\\00\\01\\02\\03"}}')
    assert '<@mesh, [{"axis_0"}, {}]>' in found


LOCAL = "tensor<2x4xf32>"
MANUAL = 'mhlo.sharding = "{manual}"'
ROWS = 'mhlo.sharding = "{devices=[4,1]<=[4]}"'


def test_operations_between_the_ways_in_and_out_are_a_manual_computation() -> None:
    """As PyTorch/XLA writes it: no function around them, and constants that are used outside as well."""
    found = converted(
        "%c = stablehlo.constant dense<1.0> : tensor<f32>",
        f"%ones = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> {LOCAL}",
        f"%0 = stablehlo.custom_call @Sharding(%x) {{{ROWS}}} : ({X}) -> {X}",
        f"%1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {{{MANUAL}}} : ({X}) -> {LOCAL}",
        f"%2 = stablehlo.add %1, %ones : {LOCAL}",
        f"%3 = stablehlo.custom_call @Sharding(%2) {{{MANUAL}}} : ({LOCAL}) -> {LOCAL}",
        f"%4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {{{ROWS}}} : ({LOCAL}) -> {X}",
        f"%y = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> {X}",
        f"%5 = stablehlo.add %4, %y : {X}",
        returned="%5",
    )
    assert (
        f'%0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{{"axis_0"}}, {{}}]>] out_shardings=[<@mesh, '
        f'[{{"axis_0"}}, {{}}]>] manual_axes={{"axis_0"}} (%arg1: {LOCAL}) {{\n'
        "%cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>\n"
        f"%3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> {LOCAL}\n"
        f"%4 = stablehlo.add %arg1, %3 : {LOCAL}\n"
        f"sdy.return %4 : {LOCAL}\n"
    ) in found
    assert "custom_call" not in found


def test_scalars_come_in_by_themselves() -> None:
    found = converted(
        f"%0 = stablehlo.custom_call @Sharding(%x) {{{ROWS}}} : ({X}) -> {X}",
        f"%1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {{{MANUAL}}} : ({X}) -> {LOCAL}",
        f"%2 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> {LOCAL}",
        f"%3 = stablehlo.add %1, %2 : {LOCAL}",
        f"%4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {{{ROWS}}} : ({LOCAL}) -> {X}",
        arguments=f"%x: {X}, %s: tensor<f32>",
        returned="%4",
    )
    assert 'sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"axis_0"}, {}]>, <@mesh, []>]' in found


def test_a_program_with_shardings_of_both_kinds_keeps_those_of_shardy_and_warns() -> None:
    module = pyshardy.parse(f"""
      sdy.mesh @m = <["x"=2]>
      func.func @main(%x: {X} {{mhlo.sharding = "{{replicated}}"}}) -> {X} {{ return %x : {X} }}""")
    assert "mhlo.sharding" in str(module) and not module.notes
    (warning,) = module.context.diagnostics
    assert warning.severity == "warning"
    assert warning.message == "the program has shardings of Shardy, so those of GSPMD (mhlo.sharding) are not read"


# --- what has no counterpart ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sharding", "why"),
    [
        ("{devices=[4]<=[4]}", f"it is of 1 dimensions, and the value is a {X}"),
        ("{{replicated}}", f"it is of a tuple, and the value is a {X}"),
        ("{devices=[2,2]<=[2]}", "its 4 tiles are not the devices on the right of '<='"),
        ("{striped}", "'striped' is no kind of sharding that pyshardy knows"),
    ],
)
def test_a_sharding_without_counterpart_is_quoted(sharding: str, why: str) -> None:
    message = refusal(arguments=f'%x: {X} {{mhlo.sharding = "{sharding}"}}')
    assert message == f'the sharding mhlo.sharding = "{sharding}" cannot be read: {why}'


def test_shardings_for_different_numbers_of_devices_are_refused() -> None:
    message = refusal(
        f'%0 = stablehlo.tanh %x {{mhlo.sharding = "{{devices=[2,1]<=[2]}}"}} : {X}',
        arguments=f'%x: {X} {{mhlo.sharding = "{{devices=[4,1]<=[4]}}"}}',
    )
    assert message.endswith("some shardings are for 2 devices, others for 4")


def test_a_value_of_one_device_cannot_be_the_result_of_the_whole() -> None:
    message = refusal(
        f"%0 = stablehlo.custom_call @Sharding(%x) {{{ROWS}}} : ({X}) -> {X}",
        f"%1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {{{MANUAL}}} : ({X}) -> {LOCAL}",
        results=LOCAL,
        returned="%1",
    )
    assert "a value that one device sees for itself ends in 'func.return' of the whole" in message


def test_a_way_in_needs_to_know_how_its_operand_is_cut() -> None:
    message = refusal(
        f"%1 = stablehlo.custom_call @SPMDFullToShardShape(%x) {{{MANUAL}}} : ({X}) -> {LOCAL}",
        f"%4 = stablehlo.custom_call @SPMDShardToFullShape(%1) {{{ROWS}}} : ({LOCAL}) -> {X}",
    )
    assert message == 'the sharding mhlo.sharding = "{manual}" cannot be read: nothing says how its operand is sharded'


def test_free_axes_in_front_of_manual_ones_have_no_counterpart() -> None:
    some = 'mhlo.sharding = "{devices=[1,1,2,2]<=[4] last_tile_dims={manual, replicated}}"'
    rows = 'mhlo.sharding = "{devices=[4,1]<=[2,2]T(1,0)}"'
    message = refusal(
        f"%0 = stablehlo.custom_call @Sharding(%x) {{{rows}}} : ({X}) -> {X}",
        f"%1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {{{some}}} : ({X}) -> tensor<4x4xf32>",
        f"%2 = stablehlo.custom_call @SPMDShardToFullShape(%1) {{{rows}}} : (tensor<4x4xf32>) -> {X}",
    )
    assert message.endswith("a dimension is cut along free axes first and manual ones then, which has no counterpart")


def test_whole_values_must_come_in_before_they_are_used_by_hand() -> None:
    message = refusal(
        f"%0 = stablehlo.custom_call @Sharding(%x) {{{ROWS}}} : ({X}) -> {X}",
        f"%1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {{{MANUAL}}} : ({X}) -> {LOCAL}",
        f"%2 = stablehlo.dot_general %1, %x, contracting_dims = [1] x [1] : ({LOCAL}, {X}) -> tensor<2x8xf32>",
        f"%3 = stablehlo.slice %2 [0:2, 0:4] : (tensor<2x8xf32>) -> {LOCAL}",
        f"%4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {{{ROWS}}} : ({LOCAL}) -> {X}",
    )
    assert "works on one device's shards and on a value that has not come in" in message
