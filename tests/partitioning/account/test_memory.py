"""What the memory of a device is counted to be: what fuses is free, what dies makes room, a loop works in place."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyshardy import parse, partition
from pyshardy.ir.operation import Operation
from pyshardy.partitioning.account.depth_first import depth_first
from pyshardy.partitioning.account.fusible import makes_elements
from pyshardy.partitioning.account.last_reads import last_reads
from pyshardy.partitioning.account.liveness import Liveness
from pyshardy.partitioning.account.memory import Memory, memory_of
from pyshardy.partitioning.account.memory_model import IN_PROGRAM_ORDER, XLA_CPU, MemoryModel, type_bytes

_ROW = "tensor<256xf32>"
_ROW_BYTES = 1024
_LONG = "tensor<4096xf32>"
_SQUARE = "tensor<16x16xf32>"


def _memory(arguments: str, results: str, body: str, model: MemoryModel = XLA_CPU) -> Memory:
    module = parse(f"func.func @main({arguments}) -> ({results}) {{\n{body}\n}}")
    main = next(op for op in module.op.body if op.symbol_name == "main")
    memory = memory_of(module.op, main, model)
    assert sum(one.bytes for one in memory.live_at_peak) + memory.reserved == memory.peak
    return memory


def test_a_chain_of_elementwise_operations_needs_its_operands_and_its_result() -> None:
    memory = _memory(
        f"%a: {_ROW}, %b: {_ROW}",
        _ROW,
        f"""
  %0 = stablehlo.tanh %a : {_ROW}
  %1 = stablehlo.multiply %0, %b : {_ROW}
  %2 = stablehlo.exponential %1 : {_ROW}
  return %2 : {_ROW}""",
    )
    assert memory == Memory(2 * _ROW_BYTES, _ROW_BYTES, 3 * _ROW_BYTES, memory.live_at_peak)


def test_what_is_only_reduced_needs_no_memory() -> None:
    memory = _memory(
        f"%a: {_LONG}",
        "tensor<f32>",
        f"""
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.multiply %a, %a : {_LONG}
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0]
      : ({_LONG}, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>""",
    )
    assert memory.peak - memory.arguments <= 8


def test_what_a_contraction_reads_stands_in_memory() -> None:
    memory = _memory(
        f"%a: {_SQUARE}",
        _SQUARE,
        f"""
  %0 = stablehlo.negate %a : {_SQUARE}
  %1 = stablehlo.dot_general %0, %0, contracting_dims = [1] x [0] : ({_SQUARE}, {_SQUARE}) -> {_SQUARE}
  return %1 : {_SQUARE}""",
    )
    assert memory.peak == 3 * _ROW_BYTES


@pytest.mark.parametrize(("name", "copies"), [("negate", 3), ("exponential", 4)])
def test_only_what_is_cheap_is_made_again_for_each_reader(name: str, copies: int) -> None:
    memory = _memory(
        f"%a: {_SQUARE}",
        f"{_SQUARE}, {_SQUARE}",
        f"""
  %0 = stablehlo.{name} %a : {_SQUARE}
  %1 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : ({_SQUARE}, {_SQUARE}) -> {_SQUARE}
  %2 = stablehlo.add %0, %1 : {_SQUARE}
  %3 = stablehlo.subtract %0, %1 : {_SQUARE}
  return %2, %3 : {_SQUARE}, {_SQUARE}""",
    )
    # The product gives its place to the difference.
    assert memory.peak == copies * _ROW_BYTES


def test_a_result_takes_the_place_of_an_operand_that_dies() -> None:
    body = f"""
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : ({_SQUARE}, {_SQUARE}) -> {_SQUARE}
  %1 = stablehlo.tanh %0 : {_SQUARE}
  %2 = stablehlo.dot_general %1, %a, contracting_dims = [1] x [0] : ({_SQUARE}, {_SQUARE}) -> {_SQUARE}"""
    assert _memory(f"%a: {_SQUARE}", _SQUARE, f"{body}\n  return %2 : {_SQUARE}").peak == 3 * _ROW_BYTES
    both = f"{body}\n  %3 = stablehlo.add %0, %2 : {_SQUARE}\n  return %3 : {_SQUARE}"
    assert _memory(f"%a: {_SQUARE}", _SQUARE, both).peak == 4 * _ROW_BYTES


@pytest.mark.parametrize("written", ["0", "same"])
def test_a_part_of_a_tensor_is_written_in_place_where_nobody_reads_the_old_one(written: str) -> None:
    body = f"""
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.sort"(%a) <{{dimension = 0 : i64}}> ({{
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %less = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }}) : ({_ROW}) -> {_ROW}
  %same = stablehlo.reshape %0 : ({_ROW}) -> {_ROW}
  %1 = stablehlo.dynamic_update_slice %{written}, %b, %zero : ({_ROW}, tensor<1xf32>, tensor<i32>) -> {_ROW}"""
    arguments = f"%a: {_ROW}, %b: tensor<1xf32>"
    assert _memory(arguments, _ROW, f"{body}\n  return %1 : {_ROW}").peak == 2 * _ROW_BYTES + 4 + 4
    kept = f"{body}\n  return %0, %1 : {_ROW}, {_ROW}"
    assert _memory(arguments, f"{_ROW}, {_ROW}", kept).peak == 3 * _ROW_BYTES + 4 + 4


def test_a_loop_holds_what_changes_once_and_what_it_carries_along_not_at_all() -> None:
    memory = _memory(
        f"%w: {_SQUARE}, %x: {_SQUARE}",
        _SQUARE,
        f"""
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %many = stablehlo.constant dense<9> : tensor<i32>
  %0:3 = stablehlo.while(%i = %zero, %weights = %w, %y = %x) : tensor<i32>, {_SQUARE}, {_SQUARE}
  cond {{
    %c = stablehlo.compare LT, %i, %many : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
    %1 = stablehlo.dot_general %y, %weights, contracting_dims = [1] x [0] : ({_SQUARE}, {_SQUARE}) -> {_SQUARE}
    %2 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %2, %weights, %1 : tensor<i32>, {_SQUARE}, {_SQUARE}
  }}
  return %0#2 : {_SQUARE}""",
    )
    # Both arguments, what goes round, and what a turn makes of it.
    assert memory.peak - 4 * _ROW_BYTES in range(20)


