"""Models of data flow for operations of foreign dialects (loops, branches, bodies), and checks of such models.

A row takes one of these as ``data_flow``; for other operations derive a class from ``dataflow.DataFlow``.
``flow_problem`` checks either before passes rely on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pyshardy.dialects.sdy.dataflow import DataFlow, flow_of, index_of, operation_of
from pyshardy.ir.operation import Block, BlockArgument, Operation, Value
from pyshardy.ir.registry import foreign_row, foreign_rows
from pyshardy.plugins import failure_text, place_of_failure

if TYPE_CHECKING:
    from pyshardy.ir.operation import Use


def _block(op: Operation, region: int) -> Block:
    return op.regions[region].blocks[0]


class Loop(DataFlow):
    """Values that a loop hands from iteration to iteration: result i begins as operand ``first_operand`` + i, is
    argument ``first_argument`` + i of every region, and goes on as operand ``first_yield`` + i of the terminator of the
    regions ``yielding`` (by number; the last one, if nothing is said). Operands and arguments in front of the carried
    values (a bound, a counter) are whole on every device; so are those behind them, and the results (what a scan goes
    along, and collects), if only so many are ``carried``."""

    def __init__(
        self,
        *,
        first_operand: int = 0,
        first_argument: int = 0,
        first_yield: int = 0,
        yielding: Sequence[int] = (-1,),
        carried: int | None = None,
    ) -> None:
        self._operand, self._argument, self._yield = first_operand, first_argument, first_yield
        self._yielding = tuple(yielding)
        self._carried = carried

    def collects(self, index: int) -> bool:
        """Whether operand ``index`` of the terminator of an iteration is collected behind what is carried."""
        return self._carried is not None and index >= self._yield + self._carried

    def _carries(self, owner: Value) -> bool:
        return self._carried is None or index_of(owner) < self._carried

    def _result(self, op: Operation, index: int) -> Value | None:
        return _at(op.results[: self._carried], index)

    def source_uses(self, owner: Value) -> list[Use]:
        op, index = operation_of(owner), index_of(owner)
        if not self._carries(owner):
            return []
        returned = [(_block(op, region).terminator, self._yield + index) for region in self._yielding]
        return [(op, self._operand + index), *returned]

    def non_owner_targets(self, owner: Value) -> list[Value]:
        op, place = operation_of(owner), self._argument + index_of(owner)
        if not self._carries(owner):
            return []
        return [region.blocks[0].arguments[place] for region in op.regions]

    def owner_of_target(self, target: Value) -> Value | None:
        if not isinstance(target, BlockArgument):
            return target
        return self._result(operation_of(target), target.index - self._argument)

    def owner_of_source(self, op: Operation, index: int, *, by_terminator: bool) -> Value | None:
        return self._result(op, index - (self._yield if by_terminator else self._operand))


class Branches(DataFlow):
    """Result i is operand ``first_yield`` + i of the terminator of whichever region runs."""

    def __init__(self, *, first_yield: int = 0) -> None:
        self._yield = first_yield

    def source_uses(self, owner: Value) -> list[Use]:
        op, place = operation_of(owner), self._yield + index_of(owner)
        return [(region.blocks[0].terminator, place) for region in op.regions]

    def owner_of_target(self, target: Value) -> Value | None:
        return None if isinstance(target, BlockArgument) else target

    def owner_of_source(self, op: Operation, index: int, *, by_terminator: bool) -> Value | None:
        return _at(op.results, index - self._yield) if by_terminator else None


class Body(DataFlow):
    """A body that runs once: argument i of the only region is operand ``first_operand`` + i, and result i is operand i
    of its terminator."""

    def __init__(self, *, first_operand: int = 0) -> None:
        self._operand = first_operand

    def block_argument_owners(self, op: Operation) -> list[Value]:
        return list(_block(op, 0).arguments)

    def source_uses(self, owner: Value) -> list[Use]:
        op, index = operation_of(owner), index_of(owner)
        if isinstance(owner, BlockArgument):
            return [(op, self._operand + index)]
        return [(_block(op, 0).terminator, index)]

    def owner_of_source(self, op: Operation, index: int, *, by_terminator: bool) -> Value | None:
        return _at(
            op.results if by_terminator else _block(op, 0).arguments, index - (0 if by_terminator else self._operand)
        )


class Same(DataFlow):
    """No regions: result i is operand i, unchanged, and must lie as that does (a fence)."""

    def source_uses(self, owner: Value) -> list[Use]:
        return [(operation_of(owner), index_of(owner))]


def _at(values: Sequence[Value], index: int) -> Value | None:
    return values[index] if 0 <= index < len(values) else None


# --- questions --------------------------------------------------------------------------------------------------------


def runs_tensors(op: Operation) -> bool:
    """Whether ``op``, of a foreign dialect, runs its regions on tensors: values flow through them."""
    return (
        bool(op.regions) and bool(foreign_rows()) and foreign_row(op.name) is not None and flow_of(op.name) is not None
    )


def flow_problem(op: Operation) -> str | None:
    """What is wrong with the data flow of ``op``, as a sentence that goes on behind its name; None if nothing is."""
    model = flow_of(op.name)
    if model is None:
        return (
            "has the trait DATA_FLOW, but nothing says how its values flow: its row wants data_flow=Loop() or the like "
            "(pyshardy.extend)"
        )
    name, is_ours = f"cannot have the data flow {type(model).__name__}", type(model) in (Loop, Branches, Body, Same)
    if is_ours and not isinstance(model, Same) and not op.regions:
        return f"{name}: it has no regions"
    try:
        return next(_problems(op, model), None)
    # What a plugin's model does is looked at here.
    except Exception as problem:
        if is_ours and isinstance(problem, IndexError):
            return f"{name}, which names what is not there: it has {_counts(op)}"
        return f"{name}: it {failure_text(problem)}{place_of_failure(problem)}"


def _counts(op: Operation) -> str:
    """How much of everything there is in ``op`` that a data flow can name."""
    blocks = [block for region in op.regions for block in region.blocks]
    arguments = " and ".join(str(len(block.arguments)) for block in blocks) or "no"
    yielded = " and ".join(str(len(block.terminator.operands)) for block in blocks if len(block)) or "no"
    return (
        f"{len(op.operands)} operand(s), {len(op.results)} result(s), {arguments} argument(s) of its regions, and "
        f"{yielded} operand(s) of their terminators"
    )


def _problems(op: Operation, model: DataFlow) -> Iterator[str]:
    name = f"cannot have the data flow {type(model).__name__}"
    if list(model.result_owners(op)) != list(op.results):
        yield f"{name}: result_owners has to give its {len(op.results)} results"
    inside = set(op.block_arguments())
    ends = {block.terminator for region in op.regions for block in region.blocks if len(block)}
    for owner in (*model.block_argument_owners(op), *op.results):
        if isinstance(owner, BlockArgument) and owner not in inside:
            yield f"{name}: block_argument_owners gives an argument of another operation"
            continue
        what = f"{'argument' if isinstance(owner, BlockArgument) else 'result'} {index_of(owner)}"
        for source, index in model.source_uses(owner):
            if source is not op and source not in ends:
                yield f"{name}: {what} comes of '{source.name}', which is neither it nor a terminator in it"
            elif not 0 <= index < len(source.operands):
                yield f"{name}: {what} comes of operand {index} of '{source.name}', which has {len(source.operands)}"
            elif source.operands[index].type != owner.type:
                yield (
                    f"{name}: {what} is of type '{owner.type}', and operand {index} of '{source.name}', of which it "
                    f"comes, of type '{source.operands[index].type}'"
                )
        for target in model.non_owner_targets(owner):
            if target not in inside and target not in op.results:
                yield f"{name}: {what} is seen by a value that is no argument in its regions"
            elif target.type != owner.type:
                yield f"{name}: {what} is of type '{owner.type}', and is seen as '{target.type}'"
            elif model.owner_of_target(target) is not owner:
                number = index_of(target)
                yield f"{name}: owner_of_target does not lead from the argument {number} to {what}, which it is"
        if model.owner_of_target(owner) is not owner:
            yield f"{name}: owner_of_target does not lead from {what} to itself"
