"""Classifies the values of a local program: parameters, optimizer state, values saved for the backward pass, and
others.

Arguments that are only ever updated, element by element, are optimizer state; the arguments that they belong to are
parameters; others are classified by the first part of their names. A value inside the program is saved for the backward
pass if the forward pass makes it and the backward pass is the last to read it, according to the scopes of operations;
``memory_timeline`` sums them up.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property

from pyshardy.dialects.control_flow import CONTROL_FLOW
from pyshardy.dialects.func import callee
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.dialects.stablehlo.collective_kinds import COLLECTIVE_KINDS, GATHERS
from pyshardy.ir.opdef import DATA_MOVEMENT, ELEMENTWISE, TERMINATOR
from pyshardy.ir.operation import BlockArgument, Operation, Value
from pyshardy.ir.source_location import source_location
from pyshardy.ir.types import IntegerType, TensorType, Type, tensor_shape
from pyshardy.partitioning.account.buffer_aliases import buffer_owner
from pyshardy.partitioning.account.memory_model import type_bytes
from pyshardy.partitioning.plan import Plan
from pyshardy.reading.sharding_files.paths import path_of_name

PARAMETERS, OPTIMIZER, OTHERS = "parameters", "optimizer", "other arguments"
SAVED, GRADIENTS, TEMPORARIES = "saved for the backward pass", "gradients", "temporaries"
GATHERED, RESULTS = "gathered copies", "results"
_MADE = (SAVED, GRADIENTS, TEMPORARIES, GATHERED, RESULTS)
FORWARD, BACKWARD = "forward", "backward"
_MOST_ROOTS = 2
_COLLECTIVES = frozenset(f"stablehlo.{name}" for name in COLLECTIVE_KINDS)
_GATHERING = frozenset(f"stablehlo.{one.name}" for one in COLLECTIVE_KINDS.values() if one.route == GATHERS)


class MemoryKinds:
    """The kinds of the values of the local program of ``plan``; ``listed`` has the kinds that may occur, in the order
    in which plots stack them."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._functions = functions_by_name(plan.local.op)
        self.entry = self._functions[plan.entry]
        self._passes: dict[Operation, str] = {}
        self._scopes: dict[object, str] = {}
        self._returned = {buffer_owner(value) for value in self.entry.body.terminator.operands}
        self._arguments = self._kinds_of_arguments()
        order = [PARAMETERS, OPTIMIZER, *self._arguments, OTHERS]
        self.listed = (*[one for one in dict.fromkeys(order) if one in self._arguments], *_MADE)

    def of(self, value: Value, reader: Operation | None) -> str:
        """The kind of ``value``, which ``reader`` is the last to read."""
        made = value.defining_op
        if made is None:
            is_own = isinstance(value, BlockArgument) and value.owner is self.entry.body
            return self._arguments[value.index] if is_own and isinstance(value, BlockArgument) else TEMPORARIES
        if value in self._returned:
            return RESULTS
        if made.name in _GATHERING:
            return GATHERED
        makes, reads = self.pass_of(made), "" if reader is None else self.pass_of(reader)
        if makes == FORWARD and reads == BACKWARD:
            return SAVED
        return GRADIENTS if makes == BACKWARD and not reads else TEMPORARIES

    def pass_of(self, op: Operation) -> str:
        """Whether ``op`` is of the forward or the backward pass, by its scope or by what it runs; empty if neither."""
        found = self._passes.get(op)
        if found is None:
            self._passes[op] = ""
            found = self._passes[op] = self._pass_of(op)
        return found

    def _pass_of(self, op: Operation) -> str:
        scope = self._scopes.get(op.location)
        if scope is None:
            scope = self._scopes[op.location] = source_location(op.location, self._plan.module.context).scope
        if "transpose(" in scope:
            return BACKWARD
        if "jvp(" in scope:
            return FORWARD
        blocks = [block for region in op.regions for block in region.blocks]
        if op.name == "func.call" and callee(op) in self._functions:
            blocks = [self._functions[callee(op)].body]
        if op.name != "func.call" and op.name not in CONTROL_FLOW:
            return ""
        inside = {self.pass_of(one) for block in blocks for one in block}
        return BACKWARD if BACKWARD in inside else FORWARD if FORWARD in inside else ""

    # --- arguments ----------------------------------------------------------------------------------------------------

    def _kinds_of_arguments(self) -> list[str]:
        names = [path_of_name(name) for name in self._plan.names.boundary.arguments]
        arguments = self.entry.body.arguments
        updated = [self._is_only_updated(argument) for argument in arguments]
        if all(updated):
            updated = [False] * len(updated)
        shapes = {one for one, own in zip(map(tensor_shape, self._given_types), updated, strict=True) if own}
        returned = Counter(map(str, self._plan_results))
        roots: list[str] = []
        for path, type, own in zip(names, self._given_types, updated, strict=True):
            root = (path or ("",))[0]
            is_number = isinstance(type, TensorType) and isinstance(type.element, IntegerType)
            if own:
                roots.append(OPTIMIZER)
            elif shapes and not is_number and tensor_shape(type) in shapes and returned[str(type)]:
                roots.append(PARAMETERS)
            else:
                roots.append(OTHERS if not root or (root.startswith("arg") and root[3:].isdecimal()) else root)
        sizes: Counter[str] = Counter()
        for root, argument in zip(roots, arguments, strict=True):
            sizes[root] += type_bytes(argument.type)
        kept = {PARAMETERS, OPTIMIZER, OTHERS}
        kept |= {root for root, _ in [one for one in sizes.most_common() if one[0] not in kept][:_MOST_ROOTS]}
        return [root if root in kept else OTHERS for root in roots]

    @cached_property
    def _given_types(self) -> list[Type]:
        return [argument.type for argument in self.entry.body.arguments]

    @cached_property
    def _plan_results(self) -> list[Type]:
        return [value.type for value in self.entry.body.terminator.operands]

    @staticmethod
    def _is_only_updated(argument: Value) -> bool:
        """Whether what is made of ``argument`` is made element by element, and returned."""
        if not isinstance(argument.type, TensorType) or isinstance(argument.type.element, IntegerType):
            return False
        waiting, seen, is_returned, is_changed = [argument], {argument}, False, False
        while waiting:
            for use in waiting.pop().uses:
                op = use[0]
                if op.traits & TERMINATOR:
                    is_returned = True
                    continue
                if not (op.traits & (ELEMENTWISE | DATA_MOVEMENT) or op.name in _COLLECTIVES):
                    return False
                is_changed |= bool(op.traits & ELEMENTWISE)
                waiting += [one for one in op.results if one not in seen]
                seen.update(op.results)
        return is_returned and is_changed
