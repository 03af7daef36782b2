"""Nothing of a program is kept when the last reference to it has gone: neither by logs and tables of the package, nor
as garbage that nobody looks for."""

import gc
from collections.abc import Callable

import pytest

from pyshardy import Module, parse, partition, propagate
from pyshardy.ir import collector, rewriting
from pyshardy.ir.change_log import CHANGES, MOVEMENTS, kept_changes
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Block, Operation
from pyshardy.partitioning.plan import Plan


def program(number: int, operations: int = 4) -> str:
    chain = "".join(
        f"  %{index + 2} = stablehlo.{name} %{index + 1} : tensor<8xf32>\n"
        for index, name in enumerate(
            ["tanh", "negate", "sine", "cosine"][(number + step) % 4] for step in range(operations)
        )
    )
    size = 16 + 8 * (number % 4)
    return f"""
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x{size}xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}, {{}}]>}} loc("a"),
                %b: tensor<{size}x16xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{}}, {{"y"}}]>}}) -> tensor<8xf32> {{
  %c = stablehlo.constant dense<{number}.0> : tensor<f32>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    : (tensor<8x{size}xf32>, tensor<{size}x16xf32>) -> tensor<8x16xf32>
  %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.add across dimensions = [1]
    : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
{chain}  %last = func.call @f(%{operations + 1}) : (tensor<8xf32>) -> tensor<8xf32>
  return %last : tensor<8xf32>
}}
func.func private @f(%a: tensor<8xf32>) -> tensor<8xf32> {{
  %0 = stablehlo.tanh %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}}"""


def alive(*kinds: type) -> int:
    """How many objects of these kinds there are."""
    return sum(isinstance(one, kinds) for one in gc.get_objects())


def edit(number: int) -> None:
    module = parse(program(number))
    first = next(op for op in module.op.walk() if op.name == "stablehlo.tanh")
    rewriting.replace_all_uses(first.result, first.operands[0])
    rewriting.erase(first)


def refuse(number: int) -> None:
    with pytest.raises(ValueError):
        partition(parse(program(number)), emit="nothing")


WAYS: dict[str, tuple[int, Callable[[int], object]]] = {
    "parse": (100, lambda number: parse(program(number))),
    "edit": (100, edit),
    "propagate": (100, lambda number: propagate(parse(program(number)))),
    "partition": (100, lambda number: str(partition(parse(program(number))).module)),
    "refuse": (100, refuse),
    "manual": (20, lambda number: str(partition(parse(program(number)), emit="manual").module)),
    "collectives": (20, lambda number: str(partition(parse(program(number)), emit="collectives").module)),
    "check": (100, lambda number: partition(parse(program(number))).check()),
    "explain": (20, lambda number: str(partition(parse(program(number))).explain("a"))),
    "conflicts": (20, lambda number: str(partition(parse(program(number))).conflicts())),
    "cost": (20, lambda number: str(partition(parse(program(number))).cost("v5e"))),
    "report": (20, lambda number: partition(parse(program(number))).report()),
    "notebook": (20, lambda number: partition(parse(program(number)))._repr_html_()),
}


@pytest.mark.parametrize("way", WAYS)
def test_no_module_and_no_operation_outlives_the_calls(way: str) -> None:
    times, call = WAYS[way]
    kinds = (Module, Plan, Context, Operation, Block)
    # What is made once for all programs, the bodies of reductions for example, is there after a round of all sizes.
    for number in range(4):
        call(number)
    gc.collect()
    before = alive(*kinds)
    for number in range(times):
        call(number)
    gc.collect()
    assert alive(*kinds) == before


def test_operations_that_are_kept_by_somebody_keep_no_others() -> None:
    gc.collect()
    before = alive(Operation)
    first = partition(parse(program(0)))
    gc.collect()
    its_own = alive(Operation) - before
    for number in range(10):
        partition(parse(program(number)))
    gc.collect()
    assert first.module.op.regions and alive(Operation) == before + its_own


def test_changes_are_kept_while_somebody_may_ask_and_then_forgotten() -> None:
    module = parse(program(0))
    first = next(op for op in module.op.walk() if op.name == "stablehlo.tanh")
    moves, changes = MOVEMENTS.count, CHANGES.count
    with kept_changes():
        with kept_changes():
            rewriting.replace_all_uses(first.result, first.operands[0])
            rewriting.erase(first)
        assert MOVEMENTS.since(moves) == [first] and len(CHANGES.since(changes) or []) == 1
    assert MOVEMENTS.since(moves) is None and CHANGES.since(changes) is None
    assert MOVEMENTS.count == moves + 1 and MOVEMENTS.since(moves + 1) == []


@pytest.fixture
def small_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if nothing but programs lived in this process."""
    gc.collect()
    for name, value in {"objects": 0, "has_ended": False, "lived": 0}.items():
        monkeypatch.setattr(collector._Made, name, value)
    monkeypatch.setattr(collector, "_objects_alive", lambda: 0)


@pytest.mark.usefixtures("small_process")
def test_programs_that_have_ended_are_looked_for_without_being_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collector, "_WORTH_A_LOOK", 10_000)
    before, most = alive(Operation), 0
    for number in range(30):
        partition(parse(program(number, 200)))
        most = max(most, alive(Operation) - before)
    assert most < 10 * 200


@pytest.mark.usefixtures("small_process")
def test_nothing_is_looked_for_while_all_programs_are_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collector, "_WORTH_A_LOOK", 1)
    looks: list[int] = []
    monkeypatch.setattr(gc, "collect", lambda: looks.append(1))
    kept = [parse(program(number)) for number in range(10)]
    assert not looks
    kept.pop()
    parse(program(0))
    assert looks
