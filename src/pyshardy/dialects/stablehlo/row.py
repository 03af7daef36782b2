"""The parts of a row of the dialect ``stablehlo``: counts, text form, attributes, traits, rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from pyshardy.dialects.assembly import Assembly
from pyshardy.dialects.constants import parse_constant_or_old_form
from pyshardy.dialects.stablehlo import notations
from pyshardy.dialects.stablehlo.attributes import ResultAccuracy
from pyshardy.dialects.stablehlo.verification import verify
from pyshardy.dialects.stablehlo.verification.property_kinds import kinds_of
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import ArrayAttr, DictionaryAttr, IntegerAttr
from pyshardy.ir.opdef import PURE, OpDef
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import I32, IntegerType

if TYPE_CHECKING:
    from pyshardy.ir.explicit_stack import Steps
    from pyshardy.ir.parsing.parser import OperationState, Parser
    from pyshardy.ir.printing.printer import Printer
    from pyshardy.ir.verifying.verification import Verification

    Reader = Callable[[Parser, OperationState], Steps | None]
    Writer = Callable[[Printer, Operation], Steps | None]

Count = int | tuple[int, int | None]
Rules = str | tuple[Callable[[Operation], None], ...]


def row(
    name: str,
    form: Assembly | str | tuple[Reader, Writer] | None,
    operands: Count = 1,
    results: Count = 1,
    *,
    required: str = "",
    optional: str = "",
    traits: int = PURE,
    regions: Count = 0,
    is_pure: Callable[[Operation], bool] | None = None,
    result_names: str | Callable[[Operation], list[str]] = "",
    argument_names: Callable[[Operation, int], list[str]] | None = None,
    symbol_verifiers: tuple[Callable[[Verification, Operation], None], ...] = (),
    rules: Rules = (),
) -> OpDef:
    """The row of ``stablehlo.name``. Names of properties and of results are separated by spaces; behind a new
    property stands what it may hold (``gather_dim:index``, see ``verification.property_kinds``). The ``form`` is a
    string that says it all, or a function that reads it and one that writes it."""
    if isinstance(form, str):
        form = Assembly(form, notations=notations.NOTATIONS, parts=notations.PARTS)
    parse, print_ = (form.parse, form.print_) if isinstance(form, Assembly) else form or (None, None)
    kinds = {one.partition(":")[0]: one.partition(":")[2] for one in (required + " " + optional).split()}
    return OpDef(
        f"stablehlo.{name}",
        operands=operands,
        results=results,
        regions=regions,
        properties=list(kinds),
        required=[one.partition(":")[0] for one in required.split()],
        traits=traits,
        parse=parse,
        print_=print_,
        types_alike=isinstance(form, Assembly) or parse is parse_constant_or_old_form,
        elides=_elided_accuracy if optional == _ACCURACY else _ELIDED.get(name),
        is_pure=is_pure,
        result_names=_fixed(result_names.split()) if isinstance(result_names, str) else result_names,
        argument_names=argument_names,
        kinds=kinds_of(name, kinds),
        verifiers=(verify,),
        symbol_verifiers=symbol_verifiers,
        rules=rules,
    )


def family(name: str, *rows: OpDef) -> Iterable[OpDef]:
    """``rows`` whose rules stand in the file ``verification.name``."""
    for one in rows:
        one.rules = name
    return rows


def _fixed(names: list[str]) -> Callable[[Operation], list[str]] | None:
    return (lambda _: names) if names else None


# --- defaults that the pretty form leaves out -------------------------------------------------------------------------

_ACCURACY = "result_accuracy"


def _elided_accuracy(op: Operation) -> Iterable[str]:
    value = op.properties.get(_ACCURACY)
    return (_ACCURACY,) if isinstance(value, ResultAccuracy) and value.is_default else ()


def _elided_in_cholesky(op: Operation) -> Iterable[str]:
    value = op.properties.get("lower")
    return ("lower",) if isinstance(value, IntegerAttr) and not value.value else ()


def _elided(defaults: dict[str, Attribute]) -> Callable[[Operation], Iterable[str]]:
    return lambda op: [name for name, default in defaults.items() if op.properties.get(name) is default]


_ELIDED = {
    "cholesky": _elided_in_cholesky,
    "composite": _elided({"composite_attributes": DictionaryAttr(), "version": IntegerAttr(0, I32)}),
    "custom_call": _elided(
        {
            "api_version": IntegerAttr(1, I32),
            "called_computations": ArrayAttr(),
            "has_side_effect": IntegerAttr(0, IntegerType(1)),
            "output_operand_aliases": ArrayAttr(),
        }
    ),
}
