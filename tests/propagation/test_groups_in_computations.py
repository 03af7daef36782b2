"""Sharding groups inside manual computations hold what is seen there: shardings without manual axes."""

from __future__ import annotations

import pyshardy

PROGRAM = """\
sdy.mesh @mesh = <["a"=2, "c"=2]>
func.func @main(%x: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c", "a"}, {}]>}) -> tensor<16x8xf32> {
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"c", ?}, {?}]>] out_shardings=[<@mesh, [{"c", ?}, {?}]>]
      manual_axes={"c"} (%b: tensor<8x8xf32>) {
    %1 = stablehlo.negate %b : tensor<8x8xf32>
    sdy.sharding_group %b group_id=0 : tensor<8x8xf32>
    sdy.sharding_group %1 group_id=0 : tensor<8x8xf32>
    sdy.return %1 : tensor<8x8xf32>
  } : (tensor<16x8xf32>) -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}
"""


def test_the_members_of_a_block_argument_get_its_free_axes() -> None:
    text = str(pyshardy.run_passes(pyshardy.parse(PROGRAM), "sdy-propagation-pipeline"))
    assert 'stablehlo.negate %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>}' in text
    assert 'out_shardings=[<@mesh, [{"c", "a"}, {}]>]' in text
