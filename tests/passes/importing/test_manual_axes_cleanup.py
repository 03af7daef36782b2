"""Manual axes are sorted, and every sharding of the computation names all of them."""

from __future__ import annotations

import pyshardy
from pyshardy.dialects.sdy.dataflow import manual_axes
from pyshardy.dialects.sdy.placement import common_mesh_ref, meshes
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import ShapedType
from pyshardy.sharding.tensor import TensorShardingPerValue
from tests.differential.pipelines import PIPELINES
from tests.generator import random_program
from tests.passes.running import body_after, first_error

CLEAN = "sdy-manual-axes-cleanup"


def test_axes_that_a_sharding_does_not_use_become_replicated() -> None:
    program = """
        sdy.mesh @m = <["x"=2, "y"=2]>
        sdy.mesh @e = <[]>
        func.func @main(%a: tensor<8xf32>, %t: !stablehlo.token) {
          %0:2 = sdy.manual_computation(%a, %t) in_shardings=[<@m, [{"y"}]>, <@m, []>]
              out_shardings=[<@e, [{?}]>, <@e, []>] manual_axes={"y", "x"} (%b: tensor<4xf32>, %u: !stablehlo.token) {
            sdy.return %b, %u : tensor<4xf32>, !stablehlo.token
          } : (tensor<8xf32>, !stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
          return
        }
        """
    text = body_after(CLEAN, program)
    assert 'in_shardings=[<@m, [{"y"}], replicated={"x"}>, <@m, []>]' in text
    assert 'out_shardings=[<@m, [{?}], replicated={"x", "y"}>, <@e, []>]' in text
    assert 'manual_axes={"x", "y"}' in text


def test_manual_axes_without_any_sharding_need_an_empty_body() -> None:
    program = """
        func.func @main() {
          sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={"x"} () {
            BODY
            sdy.return
          } : () -> ()
          return
        }
        """
    assert 'manual_axes={"x"}' in body_after(CLEAN, program.replace("BODY", ""))
    constant = "%c = stablehlo.constant dense<1> : tensor<i32>"
    assert first_error(CLEAN, program.replace("BODY", constant)).startswith("op has manual_axes when there are no")


SLOPPY = """\
sdy.mesh @m = <["x"=2, "y"=2, "one"=1]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@m, [{"y"}]>] out_shardings=[<@m, [{"y"}], replicated={"x"}>]
      manual_axes={"y", "x", "one"} (%b: tensor<4xf32>) {
    sdy.return %b : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
"""


def remarks(passes: str, program: str) -> list[str]:
    module = pyshardy.parse(program, "sloppy.mlir")
    module.context.remarks = True
    pyshardy.run_passes(module, passes)
    assert all(one.severity == "remark" for one in module.context.diagnostics)
    return [f"{one.position}: {one.message}" for one in module.context.diagnostics]


def test_who_leaves_it_to_the_pass_is_told_so() -> None:
    expected = [
        'sloppy.mlir:3:8: manual axes {"y", "x", "one"} are not in the order of the mesh; '
        'sdy-manual-axes-cleanup makes them {"x", "y", "one"}',
        'sloppy.mlir:3:8: in_shardings[0] neither shards a dimension by manual axes {"x"} nor has them as replicated; '
        "sdy-manual-axes-cleanup adds them to replicated",
    ]
    assert remarks(CLEAN, SLOPPY) == expected
    assert remarks("sdy-propagation-pipeline", SLOPPY) == expected
    assert remarks(f"{CLEAN},{CLEAN}", SLOPPY) == expected


def test_without_being_asked_nothing_is_said() -> None:
    module = pyshardy.parse(SLOPPY)
    pyshardy.run_passes(module, CLEAN)
    assert not module.context.diagnostics


def _computations(module: Operation) -> list[Operation]:
    return [op for op in module.walk() if op.name == "sdy.manual_computation"]


def test_afterwards_manual_axes_are_sorted_and_every_sharding_uses_them_all() -> None:
    seen = 0
    for seed in range(6000, 6040):
        module = pyshardy.parse(random_program(seed, PIPELINES["manual-axes"].features))
        pyshardy.run_passes(module, CLEAN)
        known = meshes(module.op)
        for op in _computations(module.op):
            sides = [op.properties.entries[side] for side in ("in_shardings", "out_shardings")]
            shardings = [one for side in sides if isinstance(side, TensorShardingPerValue) for one in side]
            reference = common_mesh_ref(shardings, known)
            if reference is None:
                continue
            mesh = known[reference] if isinstance(reference, str) else reference
            names = list(manual_axes(op))
            assert names == [axis.name for axis in mesh.axes if axis.name in names]
            for sharding, value in zip(shardings, (*op.operands, *op.results), strict=True):
                if isinstance(value.type, ShapedType):
                    assert set(names) <= {axis.name for axis in sharding.axes()}, f"seed {seed}"
                    seen += 1
    assert seen > 50
