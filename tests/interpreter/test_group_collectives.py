"""Each collective on several devices at once, against its definition written out device by device."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from pyshardy import PyshardyError, parse, partition
from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.run import run_devices

CHANNEL = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, "
GLOBAL = CHANNEL + "use_global_device_ids, "
ADD = """({ ^bb0(%p: tensor<i32>, %q: tensor<i32>):
  %s = stablehlo.add %p, %q : tensor<i32>
  stablehlo.return %s : tensor<i32> })"""
# Not one operation, and in this order: a * 3 + b would not be associative, but "the last that is not 0" is.
LAST = """({ ^bb0(%p: tensor<i32>, %q: tensor<i32>):
  %z = stablehlo.constant dense<0> : tensor<i32>
  %c = stablehlo.compare EQ, %q, %z : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %s = stablehlo.select %c, %p, %q : tensor<i1>, tensor<i32>
  stablehlo.return %s : tensor<i32> })"""


def groups_text(rows: list[list[int]]) -> str:
    width = len(rows[0])
    return f"dense<{rows}> : tensor<{len(rows)}x{width}xi64>"


def program(operation: str, properties: str, shape: str, result: str, body: str = "") -> str:
    return f"""func.func @main(%x: tensor<{shape}xi32>) -> tensor<{result}xi32> {{
      %0 = "stablehlo.{operation}"(%x) <{{{properties}}}> {body} : (tensor<{shape}xi32>) -> tensor<{result}xi32>
      return %0 : tensor<{result}xi32>
    }}"""


def on_devices(text: str, values: Array, replicas: int, partitions: int) -> Array:
    (result,) = run_devices(parse(text), [values], replicas=replicas, partitions=partitions)
    return result


def distinct(count: int, *shape: int) -> Array:
    return np.arange(1, 1 + count * int(np.prod(shape)), dtype=np.int32).reshape(count, *shape)


Rows = list[list[int]]
MODES: list[tuple[str, str, int, int, Rows, Rows]] = [
    ("cross_replica", "", 4, 1, [[2, 0], [1, 3]], [[2, 0], [1, 3]]),
    ("cross_replica_of_each_partition", "", 2, 2, [[1, 0]], [[2, 0], [3, 1]]),
    ("cross_replica_and_partition", CHANNEL, 2, 2, [[1, 0]], [[2, 0, 3, 1]]),
    ("flattened_ids", GLOBAL, 1, 4, [[3, 0], [1, 2]], [[3, 0], [1, 2]]),
    ("flattened_ids_of_a_grid", GLOBAL, 2, 3, [[0, 4], [5, 1], [2, 3]], [[0, 4], [5, 1], [2, 3]]),
]


@pytest.mark.parametrize(
    ("flags", "replicas", "partitions", "rows", "groups"), [m[1:] for m in MODES], ids=lambda _: ""
)
def test_all_gather_joins_the_members_in_the_order_of_the_group(
    flags: str, replicas: int, partitions: int, rows: Rows, groups: Rows
) -> None:
    size = len(groups[0])
    properties = f"{flags}all_gather_dim = 1 : i64, replica_groups = {groups_text(rows)}"
    values = distinct(replicas * partitions, 2, 2)
    result = on_devices(program("all_gather", properties, "2x2", f"2x{2 * size}"), values, replicas, partitions)
    for group in groups:
        for device in group:
            np.testing.assert_array_equal(result[device], np.concatenate([values[q] for q in group], axis=1))


@pytest.mark.parametrize(
    ("flags", "replicas", "partitions", "rows", "groups"), [m[1:] for m in MODES], ids=lambda _: ""
)
@pytest.mark.parametrize("scatter", [False, True], ids=["all_reduce", "reduce_scatter"])
def test_reductions_combine_the_members(
    scatter: bool, flags: str, replicas: int, partitions: int, rows: Rows, groups: Rows
) -> None:
    size = len(groups[0])
    name, more = ("reduce_scatter", "scatter_dimension = 0 : i64, ") if scatter else ("all_reduce", "")
    properties = f"{flags}{more}replica_groups = {groups_text(rows)}"
    values = distinct(replicas * partitions, 4 * 3)
    result_shape = f"{12 // size if scatter else 12}"
    result = on_devices(program(name, properties, "12", result_shape, ADD), values, replicas, partitions)
    for group in groups:
        total = sum(values[q] for q in group)
        for place, device in enumerate(group):
            part = np.split(total, size)[place] if scatter else total
            np.testing.assert_array_equal(result[device], part)


def test_groups_of_different_sizes_are_filled_with_minus_one() -> None:
    properties = f"{GLOBAL}replica_groups = {groups_text([[0, 3, -1], [1, 2, 4]])}"
    values = distinct(5, 2)
    result = on_devices(program("all_reduce", properties, "2", "2", ADD), values, 1, 5)
    for group in ([0, 3], [1, 2, 4]):
        for device in group:
            np.testing.assert_array_equal(result[device], sum(values[q] for q in group))


def test_a_reducer_of_several_operations_is_applied_pair_by_pair() -> None:
    properties = f"{GLOBAL}replica_groups = {groups_text([[2, 0, 1]])}"
    values = np.array([[5, 0, 0], [0, 7, 0], [3, 4, 2]], np.int32)
    result = on_devices(program("all_reduce", properties, "3", "3", LAST), values, 1, 3)
    np.testing.assert_array_equal(result, [[5, 7, 2]] * 3)


def test_empty_groups_mean_all_replicas() -> None:
    properties = "replica_groups = dense<> : tensor<0x0xi64>"
    values = distinct(3, 2)
    result = on_devices(program("all_reduce", properties, "2", "2", ADD), values, 3, 1)
    np.testing.assert_array_equal(result, [values.sum(axis=0)] * 3)


def naive_all_to_all(values: Array, groups: Rows, split: int, concat: int) -> Callable[[int], Array]:
    def at(device: int) -> Array:
        group = next(group for group in groups if device in group)
        place = group.index(device)
        return np.concatenate([np.split(values[q], len(group), split)[place] for q in group], concat)

    return at


@pytest.mark.parametrize(("split", "concat", "result_shape"), [(1, 0, "2x2"), (1, 1, "1x4")])
def test_all_to_all_gives_each_member_its_part_of_all(split: int, concat: int, result_shape: str) -> None:
    groups = [[2, 0], [1, 3]]
    properties = (
        f"{CHANNEL}split_dimension = {split} : i64, concat_dimension = {concat} : i64, split_count = 2 : i64, "
        f"replica_groups = {groups_text(groups)}"
    )
    values = np.array([[[10 * k, 10 * k + 1, 10 * k + 2, 10 * k + 3]] for k in range(4)], np.int32)
    result = on_devices(program("all_to_all", properties, "1x4", result_shape), values, 1, 4)
    expected = naive_all_to_all(values, groups, split, concat)
    for device in range(4):
        np.testing.assert_array_equal(result[device], expected(device))
    if concat == 0:
        assert result[0].tolist() == [[22, 23], [2, 3]]


def test_all_to_all_across_replicas_without_a_channel() -> None:
    properties = (
        "split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, "
        f"replica_groups = {groups_text([[1, 0]])}"
    )
    values = distinct(4, 4)
    result = on_devices(program("all_to_all", properties, "4", "4"), values, 2, 2)
    expected = naive_all_to_all(values, [[2, 0], [3, 1]], 0, 0)
    np.testing.assert_array_equal(result, [expected(device) for device in range(4)])


def test_collective_permute_gives_zeros_to_those_that_are_no_target() -> None:
    text = program("collective_permute", f"{CHANNEL}source_target_pairs = {groups_text([[0, 1], [1, 2]])}", "2", "2")
    values = distinct(4, 2)
    np.testing.assert_array_equal(on_devices(text, values, 1, 4), [[0, 0], values[0], values[1], [0, 0]])


def test_collective_permute_without_a_channel_goes_across_replicas() -> None:
    text = program("collective_permute", f"source_target_pairs = {groups_text([[0, 1]])}", "1", "1")
    values = distinct(4, 1)
    np.testing.assert_array_equal(on_devices(text, values, 2, 2), [[0], [0], values[0], values[1]])


def test_collective_broadcast_gives_zeros_outside_of_the_groups() -> None:
    text = program("collective_broadcast", f"{CHANNEL}replica_groups = {groups_text([[2, 0]])}", "2", "2")
    values = distinct(4, 2)
    np.testing.assert_array_equal(on_devices(text, values, 1, 4), [values[2], [0, 0], values[2], [0, 0]])


def test_replica_groups_may_be_axes_of_a_mesh() -> None:
    properties = (
        f"{GLOBAL}all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, "
        'axes = [#stablehlo.axis_ref<name = "y">]>'
    )
    text = 'sdy.mesh @mesh = <["x"=2, "y"=2], device_ids=[3, 1, 2, 0]>\n'
    text += program("all_gather", properties, "1", "2")
    values = distinct(4, 1)
    result = on_devices(text, values, 1, 4)
    np.testing.assert_array_equal(result[3], np.concatenate([values[3], values[1]]))
    np.testing.assert_array_equal(result[0], np.concatenate([values[2], values[0]]))


def test_sub_axes_of_a_mesh_make_groups_with_strides() -> None:
    properties = (
        f"{GLOBAL}all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, "
        'axes = [#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>]>'
    )
    text = 'sdy.mesh @mesh = <["x"=4]>\n' + program("all_gather", properties, "1", "2")
    values = distinct(4, 1)
    np.testing.assert_array_equal(on_devices(text, values, 1, 4), [[1, 3], [2, 4], [1, 3], [2, 4]])


def test_ids_count_along_the_grid() -> None:
    text = """func.func @main() -> (tensor<ui32>, tensor<ui32>) {
      %0 = stablehlo.replica_id : tensor<ui32>
      %1 = stablehlo.partition_id : tensor<ui32>
      return %0, %1 : tensor<ui32>, tensor<ui32>
    }"""
    replica, partition = run_devices(parse(text), replicas=2, partitions=3)
    assert replica.tolist() == [0, 0, 0, 1, 1, 1]
    assert partition.tolist() == [0, 1, 2, 0, 1, 2]


@pytest.mark.parametrize(
    ("properties", "message"),
    [
        (f"{GLOBAL}replica_groups = {groups_text([[0, 1]])}", "device 2 is in no group"),
        (f"{GLOBAL}replica_groups = {groups_text([[0, 1, 2, 3, 4]])}", "name device 4"),
        (f"replica_groups = {groups_text([[0, 1]])}", "there are 1 replicas and 4 partitions"),
    ],
)
def test_groups_that_do_not_fit_the_devices_are_an_error(properties: str, message: str) -> None:
    with pytest.raises(PyshardyError, match=message):
        on_devices(program("all_reduce", properties, "2", "2", ADD), distinct(4, 2), 1, 4)


def rooted(operation: str, operands: str, results: str, properties: str, body: str = "") -> str:
    """A call of a collective with a root; ``operands`` and ``results`` are types separated by blanks."""
    types, made = ([f"tensor<{one}>" for one in names.split()] for names in (operands, results))
    arguments = ", ".join(f"%x{index}: {type}" for index, type in enumerate(types))
    values = ", ".join(f"%x{index}" for index in range(len(types)))
    names = ", ".join(f"%0#{index}" for index in range(len(made)))
    return f"""func.func @main({arguments}) -> ({", ".join(made)}) {{
      %0:{len(made)} = "stablehlo.{operation}"({values}) <{{{properties}}}> {body}
        : ({", ".join(types)}) -> ({", ".join(made)})
      return {names} : {", ".join(made)}
    }}"""


GROUPS = f"{CHANNEL}replica_groups = {groups_text([[2, 0], [1, 3]])}"
GLOBAL_GROUPS = f"{GLOBAL}replica_groups = {groups_text([[2, 0], [1, 3]])}"


def test_a_broadcast_of_several_operands_sends_all_of_them() -> None:
    text = rooted("collective_broadcast", "2xi32 3xi32", "2xi32 3xi32", GROUPS)
    first, second = distinct(4, 2), distinct(4, 3)
    results = run_devices(parse(text), [first, second], partitions=4)
    for result, values in zip(results, (first, second), strict=True):
        np.testing.assert_array_equal(result, [values[2], values[1], values[2], values[1]])


@pytest.mark.parametrize("written", ["has_dynamic_root", "has_dynamic_root = true"])
def test_the_last_operand_of_a_broadcast_may_say_where_each_root_is(written: str) -> None:
    text = rooted("collective_broadcast", "2xi32 3xi32 2xi64", "2xi32 3xi32", f"{GROUPS}, {written}")
    first, second = distinct(4, 2), distinct(4, 3)
    results = run_devices(parse(text), [first, second, np.array([[1, 0]])], partitions=4)
    np.testing.assert_array_equal(results[0], [first[0], first[3], first[0], first[3]])
    np.testing.assert_array_equal(results[1], [second[2], second[1], second[2], second[1]])


def test_a_root_that_is_no_member_is_an_error() -> None:
    text = rooted("collective_broadcast", "2xi32 1xi32", "2xi32", f"{GROUPS}, has_dynamic_root")
    with pytest.raises(PyshardyError, match="a root is member 2, but a group has members 0 to 1"):
        run_devices(parse(text), [distinct(4, 2), np.array([[2]], np.int32)], partitions=4)


@pytest.mark.parametrize("body", [ADD, LAST])
def test_a_reduction_to_a_root_gives_zeros_to_all_others(body: str) -> None:
    text = rooted("collective_reduce", "2xi32", "2xi32", GLOBAL_GROUPS, body)
    values = distinct(4, 2)
    (result,) = run_devices(parse(text), [values], partitions=4)
    combined = {ADD: (values[2] + values[0], values[1] + values[3]), LAST: (values[0], values[3])}[body]
    np.testing.assert_array_equal(result, [[0, 0], combined[1], combined[0], [0, 0]])


def test_a_reduction_to_a_dynamic_root_of_what_all_devices_share() -> None:
    text = rooted("collective_reduce", "2xi32 1xi32", "2xi32", f"{GLOBAL_GROUPS}, has_dynamic_root", ADD)
    shared = distinct(1, 2)
    (result,) = run_devices(parse(text), [shared, np.array([[1]], np.int32)], partitions=4)
    np.testing.assert_array_equal(result, [2 * shared[0], [0, 0], [0, 0], 2 * shared[0]])


@pytest.mark.parametrize(
    ("operands", "results", "properties", "wrong"),
    [
        ("2xi32 3xi32", "2xi32", GROUPS, "has 1 results for 2 operands"),
        ("2xi32 3xi32", "2xi32 2xi32", GROUPS, "inferred type"),
        ("2xi32 3xf32", "2xi32 3xi32", GROUPS, "requires the same element type for operand and result at index 1"),
        ("2xi32 1xi32", "2xi32 1xi32", f"{GROUPS}, has_dynamic_root", "has 2 results for 1 operands besides the roots"),
        ("2xi32 1xf32", "2xi32", f"{GROUPS}, has_dynamic_root", "the roots must be a tensor of 1 integers"),
        ("2xi32 i32", "2xi32", f"{GROUPS}, has_dynamic_root", "the roots must be a tensor of 1 integers"),
    ],
)
def test_wrong_operands_of_a_broadcast_are_named(operands: str, results: str, properties: str, wrong: str) -> None:
    with pytest.raises(PyshardyError, match=wrong):
        parse(rooted("collective_broadcast", operands, results, properties))


def test_collectives_with_a_root_inside_a_manual_computation_are_partitioned() -> None:
    body = ADD.replace("i32", "f32")
    text = f"""
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {{
  %0:2 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{{"x"}}, {{?}}]>]
      out_shardings=[<@mesh, [{{"x"}}, {{?}}]>, <@mesh, [{{"x"}}, {{?}}]>] manual_axes={{"x"}}
      (%b: tensor<2x4xf32>) {{
    %root = stablehlo.constant dense<[1]> : tensor<1xi32>
    %1 = "stablehlo.collective_broadcast"(%b, %root) <{{{CHANNEL}replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]>
      : tensor<2x4xi64>, has_dynamic_root}}> : (tensor<2x4xf32>, tensor<1xi32>) -> tensor<2x4xf32>
    %2 = "stablehlo.collective_reduce"(%b) <{{{GLOBAL}replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]>
      : tensor<2x4xi64>}}> {body} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    sdy.return %1, %2 : tensor<2x4xf32>, tensor<2x4xf32>
  }} : (tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
  return %0#0, %0#1 : tensor<8x4xf32>, tensor<8x4xf32>
}}"""
    plan = partition(parse(text))
    local = str(plan.module)
    assert "collective_broadcast" in local and "collective_reduce" in local
    assert plan.check().agrees
