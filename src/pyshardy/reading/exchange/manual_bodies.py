"""Converts calls of functions with manual bodies to ``sdy.manual_computation``.

``@xla.sdy.GlobalToLocalShape`` makes shards of the operands, ``func.call`` runs a function whose name contains
``xla.sdy.manual_computation_body`` on them, ``@xla.sdy.LocalToGlobalShape`` makes whole tensors of what it returns. The
axes and shardings are on the custom calls, or in older programs on the call. Bodies nest, and one may be called from
several places: each call gets a copy.
"""

from __future__ import annotations

from collections import Counter
from typing import NoReturn, Protocol, TypeVar

from pyshardy.dialects.func import callee, is_declaration
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.ir import rewriting
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.operation import Block, Operation, OpResult, Region, Value
from pyshardy.reading.exchange import names
from pyshardy.sharding.lists import ManualAxes
from pyshardy.sharding.tensor import TensorSharding, TensorShardingPerValue

A = TypeVar("A", bound=Attribute)

_INLINEABLE = "inlineable"


class Import(Protocol):
    """The import of the program ``root``; ``counts`` says what was read."""

    root: Operation
    counts: Counter[str]

    def fail(self, op: Operation, what: str, why: str) -> NoReturn:
        """Refuses the program because of ``what`` on ``op``."""

    def taken_attribute(self, op: Operation, name: str, kind: type[A], wanted: str) -> A | None:
        """The attribute in the frontend attribute ``name`` of ``op``, which is removed; None if it is not there."""

    def taken_shardings(self, op: Operation, name: str) -> list[TensorSharding] | None:
        """The shardings that the frontend attribute ``name`` of ``op`` lists; removed."""


def make_manual_computations(conversion: Import) -> None:
    """Makes the manual computations of a program, and deletes the functions that were their bodies.

    Raises:
        PyshardyError: a call of a manual body has no operands that were made local, or results that stay local.
    """
    functions = functions_by_name(conversion.root)
    bodies = {name: func for name, func in functions.items() if names.MANUAL_BODY in name}
    for func in _callees_first(conversion, functions, bodies):
        for call in _calls_of(func, bodies):
            _make(conversion, call, bodies[callee(call)])
    still_called = {callee(op) for op in conversion.root.walk() if op.name == "func.call"}
    for name, func in bodies.items():
        if name not in still_called:
            rewriting.erase(func)
    for target in (names.LOCAL_TO_GLOBAL, names.GLOBAL_TO_LOCAL):
        for op in [one for one in conversion.root.walk() if names.call_target(one) == target]:
            if any(result.num_uses for result in op.results):
                conversion.fail(op, f"@{target}", f"it belongs to no call of a function @{names.MANUAL_BODY}*")
            rewriting.erase(op)


def _calls_of(func: Operation, bodies: dict[str, Operation]) -> list[Operation]:
    return [op for op in func.walk() if op.name == "func.call" and callee(op) in bodies]


def _callees_first(
    conversion: Import, functions: dict[str, Operation], bodies: dict[str, Operation]
) -> list[Operation]:
    """The functions, each after the manual bodies that it calls."""
    found: list[Operation] = []
    done: set[Operation] = set()
    for first in functions.values():
        path: dict[Operation, list[Operation]] = {}
        waiting = [first]
        while waiting:
            func = waiting[-1]
            if func in done:
                waiting.pop()
                continue
            calls = path.get(func)
            if calls is None:
                calls = path[func] = [bodies[callee(call)] for call in _calls_of(func, bodies)]
            following = next((one for one in calls if one not in done), None)
            if following is None:
                done.add(func)
                found.append(func)
            elif following in path:
                conversion.fail(following, f"@{following.symbol_name}", "the manual body calls itself")
            else:
                waiting.append(following)
    return found


def _make(conversion: Import, call: Operation, func: Operation) -> None:
    if is_declaration(func):
        conversion.fail(call, f"the call of @{callee(call)}", "the function has no body")
    entry = _entry(conversion, call)
    leave = _exit(conversion, call)
    axes = _axes(conversion, call, entry, leave)
    operands, in_shardings = _operands(conversion, call, entry)
    outputs, out_shardings = _outputs(conversion, call, leave)
    mapping: dict[Value, Value] = {}
    region = Region()
    rewriting.clone_region(func.regions[0], region, mapping)
    _return(region.blocks[0], outputs)
    properties = DictionaryAttr(
        {
            "in_shardings": TensorShardingPerValue(in_shardings),
            "out_shardings": TensorShardingPerValue(out_shardings),
            "manual_axes": axes,
        }
    )
    types = [result.type for result in leave.results] if leave is not None else []
    frontend = names.frontend_attributes(call.attributes) or DictionaryAttr({})
    attributes = names.with_frontend_attributes(call.attributes, frontend.without(_INLINEABLE))
    made = rewriting.create(
        "sdy.manual_computation", operands, types, properties, attributes, (region,), location=call.location
    )
    rewriting.insert_before(call, made)
    if leave is not None:
        rewriting.replace_op(leave, made.results)
    rewriting.erase(call)
    if entry is not None and not any(result.num_uses for result in entry.results):
        rewriting.erase(entry)
    conversion.counts["manual computation"] += 1


