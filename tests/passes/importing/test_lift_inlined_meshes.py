"""Every mesh gets one name, and StableHLO's twin."""

from __future__ import annotations

from tests.passes.running import body_after, same_body

LIFT = "sdy-lift-inlined-meshes"


def _names(program: str) -> list[str]:
    lines = body_after(LIFT, program).splitlines()
    return [line.split(" = ")[0].removeprefix("sdy.mesh ") for line in lines if line.startswith("sdy.mesh")]


def test_equal_meshes_become_one() -> None:
    same_body(
        LIFT,
        """
        sdy.mesh @m = <["x"=2]>
        sdy.mesh @n = <["x"=2]>
        func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@n, [{"x"}]>}) { return }
        """,
        """
        sdy.mesh @m = <["x"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}]}}
        func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) {
          return
        }
        """,
    )


def test_a_declaration_has_shardings_too() -> None:
    text = body_after(LIFT, 'func.func private @f(tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=2]>, [{}]>})')
    assert "func.func private @f(tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>})" in text


def test_the_device_ids_stand_in_the_twin() -> None:
    text = body_after(LIFT, 'sdy.mesh @m = <["x"=2], device_ids=[1, 0]>')
    assert "device_ids = dense<[1, 0]> : tensor<2xi64>}" in text


def test_new_meshes_are_named_after_what_they_are() -> None:
    arguments = ", ".join(
        f"%{number}: tensor<8xf32> {{sdy.sharding = #sdy.sharding<mesh{mesh}, {dims}>}}"
        for number, (mesh, dims) in enumerate(
            [('<["x"=2]>', '[{"x"}]'), ("<[], device_ids=[3]>", "[]"), ("<[]>", "[{}]"), ('<["y"=2]>', "[{}]")]
        )
    )
    program = f"func.func @main({arguments}) {{ return }}\nfunc.func private @mesh()"
    assert _names(program) == ["@mesh_0", "@maximal_mesh_3", "@empty_mesh", "@mesh_1"]


def test_new_meshes_stand_behind_the_last_one_there_is() -> None:
    program = """
        func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=2]>, [{}]>}) { return }
        sdy.mesh @m = <["x"=4]>
        """
    assert body_after(LIFT, program).splitlines()[-1].startswith("sdy.mesh @mesh =")


def test_replica_groups_name_a_mesh_without_devices_of_its_own() -> None:
    program = """
        func.func @main(%a: tensor<8xf32>) -> tensor<16xf32> {
          %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups =
            #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "x", size = 2>],
              device_ids=dense<[1, 0]> : tensor<2xi64>>, axes = [#stablehlo.axis_ref<name = "x">]>}>
            : (tensor<8xf32>) -> tensor<16xf32>
          return %0 : tensor<16xf32>
        }
        """
    text = body_after(LIFT, program)
    assert text.startswith('sdy.mesh @mesh = <["x"=2]> {')
    assert "replica_group_mesh_axes<mesh = @mesh, axes =" in text