def test_an_argument_that_is_donated_makes_room() -> None:
    body = f"%0 = stablehlo.add %a, %b : {_ROW}\n  return %0 : {_ROW}"
    assert _memory(f"%a: {_ROW}, %b: {_ROW}", _ROW, body).peak == 3 * _ROW_BYTES
    donated = f"%a: {_ROW} {{tf.aliasing_output = 0 : i32}}, %b: {_ROW}"
    assert _memory(donated, _ROW, body).peak == 2 * _ROW_BYTES


def test_what_a_function_returns_is_counted_once() -> None:
    memory = _memory(
        f"%a: {_SQUARE}",
        _SQUARE,
        f"""
  %0 = call @product(%a) : ({_SQUARE}) -> {_SQUARE}
  return %0 : {_SQUARE}
}}
func.func private @product(%b: {_SQUARE}) -> {_SQUARE} {{
  %1 = stablehlo.dot_general %b, %b, contracting_dims = [1] x [0] : ({_SQUARE}, {_SQUARE}) -> {_SQUARE}
  return %1 : {_SQUARE}""",
    )
    assert memory.peak == 2 * _ROW_BYTES


@pytest.mark.parametrize(("seen_as", "init", "copies"), [("made", "x", 5), ("same", "x", 5), ("same", "same", 4)])
def test_what_a_loop_only_looks_at_lives_beside_what_it_carries(seen_as: str, init: str, copies: int) -> None:
    used = seen_as if init == "x" else "w"
    memory = _memory(
        f"%w: {_SQUARE}, %x: {_SQUARE}",
        _SQUARE,
        f"""
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %many = stablehlo.constant dense<5> : tensor<i32>
  %made = stablehlo.dot_general %w, %w, contracting_dims = [1] x [0] : ({_SQUARE}, {_SQUARE}) -> {_SQUARE}
  %same = stablehlo.reshape %made : ({_SQUARE}) -> {_SQUARE}
  %0:2 = stablehlo.while(%i = %zero, %y = %{init}) : tensor<i32>, {_SQUARE}
  cond {{
    %more = stablehlo.compare LT, %i, %many : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  }} do {{
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    %new = stablehlo.dot_general %y, %{used}, contracting_dims = [1] x [0] : ({_SQUARE}, {_SQUARE}) -> {_SQUARE}
    stablehlo.return %next, %new : tensor<i32>, {_SQUARE}
  }}
  return %0#1 : {_SQUARE}""",
    )
    # Both arguments, what goes round, what a turn makes of it; and what is looked at, if it does not go round itself.
    assert memory.peak - copies * _ROW_BYTES in range(20)


