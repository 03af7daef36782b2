"""Strategies put into programs: meshes, shardings inside, and what does not fit."""

from pathlib import Path

import pytest

from pyshardy import PyshardyError, ShardingProblem, load, parse, partition, propagate
from pyshardy.ir.operation import Operation
from pyshardy.ir.verifying import verifier
from pyshardy.ir.verifying.operation_checks import check_operation
from pyshardy.ir.verifying.verification import Verification
from pyshardy.sharding.tensor import TensorShardingPerValue, fully_open
from pyshardy.versions import is_compiled
from tests.reading.sharding_files.programs import MESH, applied, shardings_of, step

EXAMPLES = Path(__file__).parents[3] / "examples"


def problem(lines: dict[str, object], mesh: dict[str, int] | None = None) -> str:
    with pytest.raises(ShardingProblem) as error:
        applied(lines, mesh)
    return str(error.value)


def test_a_program_without_a_mesh_gets_that_of_the_file() -> None:
    module = step()
    module.apply_shardings({"mesh": MESH, "shardings": {"batch/*": ["data"]}})
    assert module.meshes["mesh"].sizes == MESH
    assert shardings_of(module) == {"batch['x']": '[{"data"}, {}]'}
    assert module.notes == ["shardings of shardings were applied to 1 tensor"]


def test_a_file_without_a_mesh_means_that_of_the_program() -> None:
    module = step('"a"=2')
    module.apply_shardings({"shardings": {"batch/*": ["a"]}})
    assert shardings_of(module) == {"batch['x']": '[{"a"}, {}]'}
    with pytest.raises(ShardingProblem, match="the mesh is missing: the program has none"):
        step().apply_shardings({"shardings": {"batch/*": ["a"]}})


def test_a_mesh_that_nothing_else_refers_to_is_replaced() -> None:
    module = step('"a"=2')
    module.set_sharding("batch['x']", ("a",))
    module.set_sharding("state.step", ())
    module.apply_shardings({"mesh": MESH, "shardings": {"batch/*": ["data"]}})
    assert list(module.meshes) == ["mesh"] and module.meshes["mesh"].sizes == MESH
    assert shardings_of(module) == {"batch['x']": '[{"data"}, {}]', "state.step": "[]"}


def test_what_the_old_mesh_says_of_itself_does_not_stay() -> None:
    module = propagate(step('"a"=2'))
    assert '{stablehlo.mesh = {axes = [{name = "a", size = 2 : i64}]}}' in str(module)
    module.apply_shardings({"mesh": {"a": 4}, "shardings": {"batch/*": "?"}})
    assert str(module).count("stablehlo.mesh") == 0
    assert '{stablehlo.mesh = {axes = [{name = "a", size = 4 : i64}]}}' in str(propagate(module))


def test_a_mesh_that_no_program_can_say_is_refused() -> None:
    module = step('"a"=2')
    before = str(module)
    with pytest.raises(ShardingProblem, match="has more than 9223372036854775807 devices"):
        module.apply_shardings({"mesh": {"a": 10**20}, "shardings": {"batch/*": "?"}})
    assert str(module) == before


def test_a_mesh_that_something_else_needs_stays() -> None:
    module = step('"a"=2')
    module.set_sharding("batch['x']", ("a",))
    module.set_sharding("result['y']", ("a",))
    before = str(module)
    with pytest.raises(ShardingProblem) as error:
        module.apply_shardings({"mesh": MESH, "shardings": {"batch/*": ["data"]}})
    assert "cannot replace @mesh" in str(error.value) and "says nothing of: result['y'];" in str(error.value)
    assert str(module) == before


def test_a_manual_computation_needs_its_manual_axes() -> None:
    module = parse("""
sdy.mesh @mesh = <["a"=2]>
func.func @main(%x: tensor<4xf32> loc("x")) -> tensor<4xf32> {
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{}]>] out_shardings=[<@mesh, [{}]>] manual_axes={"a"}
      (%y: tensor<4xf32>) { sdy.return %y : tensor<4xf32> } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}""")
    with pytest.raises(ShardingProblem, match=r"says nothing of: a sdy\.manual_computation;"):
        module.apply_shardings({"mesh": {"b": 4}, "shardings": {"x": ["b"]}})


