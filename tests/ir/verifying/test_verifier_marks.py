"""What was accepted is looked at again when the meshes around it have become others."""

from __future__ import annotations

from pyshardy import Mesh, Module, parse
from pyshardy.ir import rewriting
from pyshardy.ir.operation import Operation
from pyshardy.ir.verifying.verifier import verify
from pyshardy.reading.tensors import add_mesh
from pyshardy.sharding.tensor import DimSharding, TensorSharding, TensorShardingPerValue

PROGRAM = """
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.tanh %a : tensor<8xf32>
  %1 = stablehlo.tanh %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}"""


def _with_meshes() -> tuple[Module, Operation]:
    """A program that got two meshes one after the other and a sharding on the first, legal each time; the first."""
    module = parse(PROGRAM)
    for name in ("one", "other"):
        add_mesh(module, Mesh({name: 2}), name)
        assert verify(module.op, module.context)
    op = next(op for op in module.op.walk() if op.name == "stablehlo.tanh")
    sharding = TensorSharding("one", (DimSharding(["one"]),))
    rewriting.set_attributes(op, op.attributes.with_("sdy.sharding", TensorShardingPerValue([sharding])))
    assert verify(module.op, module.context)
    return module, next(op for op in module.op.body if op.symbol_name == "one")


def test_a_mesh_that_goes_is_missed() -> None:
    module, mesh = _with_meshes()
    rewriting.erase(mesh)
    assert not verify(module.op, module.context)
    assert "unknown mesh: @one" in str(module.context.diagnostics[-1])


def test_a_mesh_that_becomes_another_is_missed() -> None:
    module, mesh = _with_meshes()
    rewriting.set_properties(mesh, mesh.properties.with_("mesh", Mesh({"new": 2})))
    assert not verify(module.op, module.context)
    assert 'unknown axis name: "one"' in str(module.context.diagnostics[-1])


def test_a_mesh_that_goes_and_comes_back_is_no_reason_to_complain() -> None:
    module, mesh = _with_meshes()
    rewriting.detach(mesh)
    assert not verify(module.op, module.context)
    rewriting.prepend(module.op.body, mesh)
    assert verify(module.op, module.context)
