# mypy: allow-untyped-calls, no-warn-return-any, allow-untyped-defs
"""StableHLO's own reference interpreter, which comes with jaxlib: a second judge beside XLA.

It ends the whole process at what it cannot do (complex results, divisions of integers by zero, ``chlo``), so that the
programs given to it leave that out.
"""

from __future__ import annotations

from jaxlib.mlir import ir
from jaxlib.mlir._mlir_libs import _jax_mlir_ext
from jaxlib.mlir.dialects import stablehlo

from pyshardy import parse
from pyshardy.interpreter import run
from pyshardy.interpreter.element_types import Array, is_float, numpy_type, wide
from pyshardy.interpreter.value_text import element_texts
from pyshardy.ir.types import TensorType


def evaluated(text: str) -> list[Array]:
    """What the reference interpreter computes for ``@main``, which takes nothing."""
    context = ir.Context()
    registry = ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(registry)
    context.append_dialect_registry(registry)
    context.load_all_available_dialects()
    stablehlo.register_dialect(context)
    stablehlo.register_interpreter_dialect(context)
    with context, ir.Location.unknown():
        constants = [str(one) for one in stablehlo.eval_module(ir.Module.parse(text), [])]
    return [_array(constant) for constant in constants]


def _array(constant: str) -> Array:
    type = constant.rpartition(" : ")[2]
    text = f"func.func @main() -> {type} {{\n  %0 = stablehlo.constant {constant}\n  return %0 : {type}\n}}"
    return run(parse(text))[0]


def assert_like_reference(text: str, ulps: float = 0) -> None:
    """The interpreter and the reference agree on ``text``: floats within ``ulps`` units in the last place, zeros in
    their sign."""
    from pyshardy.interpreter.operations.checks import ulp_difference

    expected, actual = evaluated(text), run(parse(text))
    assert [(one.dtype, one.shape) for one in actual] == [(one.dtype, one.shape) for one in expected], text
    for ours, theirs in zip(actual, expected, strict=True):
        differ = ulp_difference(ours, theirs) > ulps
        if is_float(ours.dtype):
            differ |= _is_negative_zero(ours) != _is_negative_zero(theirs)
        assert not differ.any(), f"{ours[differ]} instead of {theirs[differ]} at {differ.nonzero()} in\n{text}"


def _is_negative_zero(values: Array) -> Array:
    import numpy as np

    numbers = wide(values)
    return (numbers == 0) & np.signbit(numbers)


def constant_program(operation: str, operands: list[tuple[str, Array]], result: str, attributes: str = "") -> str:
    """``@main`` that applies an operation to constants, given as element type and values of one shape; of complex
    results it returns both parts."""
    lines, types = [], []
    for number, (element, values) in enumerate(operands):
        type = _tensor_type(values.shape, element)
        texts = element_texts(values.astype(numpy_type(type)), type)
        lines.append(f"%{number} = stablehlo.constant dense<[{', '.join(texts)}]> : {type}")
        types.append(str(type))
    names = ", ".join(f"%{number}" for number in range(len(operands)))
    shape = operands[0][1].shape
    computed = str(_tensor_type(shape, result))
    lines.append(f'%r = "{operation}"({names}) {attributes} : ({", ".join(types)}) -> {computed}')
    returned = ["%r"]
    if result.startswith("complex"):
        part = str(_tensor_type(shape, result[8:-1]))
        lines += [f"%{name} = stablehlo.{name} %r : ({computed}) -> {part}" for name in ("real", "imag")]
        returned, computed = ["%real", "%imag"], part
    outputs = ", ".join([computed] * len(returned))
    body = "\n  ".join([*lines, f"return {', '.join(returned)} : {outputs}"])
    return f"func.func @main() -> ({outputs}) {{\n  {body}\n}}"


def _tensor_type(shape: tuple[int, ...], element: str) -> TensorType:
    sizes = "".join(f"{size}x" for size in shape)
    module = parse(f"func.func private @f(%a: tensor<{sizes}{element}>) {{\n  return\n}}")
    (function,) = module.op.body
    type = function.body.arguments[0].type
    assert isinstance(type, TensorType)
    return type