def test_a_manual_computation_needs_its_mesh() -> None:
    module = load(EXAMPLES / "shard_map.mlir")
    lines: dict[str, object] = {"**": "?", ":sharding_constraint": "?"}
    with pytest.raises(ShardingProblem, match=r"a sdy\.manual_computation"):
        module.apply_shardings({"mesh": {"data": 8}, "shardings": lines})


def test_a_program_with_several_meshes_wants_one_of_them() -> None:
    module = step('"a"=2')
    module.add_mesh({"b": 2}, "other")
    module.apply_shardings({"mesh": {"b": 2}, "shardings": {"result/y": ["b"]}})
    module.apply_shardings({"shardings": {"batch/*": {"spec": ["a"], "mesh": "mesh"}}})
    assert str(module.sharding("result['y']")) == '#sdy.sharding<@other, [{"b"}, {}]>'
    assert str(module.sharding("batch['x']")) == '#sdy.sharding<@mesh, [{"a"}, {}]>'
    with pytest.raises(ShardingProblem, match="several meshes"):
        module.apply_shardings({"mesh": {"c": 2}, "shardings": {}})
    with pytest.raises(ShardingProblem, match="the program has several, say which"):
        module.apply_shardings({"shardings": {"batch/*": ["a"]}})
    with pytest.raises(ShardingProblem, match="did you mean 'other'"):
        module.apply_shardings({"shardings": {"batch/*": {"spec": ["a"], "mesh": "othr"}}})


def test_a_tensor_inside_has_the_sharding_that_was_given_to_the_end() -> None:
    module = step()
    lines = {"batch/*": ["data"], "params/**/wq": [[], "model"], "attention/inner:tanh": ["model"]}
    module.apply_shardings({"mesh": MESH, "shardings": lines})
    assert 'tanh:0"' not in str(module)
    tanh = next(op for op in propagate(module.copy()).op.walk() if op.name == "stablehlo.tanh")
    assert '[{"model"}, {}]' in str(tanh.attributes)
    local = partition(module).local
    assert "tanh %" in str(local) and "tensor<6x16xf32>" in next(
        line for line in str(local).splitlines() if "tanh" in line
    )


def test_what_the_program_says_of_a_place_is_replaced() -> None:
    module = load(EXAMPLES / "mlp.mlir")
    module.apply_shardings({"shardings": {":sharding_constraint": [[], "model"], "params/w_in": []}})
    constraints = [op for op in module.op.walk() if op.name == "sdy.sharding_constraint"]
    assert [str(op.properties.get("sharding")) for op in constraints] == ['#sdy.sharding<@mesh, [{}, {"model"}]>'] * 2
    assert str(module.sharding("params['w_in']")) == "#sdy.sharding<@mesh, [{}, {}]>"