def test_a_value_that_is_dead_is_not_there() -> None:
    memory = _memory(
        "%x: tensor<8x2xf32>, %y: tensor<2x100xf32>",
        "tensor<2xf32>",
        """
  %big = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
    : (tensor<8x2xf32>, tensor<2x100xf32>) -> tensor<8x100xf32>
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%big init: %c) applies stablehlo.add across dimensions = [0, 1]
    : (tensor<8x100xf32>, tensor<f32>) -> tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>""",
    )
    types = [str(one.value.type) for one in memory.live_at_peak]
    assert types[:3] == ["tensor<8x100xf32>", "tensor<2x100xf32>", "tensor<8x2xf32>"]
    assert "tensor<2xf32>" not in types


@pytest.mark.parametrize("path", sorted(Path("examples").glob("*.mlir")), ids=lambda path: path.stem)
def test_the_values_at_the_peak_add_up_to_it(path: Path) -> None:
    memory = partition(parse(path.read_text(), str(path))).memory
    sizes = [one.bytes for one in memory.live_at_peak]
    assert sum(sizes) + memory.reserved == memory.peak
    assert sizes == sorted(sizes, reverse=True)
    assert len({one.value for one in memory.live_at_peak}) == len(sizes)


def test_what_is_in_between_stands_where_results_are_to_be() -> None:
    """Two products of 1 KiB have the room of two results for as long as those are not there; a larger one has not."""

    def needed(columns: int) -> Memory:
        wide = f"tensor<16x{columns}xf32>"
        return _memory(
            f"%a: {_SQUARE}, %b: {wide}",
            f"{_SQUARE}, {_SQUARE}",
            f"""
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : ({_SQUARE}, {wide}) -> {wide}
  %1 = stablehlo.dot_general %a, %0, contracting_dims = [1] x [0] : ({_SQUARE}, {wide}) -> {wide}
  %2 = stablehlo.dot_general %1, %1, contracting_dims = [1] x [1] : ({wide}, {wide}) -> {_SQUARE}
  %3 = stablehlo.dot_general %2, %2, contracting_dims = [1] x [0] : ({_SQUARE}, {_SQUARE}) -> {_SQUARE}
  return %2, %3 : {_SQUARE}, {_SQUARE}""",
        )

    small, large = needed(16), needed(32)
    # The second product beside the first result.
    assert small.peak == 4 * _ROW_BYTES
    assert (large.peak, large.reserved) == ((1 + 2 + 2 + 4) * _ROW_BYTES, 2 * _ROW_BYTES)


def test_room_is_as_large_as_its_result() -> None:
    """Two halves do not stand in the room of one result."""
    half = "tensor<8x16xf32>"
    memory = _memory(
        f"%a: {half}, %b: {_SQUARE}",
        _SQUARE,
        f"""
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : ({half}, {_SQUARE}) -> {half}
  %1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0] : ({half}, {_SQUARE}) -> {half}
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [0] x [0] : ({half}, {half}) -> {_SQUARE}
  return %2 : {_SQUARE}""",
    )
    # The result at the end needs its room, beside both halves.
    assert memory.peak == (512 + 1024) + 1024 + 2 * 512


def test_a_donated_argument_that_is_not_as_large_as_a_result_stays() -> None:
    half = "tensor<8x16xf32>"
    body = f"""
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0] : ({half}, {half}) -> {_SQUARE}
  %1 = stablehlo.dot_general %0, %0, contracting_dims = [0] x [0] : ({_SQUARE}, {_SQUARE}) -> {_SQUARE}
  return %1 : {_SQUARE}"""
    memory = _memory(f"%a: {half} {{jax.buffer_donor = true}}", _SQUARE, body)
    assert memory.peak == 512 + 2 * _ROW_BYTES


def test_a_donated_argument_that_nobody_reads_is_room_for_a_result() -> None:
    memory = _memory(f"%a: {_ROW} {{jax.buffer_donor = true}}, %b: {_ROW}", _ROW, f"  return %b : {_ROW}")
    assert memory.peak == 2 * _ROW_BYTES
    assert [one.bytes for one in memory.live_at_peak] == [_ROW_BYTES]


def test_every_returned_value_has_room_of_its_own() -> None:
    body = f"""
  %0 = stablehlo.tanh %a : {_ROW}
  return %0, %0, %a : {_ROW}, {_ROW}, {_ROW}"""
    memory = _memory(f"%a: {_ROW}", f"{_ROW}, {_ROW}, {_ROW}", body)
    assert (memory.peak, memory.reserved) == (4 * _ROW_BYTES, _ROW_BYTES)


