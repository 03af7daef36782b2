"""The complete parser of programs: every form, and every error at its exact place.

Tokens, types, attributes, values and regions are read by its base classes, files and operations here. An operation's
pretty form is read by its definition. Nested regions run on the explicit stack of ``ir.explicit_stack``.
"""

from __future__ import annotations

from typing import NamedTuple, NoReturn

from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import EMPTY_DICTIONARY, WRITTEN_EMPTY_DICTIONARY, DictionaryAttr
from pyshardy.ir.context import Context
from pyshardy.ir.diagnostics import Diagnostic
from pyshardy.ir.explicit_stack import REGION_DEPTH_LIMIT, Steps, run
from pyshardy.ir.locations import Location, file_location
from pyshardy.ir.opdef import ISOLATED, OpDef
from pyshardy.ir.operation import Block, BlockArgument, Operation, Region, Value
from pyshardy.ir.parsing.lexer import LexError
from pyshardy.ir.parsing.location_parser import read_alias_lines
from pyshardy.ir.parsing.region_parser import RegionParser
from pyshardy.ir.parsing.resources import parse_metadata
from pyshardy.ir.parsing.token_parser import ParseError
from pyshardy.ir.parsing.value_parser import Unresolved
from pyshardy.ir.registry import DIALECT_MODULES, dialect, foreign_row, op_definition
from pyshardy.ir.rewriting import append, create
from pyshardy.ir.source_text import SourceText
from pyshardy.ir.types import FunctionType, Type


class OperationState:
    """What has been read of an operation so far; its definition's ``parse`` fills it."""

    __slots__ = (
        "attributes",
        "definition",
        "empty_properties",
        "located",
        "location",
        "name",
        "operands",
        "properties",
        "regions",
        "successors",
        "types",
    )

    def __init__(self, name: str, definition: OpDef | None, location: int) -> None:
        self.name = name
        self.definition = definition
        self.location: int | Location = location
        self.located: list[Operation | BlockArgument] = []
        """What takes the location that is written behind the operation, besides the operation."""
        self.operands: list[Value] = []
        self.types: list[Type] = []
        self.properties: dict[str, Attribute] = {}
        self.empty_properties = EMPTY_DICTIONARY
        self.attributes: dict[str, Attribute] = {}
        self.regions: list[Region] = []
        self.successors: list[Block] = []


