"""What evaluates an operation in a run: the registry's function, what stands in for it, what is put around it."""

from __future__ import annotations

import numpy as np

from pyshardy import parse
from pyshardy.interpreter.evaluation import Evaluation
from pyshardy.interpreter.frame import Evaluator
from pyshardy.interpreter.number_systems import AS_WRITTEN, DOUBLES, EXACT
from pyshardy.interpreter.registry import evaluator


def test_only_exact_numbers_have_evaluators_of_their_own() -> None:
    evaluation = Evaluation()
    native = evaluator("stablehlo.sine")
    assert evaluation.by_name("stablehlo.sine", AS_WRITTEN) is native
    assert evaluation.by_name("stablehlo.sine", DOUBLES) is native
    assert evaluation.by_name("stablehlo.sine", EXACT) is not native
    # What only moves elements moves exact numbers, too.
    assert evaluation.by_name("stablehlo.transpose", EXACT) is evaluator("stablehlo.transpose")
    assert evaluation.by_name("test.unknown", EXACT) is None


def test_who_watches_a_run_stands_inside_of_the_way_from_integers_to_numbers() -> None:
    module = parse(
        """
        func.func @main(%a: tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5>> {
          %0 = stablehlo.add %a, %a : tensor<2x!quant.uniform<i8:f32, 0.5>>
          return %0 : tensor<2x!quant.uniform<i8:f32, 0.5>>
        }
        """
    )
    seen: list[str] = []

    def wrap(name: str, function: Evaluator) -> Evaluator:
        seen.append(name)
        return function

    from pyshardy.interpreter import run

    (result,) = run(module, [np.array([3, -4], np.int8)], wrap=wrap)
    assert seen == ["stablehlo.add"]
    assert result.tolist() == [6, -8]
