"""A wrong plan is told in words of the program's author: the line, the scope, the names of results and arguments."""

from pathlib import Path

import pytest

from pyshardy import parse, partition
from pyshardy.checking.inputs import UnknownInput, random_inputs
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.types import I64, TensorType


def test_the_first_wrong_operation_is_named_by_its_line() -> None:
    path = Path("examples/mlp.mlir")
    plan = partition(parse(path.read_text(), str(path)))
    broken = next(op for op in plan.local.op.walk() if op.name == "stablehlo.all_reduce")
    alone = DenseElementsAttr.of(TensorType((8, 1), I64), range(8))
    broken.properties = broken.properties.with_("replica_groups", alone)
    report = plan.check()
    assert report.first_wrong is not None
    assert report.first_wrong.location.startswith("examples/make_examples.py:")
    assert report.first_wrong.location.endswith(" jvp()")
    assert [one.name for one in report.results] == [one.name for one in plan.source.results()]
    assert repr(report) == "<CheckReport: all 5 results are different on 8 devices, exact evaluation>"


def test_an_argument_without_input_is_named() -> None:
    module = parse('func.func @main(%x: tensor<?xf32> loc("batch")) { return }')
    with pytest.raises(UnknownInput, match="argument batch of type"):
        random_inputs(module.op, next(iter(module.op.body)), 0)
