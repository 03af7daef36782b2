"""Chooses the evaluator of an operation on exact numbers: the native one if it only moves elements, one made for exact
numbers, or any other on doubles, as a function of which nothing else is known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from pyshardy.dialects.sdy.names import IDENTITIES
from pyshardy.dialects.stablehlo.operations import DIALECT
from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.exact.numbers import is_exact
from pyshardy.interpreter.exact.opaque import as_function
from pyshardy.interpreter.frame import Evaluator, Frame
from pyshardy.ir.opdef import COLLECTIVE, CONSTANT_LIKE, DATA_FLOW, DATA_MOVEMENT, OpDef
from pyshardy.ir.registry import foreign_row

if TYPE_CHECKING:
    from pyshardy.ir.operation import Operation

OnNatural = Callable[[Evaluator, "Frame", "Operation", list[Any]], Sequence[Any]]
"""An evaluator that gets the native evaluator of the operation first."""
_E = TypeVar("_E", bound=Evaluator)
_N = TypeVar("_N", bound=OnNatural)

_makers: dict[str, Callable[[Evaluator], Evaluator]] = {}
_FAMILIES = ("contractions", "conversion", "custom_calls", "elementwise", "functions", "matrices", "normalization")

_ALSO = """
after_all async_done async_start case compare composite constant create_token if infeed map outfeed partition_id
reduce reduce_window replica_id rng_bit_generator scatter select_and_scatter set_dimension_size sort
uniform_dequantize uniform_quantize while
"""
_OF_OTHER_DIALECTS = """
arith.cmpf arith.constant arith.select builtin.unrealized_conversion_cast chlo.constant chlo.scan chlo.top_k func.call
sdy.constant sdy.manual_computation sdy.named_computation sdy.sharding_group shape.shape_of tensor.cast tensor.dim
tensor.empty tensor.extract tensor.from_elements tensor.rank tensor.reshape tensor.splat
"""
MOVING = {name for name, row in DIALECT.definitions.items() if row.traits & (COLLECTIVE | DATA_MOVEMENT)}
MOVING |= {f"stablehlo.{name}" for name in _ALSO.split()} | {*_OF_OTHER_DIALECTS.split(), *IDENTITIES}
"""Operations whose native evaluators take elements of any kind: they move them, or leave the computing to a body, to
``operations.reductions`` or ``operations.comparison``, which know exact numbers."""


def exactly(*names: str) -> Callable[[_E], _E]:
    """Registers a function as the evaluator of operations ``names`` if an operand or result is an exact number."""

    def register(function: _E) -> _E:
        for name in names:
            _makers[name] = lambda native: function
        return function

    return register


def exactly_on_natural(*names: str) -> Callable[[_N], _N]:
    """``exactly`` for a function whose first argument is the native evaluator."""

    def register(function: _N) -> _N:
        for name in names:
            _makers[name] = lambda native: partial(function, native)
        return function

    return register


def stand_in(name: str, native: Evaluator | None) -> Evaluator | None:
    """The evaluator of operation ``name`` for exact numbers; ``native`` is the one of ``operations``."""
    _load()
    row = foreign_row(name)
    if row is not None and native is not None:
        return _of_row(row, native)
    if native is None or name in MOVING or name.startswith(("shape.", "check.", "interpreter.")):
        return native
    make = _makers.get(name)
    if make is not None:
        return _where_exact(make(native), native)
    return _where_exact(as_function(name, native), native)


_TAKE_ANY = COLLECTIVE | CONSTANT_LIKE | DATA_FLOW | DATA_MOVEMENT
"""Traits of operations from outside whose evaluators take elements of any kind."""


def _of_row(row: OpDef, native: Evaluator) -> Evaluator:
    """The evaluator of an operation of a foreign dialect: its own for exact numbers, the native one where that
    moves elements or leaves computing to a body, else the native one on doubles, as a function."""
    from pyshardy.interpreter.exact.by_rule import OnNative, by_rule

    own = row.exact_evaluator
    if own is not None:
        return _where_exact(partial(own.function, native) if isinstance(own, OnNative) else own, native)
    return native if row.traits & _TAKE_ANY else _where_exact(by_rule(row.name, native), native)


def _where_exact(made: Evaluator, native: Evaluator) -> Evaluator:
    def evaluate(frame: Frame, op: Operation, operands: list[Array]) -> Sequence[Array]:
        exact = any(map(_is_exact, operands)) or any(
            is_exact(frame.array_type(result.type)) for result in op.results if hasattr(result.type, "element")
        )
        return made(frame, op, operands) if exact else native(frame, op, operands)

    return evaluate


def _is_exact(value: Array) -> bool:
    return not isinstance(value, tuple) and is_exact(value.dtype)


@cache
def _load() -> None:
    for family in _FAMILIES:
        import_module(f"pyshardy.interpreter.exact.{family}")
