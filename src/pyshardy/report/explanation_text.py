"""An explanation as text: the tensor, the chain of each axis, the blockers of others, and numbered edits.

``analysis.why`` makes explanations; ``conflict_tables`` uses the texts of edits, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from pyshardy.analysis.why.explanation import CollectiveExplanation, Explanation, TensorExplanation
from pyshardy.report.console import open_console
from pyshardy.report.words import counted, seconds_text, short_name, size_text

if TYPE_CHECKING:
    from rich.console import Console
    from rich.tree import Tree

    from pyshardy.analysis.why.chains import Chain, ChainStep
    from pyshardy.analysis.why.collective_reasons import Side
    from pyshardy.analysis.why.edits import Edit, Effect
    from pyshardy.analysis.why.explanation import Dimension, Move
    from pyshardy.ir.source_location import SourceLocation

_MOST_MOVES = 8
_NUMBERS = ("first", "second")


def print_explanation(explanation: Explanation, out: TextIO) -> None:
    """Writes one answer of ``explain``."""
    console = open_console(out)
    if isinstance(explanation, TensorExplanation):
        _print_tensor(explanation, console)
    else:
        _print_collective(explanation, console)


def _print_tensor(explanation: TensorExplanation, console: Console) -> None:
    from rich.text import Text
    from rich.tree import Tree

    shown = [explanation.name]
    if explanation.value != explanation.name:
        shown.append(explanation.value)
    shown += [explanation.type, explanation.sharding or "no sharding"]
    tree = Tree(Text("  ".join(shown), "bold"), guide_style="dim")
    if explanation.description:
        tree.add(Text(explanation.description))
    made = _made_by(explanation.operation, explanation.location)
    if made:
        tree.add(Text(made))
    if explanation.copies > 1:
        tree.add(Text(f"one of {explanation.copies} copies that passes made of it"))
    if explanation.local_type != explanation.type:
        tree.add(Text(f"on a device {explanation.local_type}"))
    for dimension in explanation.dimensions:
        _add_dimension(tree, dimension)
    _add_moves(tree, explanation.name, explanation.moves, "goes through {}")
    _add_moves(tree, explanation.name, explanation.causes, "has a part in {} of other tensors")
    console.print(tree)
    _print_edits(explanation.edits, console)


def _print_collective(explanation: CollectiveExplanation, console: Console) -> None:
    from rich.text import Text
    from rich.tree import Tree

    collective, reason = explanation.reason.collective, explanation.reason
    head = f"{explanation.question} {explanation.axes}, {counted(collective.group_size, 'device')} in a group"
    tree = Tree(Text(head, "bold"), guide_style="dim")
    each = f"each device receives {size_text(collective.bytes)}"
    if collective.turns != 1:
        each += f", {collective.turns} times" if collective.turns is not None else ", in a loop of unknown length"
    tree.add(Text(each))
    if explanation.tensor:
        tree.add(Text(f"moves {explanation.tensor}"))
    made = _made_by(reason.operation.name if reason.operation is not None else "", reason.location)
    if made:
        tree.add(Text(made.replace("made by", "needed by")))
    why = tree.add(Text(reason.text))
    for number, side in zip(_NUMBERS, (reason.first, reason.second), strict=True):
        if side is not None:
            _add_side(why, number, side)
    console.print(tree)
    _print_edits(explanation.edits, console)


def _made_by(operation: str, location: SourceLocation) -> str:
    where = " ".join(filter(None, (location.place, location.inner_scope)))
    if not operation:
        return f"at {where}" if location.line else ""
    return f"made by {short_name(operation)}" + (f" at {where}" if where else "")


# --- dimensions -------------------------------------------------------------------------------------------------------


def _add_dimension(tree: Tree, dimension: Dimension) -> None:
    from rich.text import Text

    state = "" if dimension.chains else ": not sharded"
    node = tree.add(Text(f"dimension {dimension.dim}, size {dimension.size}{state}"))
    for chain in dimension.chains:
        _add_chain(node, chain)
    for blocker in dimension.blockers:
        node.add(Text.assemble(("not ", "yellow"), (blocker.axis.body_text, "yellow"), f": {blocker.text}"))


def _add_chain(node: Tree, chain: Chain) -> None:
    from rich.text import Text

    origin = chain.origin
    written = f"written on {origin.text}: {origin.sharding.body_text}" if origin is not None else "made by the passes"
    branch = node.add(Text.assemble((chain.axis.body_text, "green"), f" {written}"))
    for step in chain.steps:
        branch.add(Text(step_text(step)))


def step_text(step: ChainStep) -> str:
    """A step in a line: ``forward through dot_general (model.py:12), from dimension 1 of %3 to dimension 0 of %7``."""
    where = " ".join(filter(None, (step.location.place, step.location.inner_scope)))
    # Members of a sharding group are related by no operation.
    operation = {"func.func": "the return", "": "their sharding group"}.get(step.operation, short_name(step.operation))
    text = f"{step.direction} through {operation}" + (f" ({where})" if where else "")
    text += f", from dimension {step.source_dim} of {step.source} to dimension {step.target_dim} of {step.target}"
    if step.priority:
        text += f", priority {step.priority}"
    if step.cut_off is not None:
        text += f"; further axes were cut off: {step.cut_off.cause}"
    return text


def _add_moves(tree: Tree, name: str, moves: Sequence[Move], what: str) -> None:
    """Adds the collectives, those that move the most bytes first, under a line that says ``what`` the tensor has to do
    with them."""
    from rich.text import Text

    if not moves:
        return
    total = sum(one.reason.collective.run_bytes for one in moves)
    node = tree.add(Text(f"{what.format(counted(len(moves), 'collective'))}, {size_text(total)} for each device"))
    for move in sorted(moves, key=lambda one: -one.reason.collective.run_bytes)[:_MOST_MOVES]:
        collective = move.reason.collective
        axes = ", ".join(one.body_text for one in collective.axes)
        place = move.reason.location.place
        where = f" ({place})" if place else ""
        turns = "" if collective.turns == 1 else f", {turns_text(collective.turns)}"
        size = f"{size_text(collective.bytes)}{turns}"
        line = node.add(Text(f"{move.question} {{{axes}}} {size}{where}: {move.reason.text}"))
        for side in (move.reason.first, move.reason.second):
            if side is not None and side.tensor != name:
                line.add(Text(f"{side.tensor}: {side.text}"))
    if len(moves) > _MOST_MOVES:
        node.add(Text(f"… and {len(moves) - _MOST_MOVES} more (--json lists all)"))


def turns_text(turns: int | None) -> str:
    """How often a collective runs in its loops, as text."""
    return "in each iteration of a loop" if turns is None else f"{turns} times"


def _add_side(node: Tree, number: str, side: Side) -> None:
    from rich.text import Text

    if side.axis is None:
        node.add(Text(f"{number}: {side.tensor} {side.sharding}, {side.text}"))
        return
    written = f"dimension {side.dim} of {side.tensor} {side.sharding} has {side.axis.body_text}, {side.text}"
    branch = node.add(Text(f"{number}: {written}"))
    for step in side.chain.steps if side.chain is not None else ():
        branch.add(Text(step_text(step)))


# --- edits ------------------------------------------------------------------------------------------------------------


def _print_edits(edits: Sequence[Edit], console: Console) -> None:
    if not edits:
        return
    console.print("what would change it (tried):", markup=False)
    for number, edit in enumerate(edits, 1):
        console.print(f"  {number}. {edit.text}", markup=False)
        console.print(f"     {effect_text(edit.effect)}", markup=False)


def effect_text(effect: Effect) -> str:
    """The effects of an edit, in a line."""
    before, after = effect.bytes_moved_in_a_run_before, effect.bytes_moved_in_a_run
    return (
        f"{_changed_seconds(effect)}each device receives {_changed(before, after)}, peak of memory "
        f"{_changed(effect.peak_memory_before, effect.peak_memory)}, "
        f"{counted(effect.changed_tensors, 'tensor')} sharded otherwise"
    )


def _changed_seconds(effect: Effect) -> str:
    """The change of the expected time of a step; empty without hardware."""
    if effect.seconds is None or effect.seconds_before is None:
        return ""
    now, before = seconds_text(effect.seconds), seconds_text(effect.seconds_before)
    return f"a step is expected to take {now}{' as before' if now == before else f' instead of {before}'}, "


def _changed(before: float, after: float) -> str:
    if before == after:
        return f"{size_text(before)} as before"
    if size_text(before) == size_text(after):
        return f"{size_text(after)}, {size_text(abs(after - before))} {'less' if after < before else 'more'}"
    return f"{size_text(after)} instead of {size_text(before)}"