def _return(block: Block, outputs: list[int]) -> None:
    """Ends the body with a return of those of its results that have uses."""
    old = block.terminator
    returned = [old.operands[index] for index in outputs]
    rewriting.insert_before(old, rewriting.create("sdy.return", returned, location=old.location))
    rewriting.erase(old)


def _entry(conversion: Import, call: Operation) -> Operation | None:
    """The custom call that makes shards of the operands; None if there are no operands."""
    makers = [operand.defining_op for operand in call.operands]
    found = [op for op in makers if op is not None and names.call_target(op) == names.GLOBAL_TO_LOCAL]
    if not call.operands:
        return None
    if not found:
        _fail(
            conversion,
            call,
            f"expected at least one operand of @{callee(call)} to be produced by a {names.GLOBAL_TO_LOCAL} "
            "CustomCallOp",
        )
    if any(op is not found[0] for op in makers):
        _fail(conversion, call, f"the operands of @{callee(call)} are not the results of one {names.GLOBAL_TO_LOCAL}")
    if any(user is not call for result in found[0].results for user, _ in result.uses):
        _fail(conversion, call, f"the results of its {names.GLOBAL_TO_LOCAL} are used elsewhere, too")
    return found[0]


def _exit(conversion: Import, call: Operation) -> Operation | None:
    """The custom call that makes whole tensors of the results; None if the results have no uses."""
    users = {user: None for result in call.results for user, _ in result.uses}
    if not users:
        return None
    found = [op for op in users if names.call_target(op) == names.LOCAL_TO_GLOBAL]
    if not found:
        _fail(
            conversion, call, f"expected the first use of @{callee(call)} to be a {names.LOCAL_TO_GLOBAL} CustomCallOp"
        )
    if len(users) > 1:
        _fail(conversion, call, f"the results of @{callee(call)} are used by more than one {names.LOCAL_TO_GLOBAL}")
    return found[0]


def _fail(conversion: Import, call: Operation, why: str) -> NoReturn:
    conversion.fail(call, "the manual computation", why)


def _axes(conversion: Import, call: Operation, entry: Operation | None, leave: Operation | None) -> ManualAxes:
    found = [
        conversion.taken_attribute(op, names.MANUAL_AXES, ManualAxes, "manual axes (#sdy<manual_axes{…}>)")
        for op in (call, entry, leave)
        if op is not None
    ]
    said = list(dict.fromkeys(one for one in found if one is not None))
    if not said:
        _fail(conversion, call, f"nothing says along which axes @{callee(call)} is manual ({names.MANUAL_AXES})")
    if len(said) > 1:
        _fail(conversion, call, f"its parts are manual along different axes, {said[0]} and {said[1]}")
    return said[0]


def _shardings(conversion: Import, call: Operation, marker: Operation, name: str, count: int) -> list[TensorSharding]:
    found = conversion.taken_shardings(marker, name)
    if found is None:
        found = conversion.taken_shardings(call, name)
    if found is None:
        _fail(conversion, call, f"it has no {name}")
    if len(found) != count:
        _fail(conversion, call, f"{name} lists {len(found)} shardings of {count} tensors")
    return found


def _operands(conversion: Import, call: Operation, entry: Operation | None) -> tuple[list[Value], list[TensorSharding]]:
    if entry is None:
        conversion.taken_shardings(call, names.IN_SHARDINGS)
        return [], []
    if len(entry.operands) != len(entry.results):
        _fail(conversion, call, f"its {names.GLOBAL_TO_LOCAL} has not as many results as operands")
    shardings = _shardings(conversion, call, entry, names.IN_SHARDINGS, len(entry.operands))
    chosen = [operand.index for operand in call.operands if isinstance(operand, OpResult)]
    return [entry.operands[index] for index in chosen], [shardings[index] for index in chosen]


def _outputs(conversion: Import, call: Operation, leave: Operation | None) -> tuple[list[int], list[TensorSharding]]:
    """The numbers of the call's results that have uses, and their shardings."""
    if leave is None:
        conversion.taken_shardings(call, names.OUT_SHARDINGS)
        return [], []
    if len(leave.operands) != len(leave.results):
        _fail(conversion, call, f"its {names.LOCAL_TO_GLOBAL} has not as many results as operands")
    outputs = []
    for operand in leave.operands:
        if not isinstance(operand, OpResult) or operand.owner is not call:
            _fail(conversion, call, f"@{names.LOCAL_TO_GLOBAL} has an operand that @{callee(call)} does not return")
        outputs.append(operand.index)
    return outputs, _shardings(conversion, call, leave, names.OUT_SHARDINGS, len(leave.operands))