def test_a_result_of_a_loop_is_sharded() -> None:
    module = parse("""
func.func @main(%i: tensor<i32>, %x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0:2 = stablehlo.while(%it = %i, %acc = %x) : tensor<i32>, tensor<8x4xf32>
   cond { %c = stablehlo.compare LT, %it, %it : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1> }
   do { %n = stablehlo.multiply %acc, %acc : tensor<8x4xf32>
    stablehlo.return %it, %n : tensor<i32>, tensor<8x4xf32> }
  return %0#1 : tensor<8x4xf32>
}""")
    module.apply_shardings({"mesh": MESH, "shardings": {":while#1": ["data"]}})
    assert "tensor<2x4xf32>" in str(partition(module).local)
    with pytest.raises(ShardingProblem, match="1 entry for a tensor with 0 dimensions"):
        module.apply_shardings({"shardings": {":while": ["data"]}})


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            {"params/**/wqk": []},
            "no argument or result of the program is called so; did you mean 'params/**/wq'?; there are par",
        ),
        ({"bach/x": []}, "did you mean 'batch/x'?; there are batch/x, "),
        ({"params/*/wq": []}, "did you mean 'params/layers/*/wq'?; there are params/layers/*/wq, "),
        ({"params/layers/*/*/wq": []}, "did you mean 'params/layers/*/wq'?"),
        ({"layers/*/w*": []}, "did you mean 'params/layers/*/w*'?"),
        ({"params/**/w*x": []}, "did you mean 'params/**/wq'?"),
        ({"params/layers/[0-9]/wq": []}, "did you mean 'params/layers/*/wq'?"),
        ({"params.layers.*.wq": []}, "did you mean 'params/layers/*/wq'?"),
        ({"optimizer/*/momentum": []}, "is called so; there are "),
        ({"params/layers": []}, "is called so, only what is below it; there are params/layers/0/"),
        ({"mlp:tanh": []}, "no operation of that name is in such a scope; there are attention/inner:tanh"),
        ({"attention:dotgeneral": []}, "did you mean 'attention:dot_general'?"),
        ({":dot_general:2": []}, "there are 2 of these in the program, counted from 0"),
        ({"model.py:44": []}, "near it there are some on lines 42, 43, 50"),
        ({"modle.py:44": []}, "nothing comes from a file of that name; there are me/model.py"),
        ({"batch/x": ["dta"]}, "the mesh has no axis 'dta', only 'data' and 'model'; did you mean 'data'?"),
        ({"state/**": ["data"]}, "state.step (tensor<i32>): the sharding has 1 entry for a tensor with 0 dimensions"),
        ({"batch/x": [["data", "model"]]}, "dimension 0 has 12 elements, which do not divide into 8 shards"),
        ({"result/y": [["data", "model"]]}, "dimension 0 has 12 elements, which do not divide into 8 shards"),
        ({"batch/x": ["data", "data"]}, "an axis serves one purpose"),
    ],
)
def test_what_does_not_fit_is_said_with_what_there_is(lines: dict[str, object], message: str) -> None:
    said = problem(lines)
    assert message in said and said.startswith(f'shardings: [shardings] "{next(iter(lines))}": ')


def test_all_that_does_not_fit_is_said_at_once_and_nothing_changes() -> None:
    module = step()
    with pytest.raises(ShardingProblem) as error:
        module.apply_shardings({"mesh": MESH, "shardings": {"batch/x": ["dta"], "state/**": ["data"]}})
    assert len(str(error.value).split("\n")) == 2
    assert not module.meshes and not shardings_of(module)


def test_an_optional_line_may_mean_nothing() -> None:
    assert applied({"params/bias": {"spec": [], "optional": True}}) == {}


def test_tensors_inside_need_not_divide() -> None:
    assert applied({":tanh": [["data", "model"]]}) == {"%1": '[{"data", "model"}, {}]'}


def test_arguments_need_not_divide_where_that_is_said() -> None:
    module = step()
    module.apply_shardings({"mesh": MESH, "shardings": {"batch/x": [["data", "model"]]}}, even=False)
    assert module.arguments()[4].local_shape == (2, 8)


def test_an_illegal_program_is_an_error_and_stays_as_it_was() -> None:
    for module in (step(), step('"a"=2')):
        before = str(module)
        parts = [["data:(1)2", "data:(2)2"]]
        with pytest.raises(PyshardyError, match="consecutive"):
            module.apply_shardings({"mesh": MESH, "shardings": {"batch/x": parts, ":tanh": ["data"]}})
        assert str(module) == before
        module.apply_shardings({"mesh": MESH, "shardings": {"batch/x": ["data"]}})


@pytest.mark.skipif(is_compiled(), reason="functions of compiled modules cannot be replaced")
def test_of_a_program_that_gets_a_mesh_only_what_changes_is_verified(monkeypatch: pytest.MonkeyPatch) -> None:
    module = step()
    checked: list[str] = []

    def noting(verification: Verification, op: Operation) -> None:
        checked.append(op.name)
        check_operation(verification, op)

    monkeypatch.setattr(verifier, "check_operation", noting)
    module.apply_shardings({"mesh": MESH, "shardings": {"batch/*": ["data"]}})
    assert sorted(checked) == ["builtin.module", "func.func", "sdy.mesh"]


def test_a_program_that_was_made_illegal_meanwhile_is_refused() -> None:
    module = step()
    op = next(one for one in module.op.walk() if one.name == "stablehlo.dot_general")
    op.attributes = op.attributes.with_("sdy.sharding", TensorShardingPerValue([fully_open(2, "nowhere")]))
    before = str(module)
    with pytest.raises(PyshardyError, match="unknown mesh: @nowhere"):
        module.apply_shardings({"mesh": MESH, "shardings": {"batch/*": ["data"]}})
    assert str(module) == before
