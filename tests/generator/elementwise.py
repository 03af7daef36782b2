"""Element-wise operations: unary, binary, compare, select, clamp, convert, and user-supplied sharding rules on some."""

from __future__ import annotations

from tests.generator.body import Body
from tests.generator.families import makes
from tests.generator.rules import random_rule
from tests.generator.types import BITS, Tensor, Value, is_complex, is_float, is_integer, real_part

_FLOAT_UNARY = (
    "abs",
    "cbrt",
    "ceil",
    "cosine",
    "exponential",
    "exponential_minus_one",
    "floor",
    "log",
    "log_plus_one",
    "logistic",
    "negate",
    "round_nearest_afz",
    "round_nearest_even",
    "rsqrt",
    "sign",
    "sine",
    "sqrt",
    "tan",
    "tanh",
)
_INTEGER_UNARY = ("abs", "negate", "sign", "popcnt", "not", "count_leading_zeros")
_UNSIGNED_UNARY = ("popcnt", "not", "count_leading_zeros")
_COMPLEX_UNARY = ("negate", "exponential", "cosine", "sine", "tanh")
_NUMBER_BINARY = (
    "add",
    "add",
    "subtract",
    "multiply",
    "multiply",
    "divide",
    "maximum",
    "minimum",
    "power",
    "remainder",
)
_INTEGER_BINARY = (*_NUMBER_BINARY, "and", "or", "xor", "shift_left", "shift_right_arithmetic", "shift_right_logical")
_DIRECTIONS = ("EQ", "NE", "GE", "GT", "LE", "LT")


def _unary_names(element: str) -> tuple[str, ...]:
    if is_float(element):
        return _FLOAT_UNARY
    if is_complex(element):
        return _COMPLEX_UNARY
    if element == "i1":
        return ("not",)
    return _UNSIGNED_UNARY if element.startswith("u") else _INTEGER_UNARY


def _binary_names(element: str) -> tuple[str, ...]:
    if element == "i1":
        return ("and", "or", "xor")
    if is_complex(element):
        return ("add", "subtract", "multiply", "divide")
    return _INTEGER_BINARY if is_integer(element) else (*_NUMBER_BINARY, "atan2")


def _rule(body: Body, operands: list[Value], results: list[Tensor]) -> list[str]:
    if not body.chance(body.features.sharding_rules):
        return []
    return [random_rule(body.rng, [value.type for value in operands], results)]


@makes("elementwise", 3)
def unary(body: Body) -> None:
    x = body.pick_shaped()
    name = body.rng.choice(_unary_names(x.type.element))
    attributes = _rule(body, [x], [x.type]) if x.type.rank else []
    if name in ("exponential", "tanh", "rsqrt") and body.chance(0.05):
        attributes.append(
            "result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>"
        )
        body.pretty(f"stablehlo.{name} {x}", [x], [x.type], str(x.type), attributes)
        return
    body.either(f"stablehlo.{name}", f"{x}", [x], [x.type], str(x.type), (), attributes)


@makes("elementwise", 4)
def binary(body: Body) -> None:
    x = body.pick_shaped()
    y = body.value_of(x.type)
    if body.chance(0.5):
        x, y = y, x
    name = body.rng.choice(_binary_names(x.type.element))
    attributes = _rule(body, [x, y], [x.type]) if x.type.rank else []
    body.either(f"stablehlo.{name}", f"{x}, {y}", [x, y], [x.type], str(x.type), (), attributes)


@makes("elementwise", 0.6)
def compare(body: Body) -> None:
    x = body.pick_shaped()
    y = body.value_of(x.type)
    element = x.type.element
    kind = (
        "FLOAT"
        if not is_integer(element) and element != "i1"
        else "UNSIGNED"
        if element in ("i1", "ui32", "ui8")
        else "SIGNED"
    )
    directions = _DIRECTIONS[:2] if is_complex(element) else _DIRECTIONS
    tail = f", {kind}" if body.chance(0.8) else ""
    head = f"stablehlo.compare {body.rng.choice(directions)}, {x}, {y}{tail}"
    body.functional(head, [x, y], [x.type.with_element("i1")])


@makes("elementwise", 0.6)
def select(body: Body) -> None:
    x = body.pick_shaped()
    y = body.value_of(x.type)
    predicate = body.value_of(Tensor(() if body.chance(0.3) else x.type.shape, "i1"))
    operands = [predicate, x, y]
    body.pretty(f"stablehlo.select {predicate}, {x}, {y}", operands, [x.type], f"{predicate.type}, {x.type}")


@makes("elementwise", 0.4)
def clamp(body: Body) -> None:
    x = body.pick_shaped(0, lambda element: is_float(element) or is_integer(element))
    bound = x.type.scalar if body.chance(0.5) else x.type
    low, high = body.value_of(bound), body.value_of(bound)
    body.functional(f"stablehlo.clamp {low}, {x}, {high}", [low, x, high], [x.type])


@makes("elementwise", 0.8)
def convert(body: Body) -> None:
    x = body.pick_shaped(0, lambda element: not is_complex(element))
    result = x.type.with_element(body.rng.choice(("f32", "bf16", "i32", "f32", "i8", "f64")))
    tail = str(result) if result == x.type else None
    body.either("stablehlo.convert", f"{x}", [x], [result], tail)


@makes("elementwise", 0.2)
def is_finite(body: Body) -> None:
    x = body.pick_shaped(0, is_float)
    body.functional(f"stablehlo.is_finite {x}", [x], [x.type.with_element("i1")])


@makes("elementwise", 0.2)
def reduce_precision(body: Body) -> None:
    x = body.pick_shaped(0, is_float)
    body.pretty(f"stablehlo.reduce_precision {x}, format = e5m10", [x], [x.type], str(x.type))


@makes("elementwise", 0.3)
def bitcast_convert(body: Body) -> None:
    x = body.pick_shaped(0, lambda element: element in BITS)
    type, bits = x.type, BITS[x.type.element]
    element = body.rng.choice(list(BITS))
    if BITS[element] == bits:
        result = type.with_element(element)
    elif BITS[element] < bits:
        result = Tensor((*type.shape, bits // BITS[element]), element)
    elif type.rank and type.shape[-1] == BITS[element] // bits:
        result = Tensor(type.shape[:-1], element)
    else:
        return
    body.functional(f"stablehlo.bitcast_convert {x}", [x], [result])


@makes("elementwise", 0.3)
def complex_parts(body: Body) -> None:
    x = body.pick(lambda type: is_complex(type.element))
    if x is not None and body.chance(0.7):
        part = x.type.with_element(real_part(x.type.element))
        body.functional(f"stablehlo.{body.rng.choice(('real', 'imag', 'abs'))} {x}", [x], [part])
        return
    re = body.pick_shaped(0, lambda element: element in ("f32", "f64"))
    im = body.value_of(re.type)
    result = re.type.with_element(f"complex<{re.type.element}>")
    body.pretty(f"stablehlo.complex {re}, {im}", [re, im], [result], str(result))


@makes("elementwise", 0.3)
def chlo_unary(body: Body) -> None:
    x = body.pick_shaped(0, is_float)
    name = body.rng.choice(("erf", "asin", "sinh", "square", "tan", "lgamma"))
    body.pretty(f"chlo.{name} {x}", [x], [x.type], f"{x.type} -> {x.type}")
