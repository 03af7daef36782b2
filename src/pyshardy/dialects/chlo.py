"""The dialect ``chlo``: operations of client programs that have no StableHLO equivalent yet, and their attributes.

The form of ``chlo.scan`` is in ``scan_text``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pyshardy.dialects.assembly import Assembly
from pyshardy.dialects.constants import parse_constant, print_constant
from pyshardy.dialects.scan_text import argument_names, parse_scan, print_scan
from pyshardy.dialects.stablehlo.attribute_text import dimension_numbers
from pyshardy.dialects.stablehlo.attributes import COMPARISON_DIRECTION, COMPARISON_TYPE, PRECISION
from pyshardy.dialects.stablehlo.verification import verify
from pyshardy.dialects.stablehlo.verification.property_kinds import kinds_of
from pyshardy.dialects.structures import DimensionNumbers
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.opdef import CONSTANT_LIKE, ELEMENTWISE, ISOLATED, PURE, RECURSIVE_EFFECTS, Dialect, OpDef

if TYPE_CHECKING:
    from pyshardy.ir.parsing.attribute_parser import AttributeParser

# --- attributes -------------------------------------------------------------------------------------------------------

_ENUMERATIONS = [one._replace(dialect="chlo") for one in (COMPARISON_DIRECTION, COMPARISON_TYPE, PRECISION)]


class RaggedDotDimensionNumbers(DimensionNumbers, mnemonic="chlo.ragged_dot", suffix="_dimension"):
    """What the dimensions of a dot product over groups of different sizes are."""

    lhs_batching: tuple[int, ...] = ()
    rhs_batching: tuple[int, ...] = ()
    lhs_contracting: tuple[int, ...] = ()
    rhs_contracting: tuple[int, ...] = ()
    lhs_ragged: tuple[int, ...] = ()
    rhs_group: tuple[int, ...] = ()


_ATTRIBUTE_READERS: dict[str, Callable[[AttributeParser], Attribute]] = {
    **{one.mnemonic: one.read_case for one in _ENUMERATIONS},
    "ragged_dot": dimension_numbers(RaggedDotDimensionNumbers, "ragged dot"),
}


def parse_attribute(parser: AttributeParser, mnemonic: str) -> Attribute:
    """The attribute ``#chlo.mnemonic…``; the parser stands behind the mnemonic.

    Raises:
        ParseError: no such attribute, or its text is wrong.
    """
    reader = _ATTRIBUTE_READERS.get(mnemonic)
    if reader is None:
        parser.error("unknown chlo attribute", at=parser.previous_end - len(mnemonic))
    return reader(parser)


# --- operations -------------------------------------------------------------------------------------------------------


def _op(
    name: str,
    form: Assembly | None,
    operands: int,
    *,
    required: str = "",
    optional: str = "",
    traits: int = PURE | ELEMENTWISE,
) -> OpDef:
    return OpDef(
        f"chlo.{name}",
        operands=operands,
        results=1,
        properties=(required + " " + optional).split(),
        required=required.split(),
        traits=traits,
        parse=form.parse if form is not None else None,
        print_=form.print_ if form is not None else None,
        kinds=kinds_of(name, {one: "integers" for one in optional.split() if one == "broadcast_dimensions"}),
        verifiers=(verify,),
        rules="chlo",
    )


_UNARY = Assembly("%0 {} : arrow-types")
_BINARY = Assembly("%0, %1 {} : arrow-types")
_BROADCASTING = Assembly("%0, %1 {} : bracketed-types")
_TOP_K = Assembly("(%0, k = <k:i64>) {} : arrow-types-to-two")

_UNARY_NAMES = (
    "_asin_acos_kernel acos acosh asin asinh atan atanh bessel_i1e conj cosh digamma erf erf_inv erfc is_inf "
    "is_neg_inf is_pos_inf lgamma sinh square tan"
)
_BINARY_NAMES = "mulhi next_after polygamma zeta"
_BROADCASTING_NAMES = (
    "add and atan2 complex divide maximum minimum multiply next_after or polygamma power remainder shift_left "
    "shift_right_arithmetic shift_right_logical subtract xor zeta"
)

DIALECT = Dialect(
    "chlo",
    [
        *(_op(name, _UNARY, 1) for name in _UNARY_NAMES.split()),
        *(_op(name, _BINARY, 2, traits=PURE) for name in _BINARY_NAMES.split()),
        *(
            _op(f"broadcast_{name}", _BROADCASTING, 2, optional="broadcast_dimensions")
            for name in _BROADCASTING_NAMES.split()
        ),
        _op(
            "broadcast_compare",
            _BROADCASTING,
            2,
            required="comparison_direction",
            optional="broadcast_dimensions compare_type",
        ),
        _op("broadcast_select", Assembly("%0, %1, %2 {} : bracketed-types"), 3),
        _op("constant_like", None, 1, required="value"),
        _op("ragged_dot", None, 3, required="ragged_dot_dimension_numbers", optional="precision_config", traits=PURE),
        OpDef(
            "chlo.constant",
            operands=0,
            results=1,
            properties=("value",),
            required=("value",),
            traits=PURE | CONSTANT_LIKE,
            parse=parse_constant,
            print_=print_constant,
        ),
        OpDef(
            "chlo.scan",
            regions=1,
            properties=("dimension", "is_associative", "is_reverse", "operandSegmentSizes", "resultSegmentSizes"),
            required=("dimension",),
            traits=RECURSIVE_EFFECTS | ISOLATED,
            parse=parse_scan,
            print_=print_scan,
            argument_names=argument_names,
        ),
        OpDef(
            "chlo.top_k",
            operands=1,
            results=2,
            properties=("k",),
            required=("k",),
            traits=PURE,
            parse=_TOP_K.parse,
            print_=_TOP_K.print_,
            kinds=kinds_of("top_k", {"k": "integer"}),
            verifiers=(verify,),
            rules="chlo",
            result_names=lambda _: ["values", "indices"],
        ),
    ],
    parse_attribute=parse_attribute,
)
