"""Shardings carry their mesh instead of its name."""

from __future__ import annotations

from tests.passes.running import body_after, same_body

INLINE = "sdy-inline-meshes"
PROGRAM = """
    sdy.mesh @m = <["x"=2]>
    func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}p1]>}) { return }
    """


def test_the_mesh_stands_in_the_sharding_and_nowhere_else() -> None:
    same_body(
        INLINE,
        PROGRAM,
        """
        func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=2]>, [{"x"}p1]>}) {
          return
        }
        """,
    )


def test_lifting_is_the_way_back() -> None:
    text = body_after(f"{INLINE},sdy-lift-inlined-meshes", PROGRAM)
    assert text.startswith('sdy.mesh @mesh = <["x"=2]>')
    assert '#sdy.sharding<@mesh, [{"x"}p1]>' in text


def test_replica_groups_carry_the_mesh_too() -> None:
    program = """
        sdy.mesh @m = <["x"=2], device_ids=[1, 0]>
        func.func @main(%a: tensor<8xf32>) -> tensor<16xf32> {
          %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups =
            #stablehlo.replica_group_mesh_axes<mesh = @m, axes = [#stablehlo.axis_ref<name = "x">]>}>
            : (tensor<8xf32>) -> tensor<16xf32>
          return %0 : tensor<16xf32>
        }
        """
    mesh = '#stablehlo.mesh<axes=[<name = "x", size = 2>], device_ids=dense<[1, 0]> : tensor<2xi64>>'
    assert f"replica_group_mesh_axes<mesh = {mesh}, axes =" in body_after(INLINE, program)
