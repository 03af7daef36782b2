# mypy: allow-untyped-calls, no-warn-return-any
"""Programs that call Python back: without the functions the calls do nothing, with them they are called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.experimental import io_callback

import pyshardy
from pyshardy.interpreter import run
from pyshardy.interpreter.run import run_devices

SHAPE = jax.ShapeDtypeStruct((4, 3), np.float32)


def lowered(function: Callable[..., Any]) -> Any:
    return jax.jit(function).lower(SHAPE)


def sine(x: jax.Array) -> jax.Array:
    return x + jax.pure_callback(lambda a: np.sin(a), SHAPE, x)


def test_a_callback_without_its_function_gives_zeros_and_is_remarked_upon_once() -> None:
    def twice(x: jax.Array) -> jax.Array:
        jax.debug.print("sum {}", x.sum())
        return sine(x)

    module = pyshardy.parse(lowered(twice).as_text())
    x = np.ones((4, 3), np.float32)
    (result,) = run(module, [x])
    assert (result == x).all()
    (said,) = module.context.diagnostics
    assert said.severity == "remark" and "host callbacks do nothing here" in said.message


def test_a_callback_with_its_function_is_called() -> None:
    program = lowered(sine)
    module = pyshardy.use_callbacks(pyshardy.parse(program.as_text()), program)
    x = np.arange(12, dtype=np.float32).reshape(4, 3)
    np.testing.assert_allclose(run(module, [x])[0], x + np.sin(x), rtol=1e-6)
    assert not module.context.diagnostics


def test_devices_with_the_same_operands_share_one_call() -> None:
    calls: list[float] = []

    def count(a: Any) -> Any:
        calls.append(float(a))
        return np.float32(len(calls))

    def f(x: jax.Array) -> jax.Array:
        return io_callback(count, jax.ShapeDtypeStruct((), np.float32), x.sum())

    program = lowered(f)
    module = pyshardy.use_callbacks(pyshardy.parse(program.as_text()), program)
    ones = np.ones((4, 3), np.float32)
    results = run_devices(module, [np.stack([ones, 2 * ones, ones])], partitions=3)
    assert calls == [12, 24]
    assert results[0].tolist() == [1, 2, 1]


def test_tokens_of_ordered_callbacks_are_passed_on() -> None:
    seen: list[int] = []

    def f(x: jax.Array) -> jax.Array:
        for number in range(3):
            io_callback(lambda n=number: seen.append(n), None, ordered=True)
        return x

    program = lowered(f)
    module = pyshardy.use_callbacks(pyshardy.parse(program.as_text()), program)
    plan = pyshardy.partition(module)
    report = plan.check()
    assert not report.differs
    assert seen == [0, 1, 2] * (2 * report.runs)


def test_what_a_callback_raises_is_an_error_at_its_operation() -> None:
    def fail(a: Any) -> Any:
        raise FloatingPointError("not a number")

    def f(x: jax.Array) -> jax.Array:
        return jax.pure_callback(fail, SHAPE, x)

    program = lowered(f)
    module = pyshardy.use_callbacks(pyshardy.parse(program.as_text()), program)
    with pytest.raises(pyshardy.PyshardyError, match="its host callback raised FloatingPointError: not a number"):
        run(module, [np.ones((4, 3), np.float32)])


def test_an_error_that_is_raised_only_if_something_is_wrong_stays_away() -> None:
    def fail(a: Any) -> None:
        raise ValueError("negative")

    def f(x: jax.Array) -> jax.Array:
        jax.lax.cond((x < 0).any(), lambda: jax.debug.callback(fail, x), lambda: None)
        return jnp.sqrt(x)

    program = lowered(f)
    module = pyshardy.use_callbacks(pyshardy.parse(program.as_text()), program)
    run(module, [np.ones((4, 3), np.float32)])
    with pytest.raises(pyshardy.PyshardyError, match="negative"):
        run(module, [-np.ones((4, 3), np.float32)])


def test_functions_come_from_a_lowered_program_only() -> None:
    module = pyshardy.parse(lowered(sine).as_text())
    with pytest.raises(ValueError, match=r"jax\.stages\.Lowered"):
        pyshardy.use_callbacks(module, "a text")


def test_an_exact_check_hands_callbacks_the_numbers_that_the_program_would() -> None:
    kinds: set[str] = set()

    def double(x: np.ndarray) -> np.ndarray:
        kinds.add(str(x.dtype))
        return 2 * x

    def f(x: jax.Array) -> jax.Array:
        return jax.pure_callback(double, jax.ShapeDtypeStruct(x.shape, x.dtype), x) + x

    program = lowered(f)
    module = pyshardy.use_callbacks(pyshardy.parse(program.as_text()), program)
    assert pyshardy.partition(module).check().agrees
    assert kinds == {"float32"}
