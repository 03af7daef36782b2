"""Is this StableHLO operation legal? MLIR's answer and first message, beyond counts and kinds of attributes.

``verify`` is the verifier in the rows of ``stablehlo.operations``. The rules stand in one file a family of operations,
loaded when the first operation of the family is looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

from pyshardy.dialects.stablehlo.verification.wrong import Wrong

if TYPE_CHECKING:
    from pyshardy.ir.operation import Operation
    from pyshardy.ir.types import Type
    from pyshardy.ir.verification import Verification

_FAMILIES = {
    "elementwise": (
        "abs add and atan2 cbrt ceil clamp compare complex convert cosine count_leading_zeros divide exponential "
        "exponential_minus_one floor imag is_finite log log_plus_one logistic maximum minimum multiply negate not or "
        "popcnt power real reduce_precision remainder round_nearest_afz round_nearest_even rsqrt select shift_left "
        "shift_right_arithmetic shift_right_logical sign sine sqrt subtract tan tanh uniform_dequantize "
        "uniform_quantize xor"
    ),
    "shapes": (
        "bitcast_convert broadcast broadcast_in_dim concatenate get_dimension_size iota pad reshape reverse "
        "set_dimension_size slice transpose"
    ),
    "dynamic_shapes": (
        "dynamic_broadcast_in_dim dynamic_iota dynamic_pad dynamic_reshape dynamic_slice dynamic_update_slice "
        "real_dynamic_slice"
    ),
    "sources": "constant create_token partition_id replica_id rng rng_bit_generator",
    "contractions": "dot dot_general einsum unary_einsum",
    "convolutions": "convolution dynamic_conv",
    "linear_algebra": ("batch_norm_grad batch_norm_inference batch_norm_training cholesky fft triangular_solve"),
    "gathering": "dynamic_gather gather torch_index_select",
    "scattering": "scatter",
    "reductions": "map reduce sort",
    "windowed_reductions": "reduce_window select_and_scatter",
    "collectives": (
        "all_gather all_reduce all_to_all collective_broadcast collective_permute collective_reduce cross-replica-sum "
        "reduce_scatter"
    ),
    "control_flow": "after_all async_done async_start case if optimization_barrier return while",
    "calls": "composite custom_call get_tuple_element infeed outfeed recv send tuple",
}
_FAMILY = {f"stablehlo.{name}": family for family, names in _FAMILIES.items() for name in names.split()}

_NOT_INFERRED = "failed to infer returned types"

_rules: dict[str, tuple[Callable[[Operation], None], ...]] = {}


def verify(verification: Verification, op: Operation) -> None:
    """Checks ``op``, whose counts and kinds of attributes are known to be right.

    Raises:
        VerificationError: it is not legal.
    """
    rules = _rules.get(op.name)
    if rules is None:
        rules = _rules[op.name] = _load(op.name)
    for rule in rules:
        try:
            rule(op)
        except Wrong as wrong:
            report(verification, op, wrong)


def inferred_types(op: Operation) -> list[Type] | None:
    """The types of the results as they follow from operands and properties; None if they do not.

    Raises:
        Wrong: operands or properties do not fit together.
    """
    from pyshardy.dialects.stablehlo.verification.rules import inference_of

    infer = inference_of(_load(op.name))
    return list(infer(op)) if infer is not None else None


def _load(name: str) -> tuple[Callable[[Operation], None], ...]:
    family = _FAMILY.get(name)
    if family is None:
        return ()
    found: tuple[Callable[[Operation], None], ...]
    found = import_module(f"{__name__}.{family}").RULES[name.removeprefix("stablehlo.")]
    return found


def report(verification: Verification, op: Operation, wrong: Wrong) -> NoReturn:
    """Rejects ``op`` with the diagnostics that MLIR has for what is ``wrong`` with it.

    Raises:
        VerificationError: always.
    """
    from pyshardy.ir.diagnostics import Diagnostic
    from pyshardy.ir.verification import VerificationError

    if wrong.named:
        verification.error(op, *[wrong.message, _NOT_INFERRED][: 1 + wrong.inferring])
    bare = Diagnostic("error", verification.context.position(op.location), wrong.message)
    if not wrong.inferring:
        raise VerificationError(bare)
    try:
        verification.error(op, _NOT_INFERRED)
    except VerificationError as error:
        raise VerificationError(bare, *error.diagnostics) from None


def verify_composite(verification: Verification, op: Operation) -> None:
    """Checks ``composite`` with the symbols of the module.

    Raises:
        VerificationError: it is not legal.
    """
    from pyshardy.dialects.stablehlo.verification.calls import check_composite

    try:
        check_composite(op, verification.symbols(op).get)
    except Wrong as wrong:
        report(verification, op, wrong)
