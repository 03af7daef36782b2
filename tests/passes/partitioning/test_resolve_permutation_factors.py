"""Operations that move data along sharded dimensions are made local, and compute what they did.

What the reference does alike is compared in `tests/differential/programs/passes/sdy-resolve-permutation-factors.mlir`.
"""

# ruff: noqa: E501 (programs have long lines)

from __future__ import annotations

import random

import pytest

from pyshardy.emitting.layout import Axes
from pyshardy.passes.partitioning.communication_free import pad_is_free, slice_is_free
from pyshardy.passes.partitioning.permutation.exchange import need
from pyshardy.passes.partitioning.permutation.manual_body import shift_pairs
from pyshardy.sharding.axes import AxisRef
from pyshardy.sharding.mesh import Mesh
from tests.passes.partitioning.program_text import of, on, one_operation
from tests.passes.partitioning.simulated import same_results
from tests.passes.running import body_after, first_error

RESOLVE = "sdy-resolve-permutation-factors"
P, Q = '"p"', '"q"'
MESHES = ['<["p"=4, "q"=2]>', '<["q"=2, "p"=4], device_ids=[3, 1, 0, 2, 7, 5, 4, 6]>']
CHAINS = ["sdy-partitioner", "sdy-partitioner{compat=r2}", "sdy-partitioner{enable-halo-exchange=false}"]


def whole(mesh: str, source: str, operation: str, target: str, *axes: str, arguments: str = "") -> str:
    """A program that shards its argument, applies an operation to %0 that makes %1, and gathers the result."""
    listed = ", ".join("{" + one + "}" for one in axes)
    closed = ", ".join("{}" for _ in axes)
    return f"""
        sdy.mesh @m = {mesh}
        func.func @main(%x: tensor<{source}>{arguments}) -> tensor<{target}> {{
          %0 = sdy.reshard %x <@m, [{listed}]> : tensor<{source}>
          {operation}
          %2 = sdy.reshard %1 <@m, [{closed}]> : tensor<{target}>
          return %2 : tensor<{target}>
        }}
        """


# --- through the whole chain ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chain", CHAINS)
@pytest.mark.parametrize("mesh", MESHES)
@pytest.mark.parametrize("size", [3, 5, 8, 11, 13])
@pytest.mark.parametrize("axes", [P, '"q", "p"', '"p":(2)2'])
def test_reversals(chain: str, mesh: str, size: int, axes: str) -> None:
    type = f"{size}x4xf32"
    operation = f"%1 = stablehlo.reverse %0, dims = [1, 0] {of(axes, '')} : tensor<{type}>"
    same_results(chain, whole(mesh, type, operation, type, axes, ""))


