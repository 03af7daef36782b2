"""How often loops go round: what the program says against what the interpreter counts."""

from itertools import product

import numpy as np
import pytest

from pyshardy import Module, parse
from pyshardy.dialects.stablehlo.trip_count import function_runs, trip_count, turns_around
from pyshardy.interpreter.run import run
from pyshardy.ir.operation import Operation


def loop(start: int, step: int, direction: str, limit: int, *, flipped: bool = False, outside: bool = False) -> str:
    """A function that counts the turns of one loop."""
    compared = "%limit, %i" if flipped else "%i, %limit"
    constant = f"%limit = stablehlo.constant dense<{limit}> : tensor<i32>"
    return f"""func.func @main() -> tensor<i32> {{
      %start = stablehlo.constant dense<{start}> : tensor<i32>
      %zero = stablehlo.constant dense<0> : tensor<i32>
      {constant if outside else ""}
      %0:2 = stablehlo.while(%i = %start, %n = %zero) : tensor<i32>, tensor<i32>
      cond {{
        {"" if outside else constant}
        %more = stablehlo.compare {direction}, {compared}, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %more : tensor<i1>
      }} do {{
        %step = stablehlo.constant dense<{step}> : tensor<i32>
        %one = stablehlo.constant dense<1> : tensor<i32>
        %next = stablehlo.add {"%step, %i" if flipped else "%i, %step"} : tensor<i32>
        %counted = stablehlo.add %n, %one : tensor<i32>
        stablehlo.return %next, %counted : tensor<i32>, tensor<i32>
      }}
      return %0#1 : tensor<i32>
    }}"""


def the_loop(module: Module) -> Operation:
    return next(op for op in module.op.walk() if op.name == "stablehlo.while")


@pytest.mark.parametrize("direction", ["LT", "LE", "GT", "GE", "NE"])
@pytest.mark.parametrize("flipped", [False, True])
def test_a_known_count_is_the_one_that_a_run_has(direction: str, flipped: bool) -> None:
    known = 0
    for start, step, limit in product((-2, 0, 3), (-2, -1, 1, 3), (-4, 0, 1, 7)):
        module = parse(loop(start, step, direction, limit, flipped=flipped, outside=step == 1))
        count = trip_count(the_loop(module))
        if count is not None:
            known += 1
            assert int(run(module)[0]) == count, (start, step, limit)
    assert known > 12


def test_a_loop_that_never_ends_by_its_counter_is_not_known() -> None:
    assert trip_count(the_loop(parse(loop(0, -1, "LT", 5)))) is None
    assert trip_count(the_loop(parse(loop(0, 2, "NE", 5)))) is None
    assert trip_count(the_loop(parse(loop(0, 1, "EQ", 5)))) is None


def test_a_loop_whose_limit_is_an_argument_is_not_known() -> None:
    text = loop(0, 1, "LT", 5, outside=True).replace("@main()", "@main(%limit: tensor<i32>)")
    text = text.replace("%limit = stablehlo.constant dense<5> : tensor<i32>", "")
    module = parse(text)
    assert trip_count(the_loop(module)) is None
    assert int(run(module, [np.array(4, np.int32)])[0]) == 4


def test_loops_in_loops_and_functions_called_in_them_multiply() -> None:
    inner = loop(0, 1, "LT", 3).replace("@main", "private @inner")
    outer = loop(0, 2, "LT", 8).replace(
        "%counted = stablehlo.add %n, %one",
        "%more = func.call @inner() : () -> tensor<i32>\n%counted = stablehlo.add %n, %more",
    )
    module = parse(outer + "\n" + inner)
    main, called = module.op.body
    assert function_runs(module.op, main) == {main: 1, called: 4}
    assert int(run(module)[0]) == 12
    ones = [op for op in called.walk() if op.name == "stablehlo.add"]
    assert [turns_around(op) for op in ones] == [3, 3]
