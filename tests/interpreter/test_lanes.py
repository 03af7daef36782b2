"""Each operation on devices that share some of its operands and not others: each computes what it computes alone."""

from __future__ import annotations

import pytest

from pyshardy import parse
from pyshardy.checking.inputs import in_their_types, random_inputs
from tests.interpreter.compiled import assert_alike_on_devices
from tests.partitioning.every_operation import PROGRAMS
from tests.partitioning.random_layouts import random_text
from tests.sampling import sampled


@pytest.mark.parametrize("name", sampled(sorted(PROGRAMS), 2))
def test_devices_may_share_some_of_the_operands(name: str) -> None:
    for seed in range(2):
        text = random_text(PROGRAMS[name], seed)
        module = parse(text)
        main = next(op for op in module.op.body if op.symbol_name == "main")
        drawn = (random_inputs(module.op, main, number) for number in (seed, seed + 100))
        first, second = (in_their_types(main, inputs) for inputs in drawn)
        assert_alike_on_devices(text, first, second, 64)
