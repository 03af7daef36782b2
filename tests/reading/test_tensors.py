"""The tensors of a module from Python: rows to look at, shardings to get and to set."""

from typing import Any

import pytest

from pyshardy import Module, ShardingProblem, parse, propagate, tensor_sharding

TEXT = """sdy.mesh @mesh = <["data"=4, "model"=2]>
func.func @main(%x: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>} loc("batch['x']"),
                %w: tensor<6x4xbf16> loc("params['w']"), %t: !stablehlo.token loc("token"))
    -> (tensor<8x4xf32> {jax.result_info = "result['y']"}) {
  %0 = stablehlo.convert %w : (tensor<6x4xbf16>) -> tensor<6x4xf32>
  %1 = stablehlo.dot %x, %0 : (tensor<8x6xf32>, tensor<6x4xf32>) -> tensor<8x4xf32>
      loc("jit(f)/mlp/dot"("model.py":7:3))
  return %1 : tensor<8x4xf32>
}
"""


@pytest.fixture
def module() -> Module:
    return parse(TEXT, "program.mlir")


def test_rows_have_names_shapes_and_bytes(module: Module) -> None:
    x, w = module.arguments()
    assert (x.name, x.symbol, x.shape, x.local_shape, x.bytes, x.local_bytes) == (
        ("batch['x']", "%arg0", (8, 6), (2, 6), 192, 48)
    )
    assert w.sharding is None and w.local_shape == (6, 4) and w.bytes == 48
    (y,) = module.results()
    assert (y.name, y.symbol, y.function) == ("result['y']", "result 0", "main")


def test_all_tensors_stand_in_the_order_of_the_program(module: Module) -> None:
    assert [one.name for one in module.tensors()] == ["batch['x']", "params['w']", "%0", "%1", "result['y']"]


def test_symbols_are_those_of_the_printed_program(module: Module) -> None:
    text = str(module)
    for one in module.tensors():
        if one.symbol.startswith("%") and not one.symbol.startswith("%arg"):
            assert f"{one.symbol} = " in text


def test_an_operation_says_where_it_comes_from(module: Module) -> None:
    dot = next(op for op in module.op.walk() if op.name == "stablehlo.dot")
    where = module.location_of(dot)
    assert (where.file, where.line, where.scope) == ("model.py", 7, "jit(f)/mlp")
    assert module.tensor("%1").location == module.location_of(dot.result) == where
    assert module.location_of(module.arguments()[0]) == module.arguments()[0].location
    assert module.results()[0].location.file == "program.mlir"


def test_a_sharding_that_was_set_is_propagated(module: Module) -> None:
    assert module.sharding("params['w']") is None
    module.set_sharding("params['w']", (None, "model"))
    assert module.sharding("%arg1") is tensor_sharding({"data": 4, "model": 2}, (None, "model"), name="mesh")
    propagate(module)
    assert module.results()[0].local_shape == (2, 2)


def test_results_and_inner_values_are_sharded_too(module: Module) -> None:
    module.set_sharding("result['y']", ("data", "model"))
    module.set_sharding(module.tensor("%0"), (..., "model"))
    text = str(module)
    assert (
        '(tensor<8x4xf32> {jax.result_info = "result[\'y\']", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]'
        in text
    )
    assert 'sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {"model"}]>]>' in text
    assert parse(text).sharding("%0") is module.sharding("%0")


@pytest.mark.parametrize(
    ("name", "spec", "mesh", "message"),
    [
        ("params['v']", (None, "model"), None, "no argument or result \"params['v']\"; did you mean \"params['w']\"?"),
        ("params['w']", (None, "modell"), None, "params['w']: the mesh has no axis 'modell'"),
        ("params['w']", (None, "model"), "mehs", "no mesh 'mehs', only mesh; did you mean 'mesh'?"),
        ("params['w']", ("data", None), None, "params['w']: dimension 0 has 6 elements, which do not divide into 4"),
        ("result['y']", ("data", None, None), None, "result['y']: the sharding has 3 entries"),
    ],
)
def test_mistakes_are_said_with_the_name_of_the_tensor(
    module: Module, name: str, spec: Any, mesh: str | None, message: str
) -> None:
    before = str(module)
    with pytest.raises(ShardingProblem) as problem:
        module.set_sharding(name, spec, mesh)
    assert message in str(problem.value)
    assert str(module) == before


def test_a_dimension_that_does_not_divide_is_sharded_on_demand(module: Module) -> None:
    module.set_sharding("params['w']", ("data", None), even=False)
    assert module.arguments()[1].local_shape == (2, 4)


def test_dimensions_of_inner_values_need_not_divide(module: Module) -> None:
    module.set_sharding("%0", ("data", None))
    assert module.tensor("%0").local_shape == (2, 4)


def test_what_is_no_tensor_has_no_sharding(module: Module) -> None:
    main = next(op for op in module.op.body if op.symbol_name == "main")
    with pytest.raises(ShardingProblem, match="only ranked tensors are sharded"):
        module.set_sharding(main.body.arguments[2], ())


def test_a_mesh_can_be_added_and_has_to_be_chosen_among_several(module: Module) -> None:
    module.add_mesh({"rows": 8}, "other")
    assert module.meshes["other"].total_size == 8
    with pytest.raises(ShardingProblem, match="several meshes: say which one with mesh= "):
        module.set_sharding("batch['x']", (None, None))
    module.set_sharding("batch['x']", ("rows",), "other")
    assert parse(str(module)).arguments()[0].local_shape == (1, 6)
    with pytest.raises(ShardingProblem, match="symbol 'other' already"):
        module.add_mesh({"rows": 8}, "other")


def test_a_program_without_a_mesh_says_how_to_get_one() -> None:
    module = parse("func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> { return %x : tensor<8xf32> }")
    with pytest.raises(ShardingProblem, match="the name of a mesh is empty"):
        module.add_mesh({"data": 4}, "")
    with pytest.raises(ShardingProblem, match="has more than 9223372036854775807 devices"):
        module.add_mesh({"data": 10**30})
    with pytest.raises(ShardingProblem, match=r"no mesh: add one with module\.add_mesh"):
        module.set_sharding("%arg0", ("data",))
    module.add_mesh({"data": 4})
    module.set_sharding("%arg0", ("data",))
    assert module.arguments()[0].local_shape == (2,)


def test_a_program_without_a_main_function_has_no_arguments() -> None:
    with pytest.raises(ShardingProblem, match="no main function"):
        parse("module {\n}").arguments()
