"""Counts what lives between calls, in a process of its own: `python -m tests.partitioning.memory_between_calls`.

Prints one JSON object. A process that has done nothing else is small, so looking through all of it takes no time.
"""

import gc
import json
from collections.abc import Callable

from pyshardy import Module, Plan, parse, partition, propagate
from pyshardy.ir import collector, rewriting
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Block, Operation


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
    try:
        partition(parse(program(number)), emit="nothing")
    except ValueError:
        return
    raise AssertionError("there is no such form")


WAYS: dict[str, tuple[int, Callable[[int], object]]] = {
    "parse": (30, lambda number: parse(program(number))),
    "edit": (30, edit),
    "propagate": (30, lambda number: propagate(parse(program(number)))),
    "partition": (30, lambda number: str(partition(parse(program(number))).module)),
    "refuse": (30, refuse),
    "manual": (10, lambda number: str(partition(parse(program(number)), emit="manual").module)),
    "collectives": (10, lambda number: str(partition(parse(program(number)), emit="collectives").module)),
    "check": (30, lambda number: partition(parse(program(number))).check()),
    "explain": (10, lambda number: str(partition(parse(program(number))).explain("a"))),
    "conflicts": (10, lambda number: str(partition(parse(program(number))).conflicts())),
    "cost": (10, lambda number: str(partition(parse(program(number))).cost("v5e"))),
    "report": (10, lambda number: partition(parse(program(number))).report()),
    "notebook": (10, lambda number: partition(parse(program(number)))._repr_html_()),
}


def outlives(way: str) -> int:
    """How many objects more there are behind the calls of ``way``."""
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
    return alive(*kinds) - before


def kept_beside_a_plan() -> int:
    """How many operations more there are than those of a plan that is kept, after ten others."""
    gc.collect()
    before = alive(Operation)
    first = partition(parse(program(0)))
    gc.collect()
    its_own = alive(Operation) - before
    for number in range(10):
        partition(parse(program(number)))
    gc.collect()
    assert first.module.op.regions
    return alive(Operation) - before - its_own


def most_without_being_asked() -> int:
    """How many operations there are at most while thirty programs of 200 are partitioned, one by one."""
    collector._WORTH_A_LOOK = 10_000
    collector._Made.objects, collector._Made.ended, collector._Made.lived = 0, 0, 0
    collector._objects_alive = lambda: 0
    before, most = alive(Operation), 0
    for number in range(30):
        partition(parse(program(number, 200)))
        most = max(most, alive(Operation) - before)
    return most


def main() -> None:
    """Prints what was counted."""
    found: dict[str, object] = {"outlives": {way: outlives(way) for way in WAYS}}
    found["kept beside a plan"] = kept_beside_a_plan()
    found["most without being asked"] = most_without_being_asked()
    print(json.dumps(found))


if __name__ == "__main__":
    main()