@pytest.mark.parametrize("chain", CHAINS)
@pytest.mark.parametrize("mesh", MESHES)
@pytest.mark.parametrize(
    "start, limit, stride", [(0, 13, 1), (2, 15, 1), (1, 16, 1), (0, 9, 1), (5, 7, 1), (0, 16, 2), (3, 14, 3)]
)
def test_slices(chain: str, mesh: str, start: int, limit: int, stride: int) -> None:
    size = -(-(limit - start) // stride)
    operation = f"%1 = stablehlo.slice %0 [{start}:{limit}:{stride}, 1:5] {of(P, '')} : (tensor<16x6xf32>) -> tensor<{size}x4xf32>"
    same_results(chain, whole(mesh, "16x6xf32", operation, f"{size}x4xf32", P, ""))


@pytest.mark.slow
@pytest.mark.parametrize("chain", CHAINS)
@pytest.mark.parametrize("mesh", MESHES)
@pytest.mark.parametrize(
    "low, high, interior", [(0, 3, 0), (2, 2, 0), (1, 0, 0), (-2, 5, 0), (0, 1, 1), (3, -1, 2), (1, -1, 0)]
)
@pytest.mark.parametrize("value", ["0.0", "5.0"])
def test_pads(chain: str, mesh: str, low: int, high: int, interior: int, value: str) -> None:
    for count in (8, 7):
        size = low + high + count + (count - 1) * interior
        operation = f"""%c = stablehlo.constant dense<{value}> : tensor<f32>
          %1 = stablehlo.pad %0, %c, low = [{low}, 1], high = [{high}, 0], interior = [{interior}, 0] {of(P, "")} : (tensor<{count}x6xf32>, tensor<f32>) -> tensor<{size}x7xf32>"""
        same_results(chain, whole(mesh, f"{count}x6xf32", operation, f"{size}x7xf32", P, ""))


@pytest.mark.parametrize("chain", CHAINS[:2])
def test_exchanges_along_two_dimensions(chain: str) -> None:
    operation = f"""%c = stablehlo.constant dense<5.0> : tensor<f32>
          %3 = stablehlo.pad %0, %c, low = [1, 1], high = [2, 0], interior = [0, 0] {of(P, Q)} : (tensor<9x7xf32>, tensor<f32>) -> tensor<12x8xf32>
          %1 = stablehlo.slice %3 [1:12, 2:8] {of(P, Q)} : (tensor<12x8xf32>) -> tensor<11x6xf32>"""
    same_results(chain, whole(MESHES[1], "9x7xf32", operation, "11x6xf32", P, Q))


@pytest.mark.parametrize("chain", CHAINS[:2])
@pytest.mark.parametrize(
    "source, target",
    [("6x5", "30"), ("30", "6x5"), ("10x3", "5x6"), ("7x1", "7"), ("6x4", "3x8"), ("12", "3x4"), ("5x6", "5x2x3")],
)
def test_reshapes_that_do_not_divide(chain: str, source: str, target: str) -> None:
    rank = source.count("x") + 1
    operation = (
        f"%1 = stablehlo.reshape %0 {of(P, *[''] * target.count('x'))} : (tensor<{source}xf32>) -> tensor<{target}xf32>"
    )
    program = whole(MESHES[0], f"{source}xf32", operation, f"{target}xf32", P, *[""] * (rank - 1))
    program = program.replace(
        "%2 = sdy.reshard %1 <@m, [" + ", ".join(["{}"] * rank) + "]>",
        "%2 = sdy.reshard %1 <@m, [" + ", ".join(["{}"] * (target.count("x") + 1)) + "]>",
    )
    same_results(chain, program)


def test_windows_and_convolutions_are_replicated_along_what_they_slide() -> None:
    operation = f"""%z = stablehlo.constant dense<0.0> : tensor<f32>
          %3 = "stablehlo.reduce_window"(%0, %z) <{{window_dimensions = array<i64: 2, 1>}}> ({{
            ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            %r = stablehlo.add %a, %b : tensor<f32>
            stablehlo.return %r : tensor<f32>
          }}) {of(P, Q)} : (tensor<9x6xf32>, tensor<f32>) -> tensor<8x6xf32>
          %k = stablehlo.constant dense<2.0> : tensor<2x6x3xf32>
          %4 = stablehlo.reshape %3 {of("", P, Q)} : (tensor<8x6xf32>) -> tensor<1x8x6xf32>
          %5 = stablehlo.convolution(%4, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {{}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64, sdy.sharding = #sdy.sharding_per_value<[<@m, [{{}}, {{"p"}}, {{}}]>]>}} : (tensor<1x8x6xf32>, tensor<2x6x3xf32>) -> tensor<1x7x3xf32>
          %1 = stablehlo.reshape %5 {of(P, "")} : (tensor<1x7x3xf32>) -> tensor<7x3xf32>"""
    same_results(CHAINS[0], whole(MESHES[0], "9x6xf32", operation, "7x3xf32", P, Q))


# --- the pass alone ---------------------------------------------------------------------------------------------------


def test_the_newer_release_reshards_the_result_of_a_reversal() -> None:
    text = body_after(
        f"{RESOLVE}{{compat=r2}}",
        one_operation(
            f"%x: tensor<8xf32> {on(P)}",
            f"%0 = stablehlo.reverse %x, dims = [0] {of(P)} : tensor<8xf32>",
            "tensor<8xf32>",
            on(P),
            '<["p"=2]>',
        ),
    )
    assert text.splitlines()[3:5] == [
        '  %0 = stablehlo.reverse %arg0, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@m_reversed, [{"p"}]>]>} : tensor<8xf32>',
        '  %1 = sdy.reshard %0 <@m, [{"p"}]> : tensor<8xf32>',
    ]


def test_a_reversal_on_an_inlined_mesh_names_the_reversed_one() -> None:
    text = body_after(
        RESOLVE,
        """
        func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["p"=2]>, [{"p"}]>}) -> tensor<8xf32> {
          %0 = stablehlo.reverse %x, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<mesh<["p"=2]>, [{"p"}]>]>} : tensor<8xf32>
          return %0 : tensor<8xf32>
        }
        """,
    )
    assert text.startswith('sdy.mesh @mesh_reversed = <["p"=2], device_ids=[1, 0]>')


def test_an_exchange_moves_less_than_a_gather() -> None:
    program = one_operation(
        f"%x: tensor<16xf32> {on(P)}",
        f"%0 = stablehlo.slice %x [1:13] {of(P)} : (tensor<16xf32>) -> tensor<12xf32>",
        "tensor<12xf32>",
        on(P),
        '<["p"=4]>',
    )
    newer = body_after(f"{RESOLVE}{{compat=r2}}", program)
    assert newer.count("collective_permute") == 1
    assert "sdy.reshard" not in newer
    assert "collective_permute" not in body_after(RESOLVE, program)


def test_a_pad_that_needs_nothing_stays_in_the_newer_release() -> None:
    program = one_operation(
        f"%x: tensor<4xf32> {on(P)}, %c: tensor<f32>",
        f"%0 = stablehlo.pad %x, %c, low = [2], high = [2], interior = [0] {of(P)} : (tensor<4xf32>, tensor<f32>) -> tensor<8xf32>",
        "tensor<8xf32>",
        on(P),
    )
    assert "sdy.reshard" in body_after(RESOLVE, program)
    assert body_after(f"{RESOLVE}{{compat=r2}}", program) == body_after("", program)


def test_replicas_and_partitions_at_once_are_refused() -> None:
    message = first_error(f"{RESOLVE}{{replica-count=2 partition-count=2}}", "func.func @main() {\n  return\n}")
    assert message == (
        "Shardy partitioner resolve_permutation_factors does not support both replica_count > 1 and partition_count > 1 yet."
    )


# --- sizes ------------------------------------------------------------------------------------------------------------


def holds(shard: int, count: int, size: int) -> range:
    part = -(-size // count)
    return range(min(size, shard * part), min(size, (shard + 1) * part))


def test_what_is_needed_covers_what_is_read() -> None:
    chosen = random.Random(1)
    for _ in range(2000):
        count, size = chosen.randint(2, 6), chosen.randint(1, 30)
        low, dilation = chosen.randint(-size, 6), chosen.randint(1, 3)
        result = low + (size - 1) * dilation + 1 + chosen.randint(0, 9)
        if result < 1:
            continue
        found = need(count, size, low, dilation, result)
        for shard in range(count):
            read = {
                (place - low) // dilation
                for place in holds(shard, count, result)
                if (place - low) % dilation == 0 and 0 <= (place - low) // dilation < size
            }
            before, owned = -(-size // count), {index // -(-size // count) for index in read}
            assert all(shard - found.left <= owner <= shard + found.right for owner in owned), (
                count,
                size,
                low,
                before,
            )
            assert found.any or owned <= {shard}


def test_what_is_called_free_reads_only_its_own_shard() -> None:
    chosen = random.Random(2)
    free = 0
    for _ in range(4000):
        count, size, low = chosen.randint(2, 4), chosen.randint(1, 12), chosen.randint(-3, 6)
        result = chosen.randint(1, 20)
        if pad_is_free(count, size, low, 0, result):
            free += 1
            for shard in range(count):
                reads = [place - low for place in holds(shard, count, result) if 0 <= place - low < size]
                assert all(index in holds(shard, count, size) for index in reads)
        if slice_is_free(count, size, 0, min(size, result), 1):
            for shard in range(count):
                assert set(holds(shard, count, min(size, result))) <= set(holds(shard, count, size))
    assert free > 100


@pytest.mark.parametrize("axes", [(AxisRef("b"),), (AxisRef("a"), AxisRef("b")), (AxisRef("b"), AxisRef("a", 2, 2))])
@pytest.mark.parametrize("ids", [(), tuple(reversed(range(12)))])
def test_a_shift_goes_to_the_device_with_the_next_shard(axes: Axes, ids: tuple[int, ...]) -> None:
    from pyshardy.emitting.devices import shard_index

    mesh = Mesh({"a": 4, "b": 3}, ids)
    for hops in (-2, -1, 1, 2):
        pairs = shift_pairs(mesh, axes, hops)
        assert len({target for _, target in pairs}) == len(pairs)
        for source, target in pairs:
            assert shard_index(target, mesh, axes) == shard_index(source, mesh, axes) + hops
