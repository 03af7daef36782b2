"""Registers and checks the rows of a foreign dialect while its plugin is loaded.

A mistake in a row is an error that names it at that time, not when a program is read. Rows get the verifiers that
follow from their traits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pyshardy.dialects.sdy.dataflow import DataFlow
from pyshardy.dialects.sdy.region_flow import flow_problem
from pyshardy.dialects.stablehlo.collective_kinds import COLLECTIVE_KINDS
from pyshardy.extend.forms import form_problems, guard_form
from pyshardy.ir import registry
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.opdef import COLLECTIVE, CONSTANT_LIKE, DATA_FLOW, ELEMENTWISE, CollectiveDef, Dialect, OpDef
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import TensorType
from pyshardy.ir.verifying.verification import Verification, VerificationError
from pyshardy.plugins import failure_text, place_of_failure
from pyshardy.propagation.directions import PRIORITIES
from pyshardy.rules.reducers import KINDS

_FUNCTIONS = (
    "adapts", "cost", "evaluator", "exact_evaluator", "is_pure", "localizer", "parse", "print_", "rule", "turns"
)  # fmt: skip
_NATIVE = "function"


def register_dialect(new: Dialect) -> None:
    """Adds a foreign dialect, whose rows say all that pyshardy knows of its operations.

    Raises:
        ValueError: something in a row cannot be; the dialect is one of pyshardy's, or another plugin's.
    """
    if registry.is_ours(new.name):
        raise ValueError(f"'{new.name}' is a dialect of pyshardy")
    for row in new.definitions.values():
        if row.traits & CONSTANT_LIKE and row.operands == (0, None):
            row.operands = 0
        problem = next(_problems(new, row), None)
        if problem is not None:
            raise ValueError(f"the row of '{row.name}': {problem}")
        guard_form(row)
        row.verifiers = (*map(_guarded, row.verifiers), *_verifiers(row))
    registry.register_dialect(new)


def _problems(dialect: Dialect, row: OpDef) -> Iterator[str]:
    if not row.name.startswith(f"{dialect.name}."):
        yield f"its name does not begin with '{dialect.name}.'"
    for field in ("operands", "results", "regions"):
        if not _is_count(getattr(row, field)):
            yield f"{field}={getattr(row, field)!r} is no count: a number, or (least, most) with None for any"
    yield from form_problems(row)
    if row.rules:
        yield "rules is a field of the dialects of pyshardy; rule is expected"
    if not all(map(callable, row.verifiers)):
        yield "verifiers holds what is no function"
    missing = [name for name in row.required if name not in row.properties]
    if missing:
        yield f"required names {missing[0]!r}, which is not among its properties"
    for field in _FUNCTIONS:
        value = getattr(row, field)
        if value is not None and not callable(value) and not hasattr(value, _NATIVE):
            yield f"{field} is {value!r}, and a function is expected"
    if row.data_flow is not None and not isinstance(row.data_flow, DataFlow):
        yield f"data_flow is {row.data_flow!r}, and Loop(), Branches(), Body(), Same() or your own DataFlow is expected"
    yield from _wrong_choices(row)
    if row.collective is not None and not isinstance(row.collective, CollectiveDef):
        yield f"collective is {row.collective!r}, and a CollectiveDef is expected"
    elif row.collective is None and row.traits & COLLECTIVE:
        yield "COLLECTIVE wants collective=CollectiveDef(kind), which says how devices talk"
    if row.traits & ELEMENTWISE and row.traits & DATA_FLOW:
        yield "what is elementwise has no data flow"
    if row.traits & CONSTANT_LIKE and row.operands not in (0, (0, 0)):
        yield "CONSTANT_LIKE is for operations without operands; operands=0 is expected"


def _wrong_choices(row: OpDef) -> Iterator[str]:
    kind = row.collective.kind if isinstance(row.collective, CollectiveDef) else None
    for field, value, choices in (
        ("combines", None if callable(row.combines) else row.combines, sorted(KINDS.values())),
        ("priority", row.priority, sorted(PRIORITIES)),
        ("the kind of collective", kind, sorted(COLLECTIVE_KINDS)),
    ):
        if value is not None and value not in choices:
            yield f"{field} is {value!r}, one of {', '.join(choices)} is expected"


def _is_count(value: object) -> bool:
    if isinstance(value, tuple):
        least, most = value if len(value) == 2 else (None, None)
        return isinstance(least, int) and (most is None or (isinstance(most, int) and most >= least)) and least >= 0
    return isinstance(value, int) and value >= 0


Verifier = Callable[[Verification, Operation], None]


def _guarded(verifier: Verifier) -> Verifier:
    """The verifier, a plugin's: an error that it raises itself is one at the operation."""

    def verify(verification: Verification, op: Operation) -> None:
        try:
            verifier(verification, op)
        except (VerificationError, PyshardyError):
            raise
        except Exception as problem:
            place = place_of_failure(problem, verifier)
            verification.error(op, f"cannot be verified: its verifier{place} {failure_text(problem)}")

    return verify


def _verifiers(row: OpDef) -> Iterator[Verifier]:
    if row.traits & ELEMENTWISE:
        yield _has_one_shape
    if row.traits & DATA_FLOW:
        yield _data_flows


def _has_one_shape(verification: Verification, op: Operation) -> None:
    """What works on elements has operands and results of one shape, or operands that are scalars."""
    shapes = {value.type.shape for value in op.operands if isinstance(value.type, TensorType) and value.type.shape}
    shapes |= {value.type.shape for value in op.results if isinstance(value.type, TensorType)}
    if len(shapes) > 1:
        verification.error(op, "is elementwise, so its operands and results must have one shape, or be scalars")


def _data_flows(verification: Verification, op: Operation) -> None:
    problem = flow_problem(op)
    if problem is not None:
        verification.error(op, problem)
