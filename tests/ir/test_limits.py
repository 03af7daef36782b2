"""Programs that would grow too large: one line each, and how a limit is raised; deep and wide ones that are done."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from pyshardy import Module, PyshardyError, parse, partition, propagate, run_passes
from pyshardy.ir.call_depth import CallTree
from pyshardy.ir.limits import LIMITS, LimitExceeded, limit, read_limit, set_limit

TYPE = "tensor<8x8xf32>"
SHARDED = '{sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}'


def nested_calls(depth: int, calls: int) -> str:
    """Functions that each call the next one so often."""
    text = [
        f"""sdy.mesh @m = <["x"=4]>
        func.func @main(%a: {TYPE} {SHARDED}) -> {TYPE} {{
          %0 = func.call @f0(%a) : ({TYPE}) -> {TYPE}
          return %0 : {TYPE}
        }}"""
    ]
    for number in range(depth):
        values = ["%a", *(f"%{n}" for n in range(calls))]
        lines = [f"%{n} = func.call @f{number + 1}({values[n]}) : ({TYPE}) -> {TYPE}" for n in range(calls)]
        body = "\n".join(lines) if number < depth - 1 else f"{values[-1]} = stablehlo.tanh %a : {TYPE}"
        text.append(f"func.func private @f{number}(%a: {TYPE}) -> {TYPE} {{\n{body}\nreturn {values[-1]} : {TYPE}\n}}")
    return "\n".join(text)


@pytest.fixture
def limits_again() -> Iterator[None]:
    """Puts every limit back behind a test."""
    yield
    for name in LIMITS:
        set_limit(name, None)


def test_calls_nested_deep_are_partitioned_and_checked() -> None:
    plan = partition(parse(nested_calls(300, 1)))
    assert str(plan.module).count("stablehlo.tanh") == 1
    assert plan.check().agrees


@pytest.mark.parametrize("run", [partition, propagate])
def test_calls_that_become_too_many_operations_are_counted_and_not_copied(run: object) -> None:
    assert callable(run)
    with pytest.raises(PyshardyError, match=r"has 3,670,015 operations, more than 1,000,000 \(--limit called-op"):
        run(parse(nested_calls(20, 2)))


@pytest.mark.usefixtures("limits_again")
def test_a_limit_that_is_raised_lets_a_program_pass() -> None:
    set_limit("called-operations", 100)
    with pytest.raises(PyshardyError, match="more than 100"):
        partition(parse(nested_calls(10, 2)))
    set_limit("called-operations", 10_000)
    assert partition(parse(nested_calls(10, 2))).check().agrees


@pytest.mark.usefixtures("limits_again")
def test_calls_deeper_than_the_limit_are_an_error() -> None:
    set_limit("call-depth", 50)
    with pytest.raises(LimitExceeded, match="51 deep inside one another, more than 50"):
        partition(parse(nested_calls(51, 1)))
    assert partition(parse(nested_calls(50, 1)))


@pytest.mark.usefixtures("limits_again")
@pytest.mark.parametrize("passed", [partition, lambda module: run_passes(module, "sdy-flatten-call-graph")])
def test_a_few_functions_are_enough_for_too_many_copies(passed: Callable[[Module], object]) -> None:
    with pytest.raises(PyshardyError, match="the program has 4,333,335 operations, more than 1,000,000"):
        passed(parse(nested_calls(7, 10)))
    set_limit("call-depth", 0)
    with pytest.raises(PyshardyError, match="calls of functions stand 1 deep inside one another, more than 0"):
        passed(parse(nested_calls(1, 1)))


def test_a_call_tree_counts_what_copies_become() -> None:
    tree = CallTree(parse(nested_calls(3, 2)).op)
    assert (tree.depth, tree.sizes["f2"], tree.sizes["f1"]) == (4, 3, 4 + 2 * 3)


def test_a_transpose_of_many_dimensions_on_many_axes_is_partitioned() -> None:
    rank, axes = 24, 12
    mesh = ", ".join(f'"a{n}"=2' for n in range(axes))

    def sharding(order: range) -> str:
        dims = ", ".join(f'{{"a{n}"}}' for n in order) + ", {}" * (rank - axes)
        return f"{{sdy.sharding = #sdy.sharding<@m, [{dims}]>}}"

    type, order = f"tensor<{'x'.join(['2'] * rank)}xf32>", [(n * 7 + 3) % rank for n in range(rank)]
    text = f"""sdy.mesh @m = <[{mesh}]>
      func.func @main(%a: {type} {sharding(range(axes))}) -> ({type} {sharding(range(axes - 1, -1, -1))}) {{
        %0 = stablehlo.transpose %a, dims = {order} : ({type}) -> {type}
        return %0 : {type}
      }}"""
    assert partition(parse(text)).devices == 1 << axes


def summed(mesh: str, size: int = 1 << 28) -> str:
    """A sum over a dimension that lies along "x"."""
    return f"""sdy.mesh @m = <[{mesh}]>
      func.func @main(%a: tensor<{size}x8xf32> {SHARDED}) -> tensor<8xf32> {{
        %c = stablehlo.constant dense<0.0> : tensor<f32>
        %0 = stablehlo.reduce(%a init: %c) applies stablehlo.add across dimensions = [0]
            : (tensor<{size}x8xf32>, tensor<f32>) -> tensor<8xf32>
        return %0 : tensor<8xf32>
      }}"""


def test_groups_of_a_large_mesh_name_axes_instead_of_devices() -> None:
    plan = partition(parse(summed('"x"=16384, "y"=16384')))
    assert "replica_group_mesh_axes" in str(plan.module)
    assert len(str(plan.module)) < 4000


def test_a_permute_on_a_large_mesh_is_an_error() -> None:
    text = f"""sdy.mesh @m = <["x"=131072]>
      func.func @main(%a: tensor<131072x8xf32> {SHARDED}) -> (tensor<131072x8xf32> {SHARDED}) {{
        %0 = stablehlo.reverse %a, dims = [0] : tensor<131072x8xf32>
        return %0 : tensor<131072x8xf32>
      }}"""
    with pytest.raises(LimitExceeded, match="131,072 devices would be listed"):
        partition(parse(text))


def test_more_devices_than_can_be_numbered_are_an_error() -> None:
    with pytest.raises(PyshardyError, match="has 73,786,976,294,838,206,464 devices"):
        partition(parse(summed('"x"=4294967296, "y"=4294967296, "z"=4')))


def test_a_tensor_of_too_many_bytes_is_an_error() -> None:
    with pytest.raises(PyshardyError, match="more bytes than 64 bits can count"):
        partition(parse(summed('"x"=4', 10**18)))


def test_more_devices_than_are_simulated_are_an_error() -> None:
    with pytest.raises(LimitExceeded, match="8,192 simulated devices, more than 4,096"):
        partition(parse(summed('"x"=8192', 8192))).check()


@pytest.mark.parametrize("text", ["listed-devices", "listed-devices=x", "listed=4", "=4"])
def test_a_wrong_limit_is_said(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no NAME=N|there is no limit"):
        read_limit(text)


@pytest.mark.usefixtures("limits_again")
def test_limits_may_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYSHARDY_LIMITS", "call-depth=7,listed-devices=9")
    assert (limit("call-depth"), limit("listed-devices")) == (7, 9)
    set_limit("call-depth", 8)
    assert limit("call-depth") == 8
