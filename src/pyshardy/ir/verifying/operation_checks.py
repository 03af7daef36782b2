"""Checks one operation: its definition, its traits, and the verifiers of both.

``verifier`` decides which operations are checked. Each of these functions rejects through ``verification``.
"""

from __future__ import annotations

from pyshardy.ir.diagnostics import Diagnostic
from pyshardy.ir.opdef import NO_TERMINATOR, SAME_TYPE, SINGLE_BLOCK, SYMBOL, SYMBOL_TABLE, TERMINATOR, OpDef
from pyshardy.ir.operation import Block, Operation
from pyshardy.ir.registry import dialect
from pyshardy.ir.verifying.verification import Verification, VerificationError


def check_attributes(verification: Verification, op: Operation) -> None:
    """Checks the discardable attributes of ``op``, each by the dialect in its name.

    Raises:
        VerificationError: one of them is wrong.
    """
    for name, value in op.attributes.entries.items():
        namespace, dot, _ = name.partition(".")
        if dot:
            home = dialect(namespace)
            if home is not None and home.verify_attribute is not None:
                home.verify_attribute(verification, op, name, value)


def check_operation(verification: Verification, op: Operation) -> None:
    """Checks ``op`` without what is in its regions.

    Raises:
        VerificationError: it is wrong.
    """
    check_attributes(verification, op)
    definition = op.definition
    if definition is None:
        _check_unregistered(verification, op)
    else:
        _check_counts(verification, op, definition)
        for verifier in definition.verifiers:
            verifier(verification, op)
    if op.successors and not op.traits & TERMINATOR and definition is not None:
        verification.error(op, "successors in non-terminator", prefix=False)


def _check_unregistered(verification: Verification, op: Operation) -> None:
    namespace, dot, _ = op.name.partition(".")
    home = dialect(namespace) if dot else None
    if home is not None and not home.partial:
        found = f"unregistered operation '{op.name}' found in dialect ('{namespace}')"
        verification.error(op, f"{found} that does not allow unknown operations", prefix=False)


def _check_counts(verification: Verification, op: Operation, definition: OpDef) -> None:
    regions, results, operands = len(op.regions), len(op.results), len(op.operands)
    if regions != definition.regions:
        _check_count(verification, op, "region", regions, definition.regions)
    if results != definition.results:
        _check_count(verification, op, "result", results, definition.results)
    if operands != definition.operands:
        _check_count(verification, op, "operand", operands, definition.operands)
    for name in definition.required:
        if name not in op.properties.entries:
            verification.error(op, f"requires attribute '{name}'")
    for name, kind in definition.kinds.items():
        value = op.properties.entries.get(name)
        if value is not None and not kind.accepts(value):
            verification.error(op, f"attribute '{name}' failed to satisfy constraint: {kind.summary}")
    traits = definition.traits
    if traits & TERMINATOR and op.parent is not None and op.parent.last is not op:
        not_last(verification, op)
    if traits & SYMBOL:
        _check_symbol(verification, op)
    if traits & SAME_TYPE:
        types = {value.type for value in (*op.operands, *op.results)}
        if len(types) > 1:
            verification.error(op, "requires the same type for all operands and results")
    if traits & SINGLE_BLOCK:
        for index, region in enumerate(op.regions):
            if len(region.blocks) > 1:
                verification.error(op, f"expects region #{index} to have 0 or 1 blocks")


def _check_symbol(verification: Verification, op: Operation) -> None:
    visibility = op.properties.entries.get("sym_visibility")
    if visibility is not None and str(visibility) not in ('"public"', '"private"', '"nested"'):
        choice = '["public", "private", "nested"]'
        verification.error(op, f"visibility expected to be one of {choice}, but got {visibility}")
    parent = op.parent_op
    if parent is not None and op.symbol_name is not None and not parent.traits & SYMBOL_TABLE:
        verification.error(op, "symbol's parent must have the SymbolTable trait")


def _check_count(
    verification: Verification, op: Operation, what: str, found: int, bounds: int | tuple[int, int | None]
) -> None:
    if isinstance(bounds, int):
        if found == bounds:
            return
        if what == "operand" and bounds > 1:
            verification.error(op, f"expected {bounds} operands, but found {found}")
        if bounds == 0:
            verification.error(op, f"requires zero {what}s")
        if bounds == 1:
            verification.error(op, "requires a single operand" if what == "operand" else f"requires one {what}")
        verification.error(op, f"expected {bounds} {what}s")
    least, most = bounds
    if found < least or (most is not None and found > most):
        if most is None or found < least:
            counted = f", but found {found}" if what == "operand" else ""
            verification.error(op, f"expected {least} or more {what}s{counted}")
        verification.error(op, f"expected at most {most} {what}s, but found {found}")


def check_block(verification: Verification, block: Block) -> None:
    """Checks that ``block`` ends as the operation around it wants.

    Raises:
        VerificationError: it does not.
    """
    owner = block.parent_op
    if owner is None or owner.definition is None or owner.definition.traits & NO_TERMINATOR:
        return
    last = block.last
    if last is None:
        position = verification.context.position(owner.location)
        raise VerificationError(Diagnostic("error", position, "empty block: expect at least a terminator"))
    if last.definition is not None and not last.traits & TERMINATOR:
        from pyshardy.ir.printing.program_text import quoted_operation

        verification.error(last, f"block with no terminator, has {quoted_operation(last)}", prefix=False)


def not_last(verification: Verification, terminator: Operation) -> None:
    """Says that ``terminator`` is not the last operation of its block."""
    verification.error(terminator, "must be the last operation in the parent block")