def test_a_result_that_is_made_while_its_donated_argument_lives_stands_elsewhere() -> None:
    body = f"""
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0] : ({_SQUARE}, {_SQUARE}) -> {_SQUARE}
  %1 = stablehlo.dot_general %a, %0, contracting_dims = [0] x [0] : ({_SQUARE}, {_SQUARE}) -> {_SQUARE}
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : ({_SQUARE}, tensor<f32>) -> tensor<f32>
  return %0, %2 : {_SQUARE}, tensor<f32>"""
    body = "\n  %zero = stablehlo.constant dense<0.0> : tensor<f32>" + body
    memory = _memory(f"%a: {_SQUARE} {{tf.aliasing_output = 0 : i32}}", f"{_SQUARE}, tensor<f32>", body)
    assert memory.peak - 3 * _ROW_BYTES in (4, 8)


def test_what_only_a_later_result_needs_runs_late() -> None:
    """Depth first, ``%0`` waits for the product that only the second result needs, beside ``%1``, of which the third
    square is made in the room of the first result; as written it is gone before that."""
    square = f"({_SQUARE}, {_SQUARE}) -> {_SQUARE}"
    body = f"""
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0] : {square}
  %s = stablehlo.dot_general %0, %b, contracting_dims = [0] x [0] : ({_SQUARE}, tensor<16xf32>) -> tensor<16xf32>
  %1 = stablehlo.dot_general %0, %a, contracting_dims = [0] x [0] : {square}
  %2 = stablehlo.dot_general %1, %a, contracting_dims = [0] x [0] : {square}
  return %2, %s : {_SQUARE}, tensor<16xf32>"""
    arguments = f"%a: {_SQUARE}, %b: tensor<16xf32>"
    always = (1024 + 64) + (1024 + 64)
    assert _memory(arguments, f"{_SQUARE}, tensor<16xf32>", body).peak == always + 2 * 1024
    assert _memory(arguments, f"{_SQUARE}, tensor<16xf32>", body, IN_PROGRAM_ORDER).peak == always + 1024


def test_what_nobody_needs_runs_behind_what_it_reads() -> None:
    text = f"""func.func @main(%a: {_ROW}) -> {_ROW} {{
  %0 = stablehlo.tanh %a : {_ROW}
  %unread = stablehlo.negate %0 : {_ROW}
  %1 = stablehlo.sine %0 : {_ROW}
  return %1 : {_ROW}
}}"""
    block = next(iter(parse(text).op.body)).body
    assert [op.name for op in depth_first(list(block), (), type_bytes)] == [op.name for op in block]


@pytest.mark.parametrize(("rank", "extra"), [(2, 1), (3, 2)])
def test_what_a_product_of_more_dimensions_reads_is_not_written_in_place(rank: int, extra: int) -> None:
    """Of three dimensions two are rows for the product, but not for the kernel, which also reads an argument."""
    type, numbers = (_SQUARE, "[1] x [0]") if rank == 2 else ("tensor<2x8x16xf32>", "[2] x [0]")
    narrow = type.replace("16xf32", "1xf32")
    body = f"""
  %0 = stablehlo.dot_general %a, %w, contracting_dims = {numbers} : ({type}, {_SQUARE}) -> {type}
  %1 = stablehlo.add %0, %a : {type}
  %2 = stablehlo.dot_general %1, %v, contracting_dims = {numbers} : ({type}, tensor<16x1xf32>) -> {narrow}
  return %2 : {narrow}"""
    memory = _memory(f"%a: {type}, %w: {_SQUARE}, %v: tensor<16x1xf32>", f"{narrow}", body)
    assert memory.peak == (2 * 1024 + 64) + 64 + extra * 1024


@pytest.mark.parametrize(("donated", "rows"), [("", 2), (" {jax.buffer_donor = true}", 1)])
def test_a_scatter_works_in_place_but_for_arguments(donated: str, rows: int) -> None:
    scatter = f"""
  %s = "stablehlo.scatter"(%a, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> ({{
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    stablehlo.return %q : tensor<f32>
  }}) : ({_ROW}, tensor<1x1xi32>, tensor<1xf32>) -> {_ROW}"""
    arguments = f"%a: {_ROW}{donated}, %i: tensor<1x1xi32>, %u: tensor<1xf32>"
    memory = _memory(arguments, _ROW, f"{scatter}\n  return %s : {_ROW}")
    assert memory.peak == rows * _ROW_BYTES + 8
    again = scatter.replace("%s =", "%t =").replace("(%a,", "(%s,")
    memory = _memory(arguments, _ROW, f"{scatter}{again}\n  return %t : {_ROW}")
    assert memory.peak == rows * _ROW_BYTES + 8


