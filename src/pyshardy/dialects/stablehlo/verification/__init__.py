"""Is this StableHLO operation legal? MLIR's answer and first message, beyond counts and kinds of attributes.

``verify`` is the verifier in the rows of ``stablehlo.operations``. A row has its rules, or names the file of its family
that has them, which is loaded when the first operation of the family is looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NoReturn

from pyshardy.dialects.stablehlo.verification.wrong import Wrong

if TYPE_CHECKING:
    from pyshardy.ir.opdef import OpDef
    from pyshardy.ir.operation import Operation
    from pyshardy.ir.types import Type
    from pyshardy.ir.verifying.verification import Verification

_NOT_INFERRED = "failed to infer returned types"


def verify(verification: Verification, op: Operation) -> None:
    """Checks ``op``, whose counts and kinds of attributes are known to be right.

    Raises:
        VerificationError: it is not legal.
    """
    for rule in _rules_of(op.definition):
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

    infer = inference_of(_rules_of(op.definition))
    return list(infer(op)) if infer is not None else None


def _rules_of(row: OpDef | None) -> tuple[Callable[[Operation], None], ...]:
    if row is None:
        return ()
    rules = row.rules
    if isinstance(rules, str):
        family = __import__(f"{__name__}.{rules}", fromlist=("RULES",))
        rules = row.rules = family.RULES.get(row.name.removeprefix("stablehlo."), ())
    return rules


def report(verification: Verification, op: Operation, wrong: Wrong) -> NoReturn:
    """Rejects ``op`` with the diagnostics that MLIR has for what is ``wrong`` with it.

    Raises:
        VerificationError: always.
    """
    from pyshardy.ir.diagnostics import Diagnostic
    from pyshardy.ir.verifying.verification import VerificationError

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