class Parser(RegionParser):
    """Reads one input. ``parse_module`` is the way in; the other public methods serve the definitions of operations."""

    # --- the file -------------------------------------------------------------------------------------------------

    def parse_module(self) -> Operation:
        """The ``builtin.module`` of the whole input (an implicit one around what is not exactly one module).

        Raises:
            ParseError: at the first syntax error.
        """
        block = Block()
        region = Region([block])
        self.open_scope()
        self._block_names.append({})
        self._undefined_blocks.append({})
        run(self._file(block), self._too_deep)
        self.close_scope()
        self._place_deferred()
        only = block.first
        if only is not None and only.next_op is None and only.name == "builtin.module":
            only.parent = None
            return only
        return create("builtin.module", regions=(region,), location=file_location(self.context.source.filename, 0, 0))

    def _file(self, block: Block) -> Steps:
        while True:
            if self.start >= self._progress.following:
                self._progress.reach(self.start)
            if self.kind == "eof":
                return
            if self.kind == "hash":
                if self._fast.locations.take_last_aliases(self.start):
                    self.move_to(len(self.source))
                    continue
                done = read_alias_lines(self.source, self.start, self.attribute_aliases)
                if done != self.start:
                    self.move_to(done)
                else:
                    self.attribute_alias()
            elif self.kind == "type":
                self.type_alias()
            elif self.text == "{-#":
                parse_metadata(self)
            else:
                yield from self._operation_into(block)

    def _too_deep(self) -> Exception:
        return ParseError(
            Diagnostic(
                "error",
                self.context.source.position(self.start),
                f"regions nest deeper than {REGION_DEPTH_LIMIT} levels, the limit of this parser",
            )
        )

    # --- operations -----------------------------------------------------------------------------------------------

    def _operation_into(self, block: Block) -> Steps:
        start = self.start
        bindings = self._result_bindings()
        state = self._start_operation()
        steps = self._operation_body(state)
        if steps is not None:
            yield steps
        self.custom_op = None
        op = self._finish(state)
        append(block, op)
        place, end = op.location, self.previous_end
        self._trailing_location(op, *state.located)
        self._bind(op, bindings)
        if isinstance(place, int):
            self._fast.learn(op, place, self._scopes[-1], self._default_dialects[-1], start, end)

    def read_alone(self, line: str, default_dialect: str) -> Operation | None:
        """The operation that ``line`` spells, in a text of its own; None if it is wrong, or not all of the line."""
        context = Context(SourceText(line), allow_unregistered=self.context.allow_unregistered)
        block = Block()
        try:
            alone = Parser(context)
            alone.open_scope()
            alone._default_dialects.append(default_dialect)
            run(alone._operation_into(block), self._too_deep)
        except (LexError, ParseError):
            return None
        return block.first if alone.kind == "eof" and not context.diagnostics else None

    def _result_bindings(self) -> list[tuple[str, int, int]] | None:
        if self.kind != "value":
            return None
        bindings: list[tuple[str, int, int]] = []
        while True:
            if self.kind != "value":
                self.error_after_previous("expected valid ssa identifier")
            offset = self.start
            name = self.advance()
            count = 1
            if self.accept(":"):
                if self.kind != "int":
                    self.error_after_previous("expected integer number of results")
                number_offset = self.start
                count = self.integer_value(self.advance())
                if not 1 <= count < 2**64:
                    self.error("expected named operation to have at least 1 result", at=number_offset)
            bindings.append((name, count, offset))
            if not self.accept(","):
                break
        self.expect("=", "expected '=' after SSA name")
        return bindings

    def _start_operation(self) -> OperationState:
        offset = self.start
        if self.kind == "string":
            name = self.string()
            if not name:
                self.error("empty operation name is invalid", at=offset)
            if "\0" in name:
                self.error("null character not allowed in operation name", at=offset)
            definition = op_definition(name)
            if definition is None:
                self._check_unregistered(name, offset)
            return OperationState(name, definition, offset)
        if self.kind != "bare":
            self.error_after_previous("expected operation name in quotes")
        written = self.advance()
        custom, name = self._custom_definition(written, offset)
        return OperationState(name, custom, offset)

    def _check_unregistered(self, name: str, offset: int) -> None:
        namespace, dot, _ = name.partition(".")
        if not self.context.allow_unregistered and not (dot and dialect(namespace) is not None):
            self.error(
                "operation being parsed with an unregistered dialect. If this is intended, please use "
                "-allow-unregistered-dialect with the MLIR tool used",
                at=offset,
            )

    def _custom_definition(self, written: str, offset: int) -> tuple[OpDef, str]:
        namespace, _, rest = written.partition(".")
        if rest:
            definition = op_definition(written)
            if definition is None:
                if dialect(namespace) is None:
                    self._no_such_dialect(namespace, written, offset)
                self.error(f"custom op '{written}' is unknown", at=offset)
        else:
            default = self._default_dialects[-1]
            definition = op_definition(f"{default}.{written}") if default else None
            if definition is None:
                tried = f" (tried '{default}.{written}' as well)"
                if not default:
                    self._no_such_dialect(default, written, offset, tried)
                self.error(f"custom op '{written}' is unknown{tried}", at=offset)
        if definition.parse is None:
            self.error(f"custom op '{definition.name}' has no custom assembly form", at=offset)
        return definition, definition.name

    def _no_such_dialect(self, namespace: str, written: str, offset: int, tried: str = "") -> NoReturn:
        note = self.note(f"Available dialects: {', '.join(sorted(DIALECT_MODULES))}", offset)
        self.error(f"Dialect `{namespace}' not found for custom op '{written}' {tried}", at=offset, notes=[note])

    def _operation_body(self, state: OperationState) -> Steps | None:
        if self._is_generic(state):
            return self._generic_operation(state)
        assert state.definition is not None and state.definition.parse is not None
        self.custom_op = state.name
        return state.definition.parse(self, state)

    def _is_generic(self, state: OperationState) -> bool:
        return self.source[state.location if isinstance(state.location, int) else 0] == '"'

    def _generic_operation(self, state: OperationState) -> Steps | None:
        self.expect("(", "expected '(' to start operand list")
        operands = self.operands()
        self.expect(")", "expected ')' to end operand list")
        if self.accept("["):
            self._successors(state)
        if self.text == "<" and self.kind == "punct":
            self._generic_properties(state)
        if self.text == "(" and self.kind == "punct":
            return self._generic_regions(state, operands)
        self._generic_tail(state, operands)
        return None

    def _generic_properties(self, state: OperationState) -> None:
        assert isinstance(state.location, int)
        offset = state.location
        self.advance()
        written = self.attribute()
        self.expect(">", "expected '>' to close properties")
        definition = state.definition
        if not isinstance(written, DictionaryAttr):
            message = f"invalid properties {written} for op {state.name}: expected DictionaryAttr to set properties"
            self.error(message, at=offset)
        if definition is None:
            state.properties.update(written.entries)
            state.empty_properties = WRITTEN_EMPTY_DICTIONARY
        elif not definition.properties:
            self.error(
                f"invalid properties {written} for op {state.name}: this operation has empty properties", at=offset
            )
        else:
            self._check_kinds(state, definition, written)
            unknown = [name for name, _ in written if name not in definition.properties]
            if unknown and foreign_row(state.name) is not None:
                # MLIR drops what an operation does not have, and so do our own; of a row from outside it is a mistake.
                known = ", ".join(sorted(definition.properties))
                problem = f"its row has no property '{unknown[0]}', only {known}"
                self.error(f"invalid properties {written} for op {state.name}: {problem}", at=offset)
            state.properties.update((k, v) for k, v in written if k in definition.properties)

    def _check_kinds(self, state: OperationState, definition: OpDef, written: DictionaryAttr) -> None:
        for name, kind in definition.kinds.items():
            value = written.get(name)
            if value is not None and not kind.stores(value):
                problem = f"Invalid attribute `{name}` in property conversion: {value}"
                place = state.location if isinstance(state.location, int) else None
                message = f"invalid properties {written} for op {state.name}: {problem}"
                self.error(message, at=place, prefix=False)

    def _generic_regions(self, state: OperationState, operands: list[Unresolved]) -> Steps:
        self.expect("(")
        isolated = state.definition is not None and bool(state.definition.traits & ISOLATED)
        default = self._default_dialects[-1]
        while True:
            region = yield self.region((), isolated=isolated, default_dialect=default)
            state.regions.append(region)
            if not self.accept(","):
                break
        self.expect(")", "expected ')' to end region list")
        self._generic_tail(state, operands)

    def _generic_tail(self, state: OperationState, operands: list[Unresolved]) -> None:
        if self.text == "{" and self.kind == "punct":
            state.attributes.update(self.dictionary().entries)
        self.expect(":", "expected ':' followed by operation type")
        offset = self.start
        signature = self.type()
        if not isinstance(signature, FunctionType):
            self.error("expected function type", at=offset)
        if len(signature.inputs) != len(operands):
            plural = "" if len(operands) == 1 else "s"
            self.error(f"expected {len(operands)} operand type{plural} but had {len(signature.inputs)}", at=offset)
        state.operands = self.resolve_all(operands, signature.inputs)
        state.types = list(signature.results)

    def _successors(self, state: OperationState) -> None:
        if self.at("]"):
            self.error_after_previous("expected list element")
        state.successors.append(self.successor())
        while self.accept(","):
            state.successors.append(self.successor())
        self.expect("]", "expected ',' or ']'")

    def _finish(self, state: OperationState) -> Operation:
        definition = state.definition
        if definition is not None and definition.traits & ISOLATED and state.regions and self._region_was_shared:
            # The text could name values that the region must not see: the verifier has to look.
            self.uses_precede_definitions = True
        if definition is not None and definition.properties:
            inherent = definition.properties
            moved = [key for key in state.attributes if key in inherent]
            for key in moved:
                value = state.attributes.pop(key)
                self._check_constraint(state, key, value, state.location if isinstance(state.location, int) else None)
                # A pretty form's dictionary has the last word; the generic form's `<{…}>` has it there.
                if key not in state.properties or not self._is_generic(state):
                    state.properties[key] = value
            if definition.defaults is not None:
                for key, value in definition.defaults():
                    state.properties.setdefault(key, value)
        return create(
            state.name,
            state.operands,
            state.types,
            DictionaryAttr(state.properties) if state.properties else state.empty_properties,
            DictionaryAttr(state.attributes) if state.attributes else EMPTY_DICTIONARY,
            tuple(state.regions),
            tuple(state.successors),
            state.location,
        )

    def _check_constraint(self, state: OperationState, name: str, value: Attribute, offset: int | None) -> None:
        kind = state.definition.kinds.get(name) if state.definition is not None else None
        if kind is not None and not kind.accepts(value):
            message = f"'{state.name}' op attribute '{name}' failed to satisfy constraint: {kind.summary}"
            self.error(message, at=offset)

    def _bind(self, op: Operation, bindings: list[tuple[str, int, int]] | None) -> None:
        if bindings is None:
            return
        expected = sum(count for _, count, _ in bindings)
        if expected != len(op.results):
            if not op.results:
                self.error("cannot name an operation with no results", at=bindings[0][2])
            self.error(
                f"operation defines {len(op.results)} results but was provided {expected} to bind", at=bindings[0][2]
            )
        index = 0
        for name, count, offset in bindings:
            self.define(name, list(op.results[index : index + count]), offset)
            index += count

    def optional_attributes(self, state: OperationState) -> None:
        """An attribute dictionary, if one comes next, into ``state.attributes``."""
        if self.text == "{" and self.kind == "punct":
            offset = self.start
            written = self.dictionary()
            for name, value in written:
                self._check_constraint(state, name, value, offset)
            state.attributes.update(written.entries)


class ParsedModule(NamedTuple):
    """What one input holds: the module, the payloads of its resources by key, and whether every operation stands behind
    the definitions of its operands."""

    op: Operation
    resources: dict[str, str]
    in_order: bool


def parse_module(context: Context) -> ParsedModule:
    """Reads ``context.source``.

    Raises:
        PyshardyError: the text has a syntax error; its diagnostics say where.
    """
    try:
        parser = Parser(context)
        op = parser.parse_module()
        return ParsedModule(op, parser.resources, not parser.uses_precede_definitions)
    except LexError as wrong:
        context.emit("error", wrong.offset, wrong.message)
    except ParseError as error:
        for diagnostic in error.diagnostics:
            context.emit("error", diagnostic.position, diagnostic.message, diagnostic.notes)
    except RecursionError:
        # Limits on nesting come first, unless the caller has used up most of Python's stack.
        context.emit("error", parser.start, "nesting too deep for the rest of Python's stack")
    raise context.failure()
