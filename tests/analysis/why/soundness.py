"""Holds every answer of ``explain`` about a program against what propagation really did: the journal, replayed.

``disagreements`` asks about each axis of each tensor, and about each that did not come. Chains are looked up in the
replay from their end: each step has to be a change of the journal in which the tensor gained the axis while the other
one had it, before the step that follows; the origin has to stand in the given program. ``test_soundness`` and ``fuzz``
run this over programs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from pyshardy import run_passes
from pyshardy.analysis.why import failed_conditions as failed
from pyshardy.analysis.why.annotations import Annotation, Annotations
from pyshardy.analysis.why.blocking_annotations import Blocker
from pyshardy.analysis.why.chains import ACROSS, BACKWARD, DIRECTIONS, FORWARD, GROUP, Chain, ChainStep
from pyshardy.analysis.why.explainer import Explainer
from pyshardy.analysis.why.numbering import Numbering
from pyshardy.analysis.why.traced_program import TracedProgram
from pyshardy.dialects.sdy import placement
from pyshardy.dialects.sdy.placement import FunctionResult
from pyshardy.ir.operation import BlockArgument, Value
from pyshardy.ir.pipeline_text import expanded
from pyshardy.module import Module
from pyshardy.passes.propagation_pipeline import PropagationPipeline, chlo_rules_of
from pyshardy.propagation.handovers import Handover
from pyshardy.propagation.journal import Change
from pyshardy.propagation.sharding_table import ShardingSlot
from pyshardy.sharding.axes import AxisRef, overlaps
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.rule import factor_symbol
from pyshardy.sharding.tensor import TensorSharding, TensorShardingPerValue

_PROPAGATION = expanded(PropagationPipeline(inserts_reshards=False))
"""What ``pyshardy.propagate`` runs, but for the reshards: the passes that insert those move shardings with them."""

Part = tuple[int, int]
"""A part of an axis, from one pre-size to the next."""


@dataclass(frozen=True)
class _Gain:
    """Change number ``number`` gave ``slot``, tensor number ``index`` of its rule, another sharding."""

    number: int
    change: Change
    index: int
    slot: ShardingSlot
    before: TensorSharding | None
    after: TensorSharding


class _Replay:
    """The journal of ``traced``, done again."""

    def __init__(self, explainer: Explainer) -> None:
        self.explainer = explainer
        self.traced = explainer.traced
        self.gains: list[_Gain] = []
        self.problems: list[str] = []
        self._state: dict[ShardingSlot, TensorSharding | None] = {}
        annotations, priority = Annotations(self.traced, explainer.names), 0
        for number, change in enumerate(self.traced.journal.changes):
            if change.user_priority != priority:
                # Between two priorities dimensions of the later one are restored.
                self._state.clear()
                priority = change.user_priority
            self._change(number, change)
        for slot, sharding in self._state.items():
            own = annotations.at(slot)
            if own is not None and any((dim.priority or 0) > priority for dim in own.sharding.dims):
                continue
            if sharding is not self.traced.sharding(slot):
                there = self.traced.sharding(slot)
                self.problems.append(f"{self.name(slot)} ends as {sharding} in the journal, and as {there}")
        self._by_name: dict[str, list[_Gain]] = {}
        for gain in self.gains:
            self._by_name.setdefault(self.name(gain.slot), []).append(gain)

    def name(self, slot: ShardingSlot) -> str:
        return self.explainer.names.of_slot(slot)

    def _change(self, number: int, change: Change) -> None:
        for slot, held in zip(change.action.slots, change.held, strict=True):
            known = self._state.get(slot, held) if slot is not None else held
            if known is not held and (known is not None or held is None or held.has_axes):
                self.problems.append(f"change {number} begins with {held}, the journal has {known}")
        for index, new in change.written:
            members = change.action.grouped[index] if change.action.grouped is not None else ()
            for slot in (change.action.slots[index], *members):
                if slot is not None:
                    is_first = slot not in self._state
                    slots = change.action.slots
                    seen = slots.index(slot) if slot in slots else index
                    before = change.held[seen] if is_first else self._state[slot]
                    self.gains.append(_Gain(number, change, index, slot, before, new))
                    self._state[slot] = new

    # --- chains -------------------------------------------------------------------------------------------------------

    def chain(self, slot: ShardingSlot, dim: int, chain: Chain) -> Iterator[str]:
        """What is wrong with ``chain``, that of an axis in dimension ``dim`` of ``slot``."""
        target, target_dim, before = self.name(slot), dim, len(self.traced.journal.changes)
        for number, step in reversed(list(enumerate(chain.steps))):
            if (step.target, step.target_dim) != (target, target_dim):
                yield f"step {number} ends at dimension {step.target_dim} of {step.target}"
            if step.direction not in DIRECTIONS:
                yield f"step {number} goes {step.direction}"
            found = self._number_of(step, chain.axis, before)
            if found is None:
                yield f"step {number} is none that propagation made: {step}"
                return
            target, target_dim, before = step.source, step.source_dim, found + (step.direction == GROUP)
        yield from self._origin(chain, target, target_dim)

    def _number_of(self, step: ChainStep, axis: AxisRef, before: int) -> int | None:
        """The number of the last change before ``before`` that ``step`` is; -1 if it is a handover."""
        if step.pass_name != "sdy-user-priority-propagate" or not step.rule:
            handed = any(self._is_handover(step, axis, one) for one in self.traced.journal.handovers)
            if handed:
                return -1
        for gain in reversed(self._by_name.get(step.target, ())):
            if gain.number < before and self._is_change(step, axis, gain):
                return gain.number
        return None

    def _is_handover(self, step: ChainStep, axis: AxisRef, handover: Handover) -> bool:
        dims = handover.sharding.dims
        return (
            self.name(handover.value) == step.target
            and handover.pass_name == step.pass_name
            and any(overlaps(one, axis) for one in dims[step.target_dim].axes)
            and step.target_dim == step.source_dim
        )

    def _is_change(self, step: ChainStep, axis: AxisRef, gain: _Gain) -> bool:
        change, mesh = gain.change, self.mesh(gain.after)
        before, after = (_parts(one, step.target_dim, axis, mesh) for one in (gain.before, gain.after))
        gained = _without(after, before)
        if not gained or (change.user_priority, change.op_priority) != (step.priority, step.op_priority):
            return False
        if step.direction == GROUP:
            leader = change.action.slots[gain.index]
            return leader is not None and leader is not gain.slot and self.name(leader) == step.source
        rule = change.action.spec.rule
        operands = len(rule.operand_mappings)
        for source, slot in enumerate(change.action.slots):
            seen = change.shardings[source]
            if slot is None or source == gain.index or seen is None or self.name(slot) != step.source:
                continue
            factors = set(rule.tensor_mappings[source][step.source_dim])
            factors &= set(rule.tensor_mappings[gain.index][step.target_dim])
            across = (source < operands) == (gain.index < operands)
            direction = ACROSS if across else FORWARD if source < operands else BACKWARD
            if (
                step.factor in map(factor_symbol, factors)
                and seen.body_text == step.source_sharding
                and rule.body_text == step.rule
                and direction == step.direction
                and any(_overlap(gained[-1], one) for one in _parts(seen, step.source_dim, axis, mesh))
            ):
                return True
        return False

    def _origin(self, chain: Chain, target: str, dim: int) -> Iterator[str]:
        origin = chain.origin
        if origin is None:
            yield f"{chain.axis.body_text} has no origin"
            return
        if chain.origin_dim != dim:
            yield f"the origin has the axis in dimension {chain.origin_dim}, the first step in dimension {dim}"
        if origin.sharding not in _shardings_there(origin, self.traced):
            yield f"the program has not {origin.sharding} on {origin.text}"
        if not any(overlaps(one, chain.axis) for one in origin.sharding.dims[dim].axes):
            yield f"{origin.text} does not name {chain.axis.body_text} in dimension {dim}"
        if origin.name != target and origin.kind != "manual computation" and origin.kind != "result":
            yield f"the origin is called {origin.name}, the first step starts from {target}"

    def mesh(self, sharding: TensorSharding) -> Mesh:
        found = self.traced.mesh(sharding)
        assert found is not None
        return found


def _parts(sharding: TensorSharding | None, dim: int, axis: AxisRef, mesh: Mesh) -> list[Part]:
    """What dimension ``dim`` is sharded along of ``axis``."""
    found = []
    for one in sharding.dims[dim].axes if sharding is not None and dim < sharding.rank else ():
        if one.name == axis.name:
            low, high = max(one.pre, axis.pre), min(one.end(mesh), axis.end(mesh))
            if low < high:
                found.append((low, high))
    return found


def _without(parts: list[Part], others: list[Part]) -> list[Part]:
    """What ``parts`` have and ``others`` have not, cut wherever one of them begins or ends."""
    cuts = sorted({end for part in (*parts, *others) for end in part})
    pieces = list(pairwise(cuts))
    return [one for one in pieces if _has(parts, one) and not _has(others, one)]


def _overlap(part: Part, other: Part) -> bool:
    return part[0] < other[1] and other[0] < part[1]


def _has(parts: list[Part], piece: Part) -> bool:
    return any(low <= piece[0] and piece[1] <= high for low, high in parts)


def _shardings_there(origin: Annotation, traced: TracedProgram) -> list[TensorSharding | None]:
    """The shardings that the given program has at an annotation, read off it."""
    given = origin.given
    if isinstance(given, FunctionResult):
        return [placement.function_result_sharding(given.func, given.number)]
    op = given.owner.parent_op if isinstance(given, BlockArgument) else given.defining_op
    assert op is not None
    found: list[TensorSharding | None] = []
    for name in ("in_shardings", "out_shardings"):
        listed = op.properties.get(name)
        if isinstance(listed, TensorShardingPerValue):
            found += listed
    slot = placement.shardable_value(given)
    return [*found, placement.stored_sharding(slot) if slot is not None else None]


# --- a whole program --------------------------------------------------------------------------------------------------


@dataclass
class Counts:
    """How much was held against the replay."""

    tensors: int
    chains: int
    steps: int
    causes: Counter[str]


def tensors_of(traced: TracedProgram) -> Iterator[tuple[Value | FunctionResult, ShardingSlot]]:
    """Each tensor of the given program with each place where its sharding stood."""
    given: list[Value | FunctionResult] = [*traced.given_values()]
    given += [FunctionResult(traced.main, number) for number in range(traced.result_count)]
    for one in given:
        for slot in traced.slots(one):
            yield one, slot


def disagreements(explainer: Explainer, counts: Counts | None = None) -> Iterator[str]:
    """What ``explainer`` says of its program that is not so."""
    traced = explainer.traced
    replay = _Replay(explainer)
    yield from replay.problems
    for _, slot in tensors_of(traced):
        if counts is not None:
            counts.tensors += 1
        name = replay.name(slot)
        for dimension in explainer.dimensions(slot):
            sharding = traced.final_sharding(slot)
            axes = sharding.dims[dimension.dim].axes if sharding is not None and sharding.rank else ()
            if tuple(one.axis for one in dimension.chains) != axes:
                yield f"dimension {dimension.dim} of {name}: chains of {dimension.chains}, axes {axes}"
            for chain in dimension.chains:
                for problem in replay.chain(slot, dimension.dim, chain):
                    yield f"dimension {dimension.dim} of {name}: {problem}"
                if counts is not None:
                    counts.chains += 1
                    counts.steps += len(chain.steps)
            for blocker in dimension.blockers:
                for problem in _obstacle(blocker, axes, traced):
                    yield f"dimension {dimension.dim} of {name}, not {blocker.axis.body_text}: {problem}"
                if counts is not None:
                    counts.causes[blocker.cause] += 1


def _obstacle(blocker: Blocker, axes: tuple[AxisRef, ...], traced: TracedProgram) -> Iterator[str]:
    if blocker.cause not in failed.CAUSES:
        yield f"{blocker.cause} is no cause"
    if not blocker.text:
        yield f"{blocker.cause} without words"
    if blocker.axis in axes:
        yield "the axis is there"
    if blocker.by is not None and blocker.by.sharding not in _shardings_there(blocker.by, traced):
        yield f"the program has not {blocker.by.sharding} on {blocker.by.text}"


def differences_from_propagation(explainer: Explainer) -> Iterator[str]:
    """Tensors that another run of propagation, without a journal, shards otherwise than ``explainer`` says."""
    traced = explainer.traced
    numbering = Numbering(traced.source)
    program = numbering.copy()
    with chlo_rules_of(program.context, True):
        run_passes(program, _PROPAGATION)
    found: dict[Value, set[TensorSharding | None]] = {}
    for value in _values(program):
        given = numbering.value(value)
        if given is not None:
            found.setdefault(given, set()).add(_with_axes(placement.held_sharding(value)))
    main = next(op for op in program.op.body if op.symbol_name == traced.main.symbol_name)
    for number in range(traced.result_count):
        there = placement.function_result_sharding(main, number)
        slot = traced.slots(FunctionResult(traced.main, number))[0]
        if _with_axes(there) is not _with_axes(traced.final_sharding(slot)):
            yield f"result {number}: {there} instead of {traced.final_sharding(slot)}"
    for given, shardings in found.items():
        ours = {_with_axes(traced.final_sharding(one)) for one in traced.slots(given)}
        if ours and not shardings <= ours:
            yield f"{explainer.names.symbol(given)}: {shardings} instead of {ours}"


def _values(module: Module) -> Iterator[Value]:
    for op in module.op.walk():
        for region in op.regions:
            for block in region.blocks:
                yield from block.arguments
        yield from op.results


def _with_axes(sharding: TensorSharding | None) -> TensorSharding | None:
    """The sharding, None if nothing is sharded along it."""
    return sharding if sharding is not None and sharding.has_axes else None
