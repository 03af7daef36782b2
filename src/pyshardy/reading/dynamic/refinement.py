"""Propagates the sizes of a function's arguments through a program, until every type is static.

It goes through the functions in order: values that depend on sizes only become constants (``folding``), operations
whose sizes are operands become those with fixed sizes, all others get the types that follow from their operands
(``result_types``, ``region_types``). A function is copied for each combination of types and sizes that it is called
with. Method: the refinement of polymorphic shapes that StableHLO documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import NoReturn

import numpy as np

from pyshardy.dialects.func import callee, is_declaration, is_private
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.dialects.sdy import placement
from pyshardy.dialects.stablehlo.verification.wrong import Wrong
from pyshardy.emitting.builder import Builder
from pyshardy.emitting.static_forms import static_form
from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.operations.properties import integer, string
from pyshardy.ir import rewriting
from pyshardy.ir.attributes import ArrayAttr, DictionaryAttr, StringAttr, SymbolRefAttr
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.effects import is_trivially_dead
from pyshardy.ir.locations import Location
from pyshardy.ir.opdef import TERMINATOR
from pyshardy.ir.operation import Block, Operation, Value
from pyshardy.ir.symbol_references import named_symbols
from pyshardy.ir.types import FunctionType, TensorType, Type
from pyshardy.module import Module
from pyshardy.reading.dynamic.constant_folding import ConstantFolding, elements_of
from pyshardy.reading.dynamic.region_types import argument_types, returned_types
from pyshardy.reading.dynamic.result_types import is_open, meet, result_types
from pyshardy.reading.dynamic.static_calls import static_call

_DEEPEST_CALL = 200
_COMPUTATIONS = frozenset({"sdy.manual_computation", "sdy.named_computation"})
_KEPT = ("sdy.", "mhlo.")
_CALLS = frozenset({"func.call", "stablehlo.composite"})


class Refinement:
    """The refinement of one program, by ``refine_entry``."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.context = module.context
        self._folding = ConstantFolding(module)
        self._functions = functions_by_name(module.op)
        self._made: dict[tuple[object, ...], Operation] = {}
        self._names = {op.symbol_name or "" for op in module.op.body}
        self._reused: set[str] = set()
        self._staying: set[Operation] = set()
        self._open: list[str] = []
        self._known: dict[Value, Array] = {}
        self._meshes = placement.meshes(module.op)

    def refine_entry(self, function: Operation, types: Sequence[Type], sizes: dict[int, int]) -> None:
        """Gives the arguments of ``function`` these static ``types``, and refines it and all functions that it calls;
        arguments that hold the size of a symbol are dropped, and ``sizes`` has their values by index.

        Raises:
            PyshardyError: a check of sizes fails, operands no longer fit, or a size cannot be computed.
        """
        originals = [op for op in self._functions.values() if op is not function]
        named = {name for op in self.module.op.walk() if op.name not in _CALLS for name in named_symbols(op)}
        public = [op for op in originals if not is_private(op)]
        self._staying = self._reached([*public, *(op for op in originals if op.symbol_name in named)])
        known = {index: np.asarray(size) for index, size in sizes.items()}
        self._refine_function(function, types, known)
        for op in originals:
            # Calls refer to the refined copies now.
            if op not in self._staying:
                rewriting.erase(op)
        # Functions whose calls became constants, and reducers that were copied into operations, have no uses.
        self._erase_unused([*self._made.values(), *(op for op in self._staying if op.symbol_name in named)])
        self._check_static()

    def _reached(self, functions: list[Operation]) -> set[Operation]:
        """``functions`` and those that they refer to."""
        found = set(functions)
        waiting = list(functions)
        while waiting:
            for name in _named_in(waiting.pop()):
                one = self._functions.get(name)
                if one is not None and one not in found:
                    found.add(one)
                    waiting.append(one)
        return found

    def _erase_unused(self, functions: list[Operation]) -> None:
        """Erases those of ``functions`` that have no uses, and others that only they use."""
        while True:
            used = _named_in(self.module.op)
            dead = [op for op in functions if op.symbol_name not in used]
            if not dead:
                return
            for op in dead:
                functions.remove(op)
                rewriting.erase(op)

    # --- functions ----------------------------------------------------------------------------------------------------

    def _refine_function(self, function: Operation, types: Sequence[Type], known: dict[int, Array]) -> None:
        block = function.regions[0].blocks[0]
        for index, (argument, type) in enumerate(zip(block.arguments, types, strict=True)):
            rewriting.set_type(argument, type)
            if index in known and isinstance(type, TensorType):
                constant = self._constant(type, known[index], argument.location)
                rewriting.prepend(block, constant)
                rewriting.replace_all_uses(argument, constant.results[0])
        self._refine_block(block)
        self._remove_dead(block)
        _drop_arguments(function, block, sorted(known))
        end = block.terminator
        inputs = [argument.type for argument in block.arguments]
        outputs = [value.type for value in end.operands]
        rewriting.set_properties(function, function.properties.with_("function_type", FunctionType(inputs, outputs)))
        rewriting.make_anew(function)

    def _refined(self, op: Operation, name: str, known: dict[int, Array]) -> Operation:
        """The function ``name`` for the operands of ``op``."""
        types = tuple(value.type for value in op.operands)
        sizes = tuple((index, value.tobytes()) for index, value in sorted(known.items()))
        key = (name, types, sizes)
        found = self._made.get(key)
        if found is not None:
            return found
        original = self._functions.get(name)
        if original is None or is_declaration(original):
            self._fail(op, f"calls @{name}, which has no body: its sizes are not known")
        if name in self._open or len(self._open) > _DEEPEST_CALL:
            self._fail(op, f"calls @{name}, which calls itself: its sizes cannot be found out")
        self._open.append(name)
        found = rewriting.clone(original)
        rewriting.set_properties(found, found.properties.with_("sym_name", StringAttr(self._new_name(original, name))))
        rewriting.append(self.module.op.body, found)
        self._refine_function(found, types, known)
        self._open.pop()
        self._made[key] = found
        return found

    def _new_name(self, original: Operation, name: str) -> str:
        """A name for a refined copy of ``original``: the first copy takes the name of the original, which will be
        erased."""
        if original not in self._staying and name not in self._reused:
            self._reused.add(name)
            return name
        found = next(one for one in (f"{name}_{number}" for number in count()) if one not in self._names)
        self._names.add(found)
        return found

    # --- blocks and operations ----------------------------------------------------------------------------------------

    def _refine_block(self, block: Block) -> None:
        for op in list(block):
            if not op.traits & TERMINATOR:
                self._refine(op)

    def _refine(self, op: Operation) -> None:
        known = [self._known.get(value) for value in op.operands]
        constant = self._folding.constant(op)
        if constant is not None:
            self._known[op.results[0]] = constant
            return
        if op.name == "stablehlo.custom_call" and string(op, "call_target_name") == "shape_assertion":
            self._assert(op, known)
            return
        if op.name == "stablehlo.get_dimension_size" and not is_open(op.operands[0].type):
            type = op.operands[0].type
            assert isinstance(type, TensorType)
            self._replace_by_constants(op, [np.asarray(type.shape[integer(op, "dimension", 0)])])
            return
        if known and all(value is not None for value in known) and op.name not in _CALLS:
            folded = self._folded(op, [value for value in known if value is not None])
            if folded is not None:
                self._replace_by_constants(op, folded)
                return
        if op.name in _CALLS:
            self._refine_call(op, known)
        elif op.regions:
            self._refine_regions(op)
        else:
            self._refine_types(op, known)

    def _folded(self, op: Operation, operands: list[Array]) -> list[Array] | None:
        since = len(self.context.diagnostics)
        try:
            return self._folding.results(op, operands)
        except PyshardyError:
            # A value that cannot be evaluated is treated as no size.
            del self.context.diagnostics[since:]
            return None

    def _refine_types(self, op: Operation, known: list[Array | None]) -> None:
        if not any(is_open(result.type) for result in op.results) and static_form(op) is None:
            return
        made = self._static_call(op, known)
        if made:
            return
        try:
            types = result_types(op, known)
        except Wrong as wrong:
            self._fail(op, f"does not fit these sizes: {wrong.message}")
        for result, type in zip(op.results, types, strict=True):
            rewriting.set_type(result, type)
        self._fix_sizes(op)

    def _fix_sizes(self, op: Operation) -> None:
        """Replaces an operation whose sizes are operands by the one with fixed sizes."""
        build = static_form(op)
        if build is not None:
            builder, block = Builder(), Block()
            builder.location = op.location
            with builder.in_function(block):
                values = build(builder, op.operands)
            self._replace_by_block(op, block, values)

    def _static_call(self, op: Operation, known: list[Array | None]) -> bool:
        """Replaces a custom call that stands for an operation by that operation; returns whether ``op`` is such a
        call."""
        if op.name != "stablehlo.custom_call":
            return False
        builder, block = Builder(), Block()
        builder.location = op.location
        with builder.in_function(block):
            values = static_call(builder, op, known, self._functions.get)
        if values is None:
            return False
        self._replace_by_block(op, block, values)
        return True

    def _replace_by_block(self, op: Operation, block: Block, values: Sequence[Value]) -> None:
        """Moves the operations of ``block`` before ``op``, and replaces its results by ``values``."""
        made = list(block)
        for one in made:
            rewriting.move_before(one, op)
        if made and len(made[-1].results) == len(op.results):
            kept = {name: value for name, value in op.attributes.entries.items() if name.startswith(_KEPT)}
            rewriting.set_attributes(made[-1], DictionaryAttr(kept))
            made[-1].signature = None
        rewriting.replace_op(op, values)

    def _refine_call(self, op: Operation, known: list[Array | None]) -> None:
        name = callee(op) if op.name == "func.call" else _decomposition(op)
        given = {index: value for index, value in enumerate(known) if value is not None}
        is_composite = op.name == "stablehlo.composite"
        function = self._refined(op, name, {} if is_composite else given)
        symbol = SymbolRefAttr(function.symbol_name or "")
        rewriting.set_properties(op, op.properties.with_("decomposition" if is_composite else "callee", symbol))
        if not is_composite:
            rewriting.set_operands(op, [value for index, value in enumerate(op.operands) if index not in given])
        rewriting.make_anew(op)
        end = function.regions[0].blocks[0].terminator
        for result, value in zip(op.results, end.operands, strict=True):
            rewriting.set_type(result, value.type)
            found = self._known.get(value)
            if found is not None and isinstance(value.type, TensorType):
                constant = self._constant(value.type, found, op.location)
                rewriting.insert_after(op, constant)
                rewriting.replace_all_uses(result, constant.results[0])

    def _refine_regions(self, op: Operation) -> None:
        if op.name in _COMPUTATIONS:
            for argument, operand in zip(op.regions[0].blocks[0].arguments, op.operands, strict=True):
                # A known size stays known inside, except if it is cut into shards.
                if operand in self._known and argument.type is operand.type:
                    self._known[argument] = self._known[operand]
        try:
            inside = argument_types(op, self._meshes)
            for region in op.regions:
                for block in region.blocks:
                    for argument, type in zip(block.arguments, inside or (), strict=inside is not None):
                        rewriting.set_type(argument, meet(argument.type, type))
                    self._refine_block(block)
            types = returned_types(op, self._meshes) or result_types(op, [None] * len(op.operands))
        except Wrong as wrong:
            self._fail(op, f"does not fit these sizes: {wrong.message}")
        for result, type in zip(op.results, types, strict=True):
            rewriting.set_type(result, meet(result.type, type))

    # --- constants, checks, ends --------------------------------------------------------------------------------------

    def _constant(self, type: TensorType, value: Array, location: int | Location | None) -> Operation:
        properties = DictionaryAttr({"value": elements_of(type, value)})
        op = rewriting.create("stablehlo.constant", (), (type,), properties, location=location)
        self._known[op.results[0]] = np.asarray(value)
        return op

    def _replace_by_constants(self, op: Operation, values: Sequence[Array]) -> None:
        constants = []
        for result, value in zip(op.results, values, strict=True):
            assert isinstance(result.type, TensorType)
            constant = self._constant(result.type, value, op.location)
            rewriting.insert_before(op, constant)
            constants.append(constant.results[0])
        rewriting.replace_op(op, constants)

    def _assert(self, op: Operation, known: list[Array | None]) -> None:
        if known[0] is None:
            return
        if not np.asarray(known[0]).all():
            message = string(op, "error_message") or "a check of sizes"
            for index, value in enumerate(known[1:]):
                message = message.replace(f"{{{index}}}", "?" if value is None else str(int(np.asarray(value))))
            self.context.emit("error", op.location, f"these sizes are not allowed: {message}")
            raise self.context.failure()
        rewriting.erase(op)

    def _remove_dead(self, block: Block) -> None:
        for op in reversed(list(block)):
            for region in op.regions:
                for nested in region.blocks:
                    self._remove_dead(nested)
            if is_trivially_dead(op) or (op.name == "func.call" and self._is_dead_call(op)):
                rewriting.erase(op)

    def _is_dead_call(self, op: Operation) -> bool:
        """Whether the results of a call have no uses, and the called function only computes constants."""
        if any(result.num_uses for result in op.results):
            return False
        name = callee(op)
        function = next((one for one in self._made.values() if one.symbol_name == name), None)
        if function is None:
            return False
        block = function.regions[0].blocks[0]
        return all(one.name == "stablehlo.constant" or one.traits & TERMINATOR for one in block)

    def _check_static(self) -> None:
        left = [op for op in self.module.op.walk() if any(is_open(result.type) for result in op.results)]
        # The types of a call, or of an operation with regions, come from its body, where the cause is reported.
        left.sort(key=lambda op: op.name in _CALLS or bool(op.regions))
        if left:
            self._fail(left[0], "has a result of a size that does not follow from those that were given")

    def _fail(self, op: Operation, message: str) -> NoReturn:
        self.context.emit("error", op.location, f"'{op.name}' {message}")
        raise self.context.failure()


def _decomposition(op: Operation) -> str:
    found = op.properties.get("decomposition")
    return found.root if isinstance(found, SymbolRefAttr) else ""


def _named_in(op: Operation) -> set[str]:
    """The symbols that ``op`` and the operations in it name."""
    return {name for one in op.walk() for name in named_symbols(one)}


def _drop_arguments(function: Operation, block: Block, indices: list[int]) -> None:
    """Erases unused arguments of ``function``."""
    attributes = function.properties.get("arg_attrs")
    if isinstance(attributes, ArrayAttr):
        kept = [one for index, one in enumerate(attributes) if index not in indices]
        rewriting.set_properties(function, function.properties.with_("arg_attrs", ArrayAttr(kept)))
    for index in reversed(indices):
        rewriting.erase_block_argument(block, index)
