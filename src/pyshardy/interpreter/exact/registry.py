"""Which evaluator works on exact numbers: the natural one where it only moves elements, one made for them, or any other
on doubles, as a function about which nothing else is known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, TypeVar

from pyshardy.dialects.sdy.names import IDENTITIES
from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.exact.numbers import is_exact
from pyshardy.interpreter.registry import Evaluator

if TYPE_CHECKING:
    from pyshardy.interpreter.frame import Frame
    from pyshardy.ir.operation import Operation

_E = TypeVar("_E", bound=Evaluator)
_evaluators: dict[str, Evaluator] = {}
_FAMILIES = ("contractions", "conversion", "elementwise", "functions", "matrices", "normalization")

_MOVES = """
after_all all_gather all_reduce all_to_all async_done async_start broadcast broadcast_in_dim case
collective_broadcast collective_permute collective_reduce compare composite concatenate create_token
cross-replica-sum dynamic_broadcast_in_dim dynamic_gather dynamic_pad dynamic_reshape dynamic_slice
dynamic_update_slice gather get_dimension_size get_tuple_element if infeed map optimization_barrier outfeed pad
partition_id real_dynamic_slice recv reduce reduce_scatter reduce_window replica_id reshape reverse scatter select
select_and_scatter send set_dimension_size slice sort torch_index_select transpose tuple uniform_dequantize
uniform_quantize while rng_bit_generator constant
"""
MOVES = (
    {f"stablehlo.{name}" for name in _MOVES.split()}
    | set(IDENTITIES)
    | {f"sdy.{name}" for name in ("constant", "manual_computation", "named_computation", "sharding_group")}
    | {f"tensor.{name}" for name in ("cast", "dim", "empty", "extract", "from_elements", "rank", "reshape", "splat")}
    | {
        "arith.cmpf",
        "arith.constant",
        "arith.select",
        "builtin.unrealized_conversion_cast",
        "chlo.constant",
        "chlo.scan",
    }
    | {"chlo.top_k", "func.call", "shape.shape_of"}
)
"""Operations whose natural evaluators take elements of any kind: they move them, or leave the computing to a body, to
``operations.reductions`` or ``operations.comparison``, which know exact numbers."""


def exactly(*names: str) -> Callable[[_E], _E]:
    """Registers a function as the evaluator of operations ``names`` if an operand or result is an exact number."""

    def register(function: _E) -> _E:
        for name in names:
            _evaluators[name] = function
        return function

    return register


def stand_in(name: str, natural: Evaluator | None) -> Evaluator | None:
    """The evaluator of operation ``name`` for exact numbers; ``natural`` is the one of ``operations``."""
    _load()
    if natural is None or name in MOVES or name.startswith(("shape.", "check.", "interpreter.")):
        return natural
    made = _evaluators.get(name)
    if made is None:
        from pyshardy.interpreter.exact.opaque import as_function

        made = as_function(name, natural)
    return _where_exact(made, natural)


def _where_exact(made: Evaluator, natural: Evaluator) -> Evaluator:
    def evaluate(frame: Frame, op: Operation, operands: list[Array]) -> Sequence[Array]:
        exact = any(map(_is_exact, operands)) or any(
            is_exact(frame.array_type(result.type)) for result in op.results if hasattr(result.type, "element")
        )
        return made(frame, op, operands) if exact else natural(frame, op, operands)

    return evaluate


def _is_exact(value: Array) -> bool:
    return not isinstance(value, tuple) and is_exact(value.dtype)


@cache
def _load() -> None:
    for family in _FAMILIES:
        import_module(f"pyshardy.interpreter.exact.{family}")