def test_a_part_that_is_taken_needs_no_memory_where_it_is_read_element_by_element() -> None:
    body = f"""
  %0 = stablehlo.slice %a [0:16, 0:8] : ({_SQUARE}) -> tensor<16x8xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
  %2 = stablehlo.add %1, %b : tensor<8x16xf32>
  %3 = stablehlo.pad %2, %zero, low = [0, 0], high = [8, 0], interior = [0, 0]
      : (tensor<8x16xf32>, tensor<f32>) -> {_SQUARE}
  %4 = stablehlo.multiply %3, %a : {_SQUARE}
  return %4 : {_SQUARE}"""
    body = "\n  %zero = stablehlo.constant dense<0.0> : tensor<f32>" + body
    assert _memory(f"%a: {_SQUARE}, %b: tensor<8x16xf32>", _SQUARE, body).peak - (2 * 1024 + 512) in (0, 4)


def test_functions_count_as_if_they_stood_where_they_are_called() -> None:
    """The derivative of a function keeps what it needs; what it returns beside that passes into its reader."""
    body = f"""
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : ({_SQUARE}, {_SQUARE}) -> {_SQUARE}
  %1:2 = call @silu(%0) : ({_SQUARE}) -> ({_SQUARE}, {_SQUARE})
  %2 = stablehlo.multiply %1#0, %a : {_SQUARE}
  %3 = stablehlo.dot_general %1#1, %2, contracting_dims = [1] x [0] : ({_SQUARE}, {_SQUARE}) -> {_SQUARE}
  return %3 : {_SQUARE}"""
    silu = f"""
}}
func.func private @silu(%x: {_SQUARE}) -> ({_SQUARE}, {_SQUARE}) {{
  %0 = stablehlo.logistic %x : {_SQUARE}
  %1 = stablehlo.multiply %x, %0 : {_SQUARE}
  return %1, %0 : {_SQUARE}, {_SQUARE}"""
    called = _memory(f"%a: {_SQUARE}", _SQUARE, body + silu)
    inlined = body.replace(
        f"%1:2 = call @silu(%0) : ({_SQUARE}) -> ({_SQUARE}, {_SQUARE})",
        f"%l = stablehlo.logistic %0 : {_SQUARE}\n  %m = stablehlo.multiply %0, %l : {_SQUARE}",
    )
    inlined = inlined.replace("%1#0", "%m").replace("%1#1", "%l")
    assert called.peak == _memory(f"%a: {_SQUARE}", _SQUARE, inlined).peak


def test_what_a_function_returns_is_looked_at_once_on_however_many_ways_it_is_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked_at = 0

    def counted(op: Operation) -> bool:
        nonlocal looked_at
        looked_at += 1
        assert looked_at < 1000
        return makes_elements(op)

    monkeypatch.setattr("pyshardy.partitioning.account.fusion.makes_elements", counted)
    rounds = "\n".join(f"  %{n + 1} = stablehlo.xor %{n}, %{n} : tensor<256xi32>" for n in range(40))
    module = parse(f"""
func.func @main(%a: tensor<256xi32>) -> tensor<256xi32> {{
  %0 = call @bits(%a) : (tensor<256xi32>) -> tensor<256xi32>
  return %0 : tensor<256xi32>
}}
func.func private @bits(%0: tensor<256xi32>) -> tensor<256xi32> {{
{rounds}
  return %40 : tensor<256xi32>
}}""")
    main = next(op for op in module.op.body if op.symbol_name == "main")
    assert memory_of(module.op, main).peak == 2 * 1024


def test_an_operation_that_writes_where_a_loop_keeps_room_reuses_no_other_buffer() -> None:
    body = f"  %0 = stablehlo.tanh %a : {_ROW}\n  %1 = stablehlo.exponential %0 : {_ROW}\n  return %1 : {_ROW}"
    module = parse(f"func.func @main(%a: {_ROW}) -> {_ROW} {{\n{body}\n}}")
    block = next(op for op in module.op.body if op.symbol_name == "main").body
    operations = list(block)
    written, liveness = operations[1], Liveness(module.op)
    last = last_reads(operations, set())
    for unused, reused in (((), [operations[0].results[0]]), ((written,), [])):
        events = {event.op: event for event in liveness.events(operations, set(), last, (), None, unused)}
        assert events[written].reused == reused
