"""Where a device's shard begins: in a table or computed, whatever the order of devices and axes."""

# ruff: noqa: E501 (programs have long lines)

from __future__ import annotations

import pytest

from tests.passes.partitioning.program_text import CONVERT, P, Q, of, on
from tests.passes.partitioning.simulated import same_results
from tests.passes.running import body_after


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
