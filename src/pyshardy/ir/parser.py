"""Text to program: the complete parser, every form and every error at its exact place.

Tokens come from ``ir.lexer``; attributes and types are read by ``AttributeParser`` (``ir.attribute_parser``),
operations and regions here. An operation's pretty form is read by its definition. Nested regions run on the explicit
stack of ``ir.steps``.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Generator, Iterable
from typing import Any, NamedTuple, NoReturn

from pyshardy.ir.attribute_parser import AttributeParser, ParseError
from pyshardy.ir.attributes import EMPTY_DICTIONARY, Attribute, DictionaryAttr
from pyshardy.ir.context import Context, Diagnostic
from pyshardy.ir.lexer import LexError
from pyshardy.ir.locations import Location, parse_location
from pyshardy.ir.opdef import ISOLATED, OpDef
from pyshardy.ir.operation import Block, Operation, OpResult, Region, Value
from pyshardy.ir.registry import dialect, op_definition
from pyshardy.ir.rewriting import append, create, replace_all_uses
from pyshardy.ir.steps import REGION_DEPTH_LIMIT, run
from pyshardy.ir.types import FunctionType, Type


class Unresolved(NamedTuple):
    """An operand as written: ``%name#number`` at ``offset``; ``Parser.resolve`` makes it a value."""

    name: str
    number: int
    offset: int

    @property
    def text(self) -> str:
        return f"{self.name}#{self.number}" if self.number else self.name


class Argument(NamedTuple):
    """A region argument as written."""

    name: str
    type: Type
    offset: int
    attributes: DictionaryAttr = EMPTY_DICTIONARY
    location: Location | None = None


class OperationState:
    """What has been read of an operation so far; its definition's ``parse`` fills it."""

    __slots__ = (
        "attributes",
        "definition",
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
        self.operands: list[Value] = []
        self.types: list[Type] = []
        self.properties: dict[str, Attribute] = {}
        self.attributes: dict[str, Attribute] = {}
        self.regions: list[Region] = []
        self.successors: list[Block] = []


class _Scope:
    """The values of one isolated region: name → values by result number, with the names each nested region defined."""

    __slots__ = ("definitions", "forward", "values")

    def __init__(self) -> None:
        self.values: dict[str, list[Value | None]] = {}
        self.definitions: list[list[str]] = []
        self.forward: dict[Value, tuple[str, int]] = {}


class Parser(AttributeParser):
    """Reads one input. ``parse_module`` is the way in; the other public methods serve the definitions of operations."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._scopes: list[_Scope] = []
        self._block_names: list[dict[str, tuple[Block, int]]] = []
        self._undefined_blocks: list[dict[str, int]] = []
        self._default_dialects: list[str] = ["builtin"]
        self._defined_at: dict[Value, int] = {}
        self._deferred_locations: list[tuple[Callable[[Location], None], str, int]] = []

    # --- the file -------------------------------------------------------------------------------------------------

    def parse_module(self) -> Operation:
        """The ``builtin.module`` of the whole input (an implicit one around what is not exactly one module).

        Raises:
            ParseError: at the first syntax error.
        """
        block = Block()
        region = Region([block])
        self._scopes.append(_Scope())
        self._scopes[-1].definitions.append([])
        self._block_names.append({})
        self._undefined_blocks.append({})
        collecting = gc.isenabled()
        gc.disable()
        try:
            run(self._file(block), self._too_deep)
        finally:
            if collecting:
                gc.enable()
        self._close_scope()
        for assign, alias, offset in self._deferred_locations:
            location = self.attribute_aliases.get(alias)
            if not isinstance(location, Location):
                self.error(f"operation location alias was never defined", at=offset)
            assign(location)
        only = block.first
        if only is not None and only.next_op is None and only.name == "builtin.module":
            only.parent = None
            return only
        module = create("builtin.module", regions=(region,), location=0)
        return module

    def _file(self, block: Block) -> Generator[Any, Any, None]:
        while True:
            if self.kind == "eof":
                return
            if self.kind == "hash":
                self.attribute_alias()
            elif self.kind == "type":
                self.type_alias()
            elif self.text == "{-#":
                self.file_metadata()
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

    def _operation_into(self, block: Block) -> Generator[Any, Any, None]:
        bindings = self._result_bindings()
        state = self._start_operation()
        steps = self._operation_body(state)
        if steps is not None:
            yield steps
        self.custom_op = None
        op = self._finish(state)
        append(block, op)
        if self.text == "loc" and self.kind == "bare":
            self._trailing_location(op)
        self._bind(op, bindings)

    def _result_bindings(self) -> list[tuple[str, int, int]] | None:
        if self.kind != "value":
            return None
        bindings: list[tuple[str, int, int]] = []
        while True:
            if self.kind != "value":
                self.error("expected valid ssa identifier")
            offset = self.start
            name = self.advance()
            count = 1
            if self.accept(":"):
                if self.kind != "int":
                    self.error("expected integer number of results")
                number_offset = self.start
                count = int(self.advance(), 0)
                if count < 1:
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
            definition = op_definition(name)
            if definition is None:
                self._check_unregistered(name, offset)
            return OperationState(name, definition, offset)
        if self.kind == "bare":
            written = self.advance()
            definition, name = self._custom_definition(written, offset)
            return OperationState(name, definition, offset)
        self.error_after_previous("expected operation name in quotes")

    def _check_unregistered(self, name: str, offset: int) -> None:
        home = dialect(name.partition(".")[0]) if "." in name else None
        if self.context.allow_unregistered or (home is not None and home.name not in ("stablehlo", "sdy", "func")):
            return
        self.error(
            "operation being parsed with an unregistered dialect. If this is intended, please use "
            "-allow-unregistered-dialect with the MLIR tool used"
            if home is None
            else f"unregistered operation '{name}' found in dialect ('{home.name}') "
            "that does not allow unknown operations",
            at=offset,
        )

    def _custom_definition(self, written: str, offset: int) -> tuple[OpDef, str]:
        if "." in written:
            namespace = written.partition(".")[0]
            definition = op_definition(written)
            if definition is None:
                if dialect(namespace) is None:
                    self.error(f"Dialect `{namespace}' not found for custom op '{written}' ", at=offset)
                self.error(f"custom op '{written}' is unknown", at=offset)
        else:
            default = self._default_dialects[-1]
            definition = op_definition(f"{default}.{written}") if default else None
            if definition is None:
                definition = op_definition(f"builtin.{written}")
            if definition is None:
                tried = f" (tried '{default}.{written}' as well)" if default else ""
                self.error(f"custom op '{written}' is unknown{tried}", at=offset)
        if definition.parse is None:
            self.error(f"custom op '{definition.name}' has no custom assembly form", at=offset)
        return definition, definition.name

    def _operation_body(self, state: OperationState) -> Generator[Any, Any, None] | None:
        if self.source[state.location if isinstance(state.location, int) else 0] == '"':
            return self._generic_operation(state)
        assert state.definition is not None and state.definition.parse is not None
        self.custom_op = state.name
        return state.definition.parse(self, state)

    def _generic_operation(self, state: OperationState) -> Generator[Any, Any, None] | None:
        self.expect("(")
        operands: list[Unresolved] = []
        if self.text != ")":
            operands.append(self.operand())
            while self.accept(","):
                operands.append(self.operand())
        self.expect(")")
        if self.accept("["):
            self._successors(state)
        if self.text == "<" and self.kind == "punct":
            self._generic_properties(state)
        if self.text == "(" and self.kind == "punct":
            return self._generic_regions(state, operands)
        self._generic_tail(state, operands)
        return None

    def _generic_properties(self, state: OperationState) -> None:
        offset = self.start
        self.advance()
        if self.text != "{":
            self.error("expected '{'" if self.kind != "hash" else "expected attribute dictionary")
        written = self.dictionary()
        self.expect(">")
        definition = state.definition
        if definition is None:
            state.properties.update(written.entries)
        elif not definition.properties:
            self.error(
                f"invalid properties {written} for op {state.name}: this operation has empty properties", at=offset
            )
        else:
            state.properties.update((k, v) for k, v in written if k in definition.properties)

    def _generic_regions(self, state: OperationState, operands: list[Unresolved]) -> Generator[Any, Any, None]:
        self.expect("(")
        isolated = state.definition is not None and bool(state.definition.traits & ISOLATED)
        default = state.definition.default_dialect if state.definition is not None else None
        while True:
            region = yield self.region((), isolated=isolated, default_dialect=default)
            state.regions.append(region)
            if not self.accept(","):
                break
        self.expect(")")
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

    def _finish(self, state: OperationState) -> Operation:
        definition = state.definition
        if definition is not None and definition.properties:
            inherent = definition.properties
            moved = [key for key in state.attributes if key in inherent]
            for key in moved:
                state.properties.setdefault(key, state.attributes[key])
                del state.attributes[key]
            if definition.defaults is not None:
                for key, value in definition.defaults():
                    state.properties.setdefault(key, value)
        return create(
            state.name,
            state.operands,
            state.types,
            DictionaryAttr(state.properties) if state.properties else EMPTY_DICTIONARY,
            DictionaryAttr(state.attributes) if state.attributes else EMPTY_DICTIONARY,
            tuple(state.regions),
            tuple(state.successors),
            state.location,
        )

    def _trailing_location(self, op: Operation) -> None:
        def assign(location: Location) -> None:
            op.location = location

        self.read_location(assign)

    def read_location(self, assign: Callable[[Location], None]) -> None:
        """Reads ``loc(...)`` and hands it to ``assign``, at the end of the file if it is an alias not yet defined."""
        self.advance()
        self.expect("(")
        if self.kind == "hash" and self.text[1:] not in self.attribute_aliases:
            self._deferred_locations.append((assign, self.text[1:], self.start))
            self.advance()
        else:
            assign(parse_location(self))
        self.expect(")")

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

    # --- values ---------------------------------------------------------------------------------------------------

    def operand(self) -> Unresolved:
        """``%name`` or ``%name#number``."""
        if self.kind != "value":
            self.error_after_previous("expected SSA operand")
        offset = self.start
        name = self.advance()
        number = 0
        if self.kind == "hash" and self.start == self.previous_end and self.text[1:].isdigit():
            number = int(self.advance()[1:])
        elif self.kind == "hash" and not self.text[1:].isdigit() and self.start == self.previous_end:
            self.error("invalid SSA value result number", prefix=False)
        return Unresolved(name, number, offset)

    def optional_operand(self) -> Unresolved | None:
        """An operand, if one comes next."""
        return self.operand() if self.kind == "value" else None

    def operands(self) -> list[Unresolved]:
        """A comma list of operands, possibly empty."""
        found: list[Unresolved] = []
        if self.kind == "value":
            found.append(self.operand())
            while self.accept(","):
                found.append(self.operand())
        return found

    def resolve(self, operand: Unresolved, type: Type) -> Value:
        """The value that ``operand`` names, which must have ``type``; a placeholder until it is defined."""
        scope = self._scopes[-1]
        entry = scope.values.setdefault(operand.name, [])
        number = operand.number
        if number < len(entry):
            value = entry[number]
            if value is not None:
                if value.type is not type:
                    self._wrong_type(operand, type, value)
                return value
        elif entry and isinstance(entry[0], OpResult):
            self.error("reference to invalid result number", at=operand.offset, prefix=False)
        while len(entry) <= number:
            entry.append(None)
        placeholder = Value(type)
        entry[number] = placeholder
        scope.forward[placeholder] = (operand.text, operand.offset)
        return placeholder

    def _wrong_type(self, operand: Unresolved, type: Type, value: Value) -> NoReturn:
        place = self._defined_at.get(value)
        if place is None and value in self._scopes[-1].forward:
            place = self._scopes[-1].forward[value][1]
        notes = [self.note("prior use here", place)] if place is not None else []
        self.error(
            f"use of value '{operand.text}' expects different type than prior uses: '{type}' vs '{value.type}'",
            at=operand.offset,
            prefix=False,
            notes=notes,
        )

    def resolve_all(self, operands: list[Unresolved], types: Iterable[Type], at: int | None = None) -> list[Value]:
        """The values of ``operands`` with ``types``, one each."""
        wanted = list(types)
        if len(wanted) != len(operands):
            self.error(
                f"number of operands and types do not match: got {len(operands)} operands and {len(wanted)} types",
                at=at,
            )
        return [self.resolve(operand, type) for operand, type in zip(operands, wanted, strict=True)]

    def define(self, name: str, values: list[Value], offset: int) -> None:
        """Gives ``values`` the numbers 0, 1, … of ``name`` in the current region."""
        scope = self._scopes[-1]
        entry = scope.values.get(name)
        if entry is None:
            scope.values[name] = list(values)
        else:
            self._resolve_forward(scope, name, entry, values, offset)
        scope.definitions[-1].append(name)
        for value in values:
            self._defined_at[value] = offset

    def _resolve_forward(
        self, scope: _Scope, name: str, entry: list[Value | None], values: list[Value], offset: int
    ) -> None:
        for number, value in enumerate(values):
            old = entry[number] if number < len(entry) else None
            text = f"{name}#{number}" if number else name
            if old is not None and old not in scope.forward:
                place = self._defined_at.get(old)
                notes = [self.note("previously defined here", place)] if place is not None else []
                self.error(f"redefinition of SSA value '{text}'", at=offset, prefix=False, notes=notes)
            if old is not None:
                _, used = scope.forward[old]
                if old.type is not value.type:
                    self.error(
                        f"definition of SSA value '{name}#{number}' has type '{value.type}'",
                        at=offset,
                        prefix=False,
                        notes=[self.note(f"previously used here with type '{old.type}'", used)],
                    )
                replace_all_uses(old, value)
                del scope.forward[old]
            while len(entry) <= number:
                entry.append(None)
            entry[number] = value
        for number in range(len(values), len(entry)):
            beyond = entry[number]
            if beyond is not None and beyond in scope.forward:
                self.error("reference to invalid result number", at=scope.forward[beyond][1], prefix=False)

    def _close_scope(self) -> None:
        scope = self._scopes.pop()
        if not scope.forward:
            return
        places = sorted((offset, name) for name, offset in scope.forward.values())
        errors = [
            Diagnostic("error", self.context.source.position(offset), "use of undeclared SSA value name")
            for offset, _ in places
        ]
        raise ParseError(*errors)

    # --- regions --------------------------------------------------------------------------------------------------

    def region(
        self,
        arguments: Iterable[Argument] = (),
        *,
        isolated: bool = False,
        default_dialect: str | None = None,
    ) -> Generator[Any, Any, Region]:
        """Reads ``{ ... }``; ``arguments`` become those of the entry block. A generator: ``region = yield
        p.region()``."""
        self.custom_op = None
        self.expect("{", "expected '{' to begin a region")
        region = Region()
        named = list(arguments)
        if isolated:
            self._scopes.append(_Scope())
        scope = self._scopes[-1]
        scope.definitions.append([])
        self._block_names.append({})
        self._undefined_blocks.append({})
        self._default_dialects.append(default_dialect or "")
        if named or self.text != "}":
            yield from self._region_body(region, named)
        self._default_dialects.pop()
        self._check_blocks_defined()
        if isolated:
            self._close_scope()
        else:
            for name in scope.definitions.pop():
                scope.values.pop(name, None)
        self.expect("}")
        return region

    def _region_body(self, region: Region, arguments: list[Argument]) -> Generator[Any, Any, None]:
        if self.kind == "block" and arguments:
            self.error("invalid block name in region with named arguments")
        if self.kind != "block":
            block = Block()
            region.add_block(block)
            for argument in arguments:
                self._check_argument_free(argument)
                value = block.add_argument(argument.type, argument.location or argument.offset)
                self.define(argument.name, [value], argument.offset)
            yield from self._block_body(block)
        while self.kind == "block":
            block = self._block_header(region)
            yield from self._block_body(block)

    def _check_argument_free(self, argument: Argument) -> None:
        entry = self._scopes[-1].values.get(argument.name)
        if entry and entry[0] is not None:
            place = self._defined_at.get(entry[0])
            notes = [self.note("previously referenced here", place)] if place is not None else []
            self.error(
                f"region entry argument '{argument.name}' is already in use",
                at=argument.offset,
                prefix=False,
                notes=notes,
            )

    def _block_body(self, block: Block) -> Generator[Any, Any, None]:
        while self.kind != "block" and not (self.text == "}" and self.kind == "punct"):
            yield from self._operation_into(block)

    def _block_header(self, region: Region) -> Block:
        offset = self.start
        name = self.advance()
        names = self._block_names[-1]
        undefined = self._undefined_blocks[-1]
        if name in names and name not in undefined:
            notes = [self.note("previously defined here", names[name][1])]
            self.error(f"redefinition of block '{name}'", at=offset, notes=notes)
        block = names[name][0] if name in undefined else Block()
        undefined.pop(name, None)
        names[name] = (block, offset)
        region.add_block(block)
        if self.accept("("):
            while self.text != ")":
                self._block_argument(block)
                if not self.accept(","):
                    break
            self.expect(")")
        self.expect(":", "expected ':' after block name")
        return block

    def _block_argument(self, block: Block) -> None:
        operand = self.operand()
        self.expect(":")
        value = block.add_argument(self.type(), operand.offset)
        if self.text == "loc" and self.kind == "bare":

            def assign(location: Location) -> None:
                value.location = location

            self.read_location(assign)
        self.define(operand.name, [value], operand.offset)

    def _successors(self, state: OperationState) -> None:
        while True:
            if self.kind != "block":
                self.error("expected block name")
            offset = self.start
            name = self.advance()
            names = self._block_names[-1]
            if name not in names:
                names[name] = (Block(), offset)
                self._undefined_blocks[-1][name] = offset
            state.successors.append(names[name][0])
            if self.accept("("):
                values = self.operands()
                self.expect(":")
                types = [self.type()]
                while self.accept(","):
                    types.append(self.type())
                self.expect(")")
                state.operands += self.resolve_all(values, types)
            if not self.accept(","):
                break
        self.expect("]")

    def _check_blocks_defined(self) -> None:
        self._block_names.pop()
        undefined = self._undefined_blocks.pop()
        if undefined:
            errors = [
                Diagnostic("error", self.context.source.position(offset), "reference to an undefined block")
                for offset in sorted(undefined.values())
            ]
            raise ParseError(*errors)

    # --- pieces that pretty forms share ---------------------------------------------------------------------------

    def argument(self, *, attributes: bool = False) -> Argument:
        """``%name: type [{...}] [loc(...)]``, a region argument."""
        operand = self.operand()
        self.expect(":")
        type = self.type()
        entries = self.dictionary() if attributes and self.text == "{" and self.kind == "punct" else EMPTY_DICTIONARY
        location = None
        if self.text == "loc" and self.kind == "bare":
            found: list[Location] = []
            self.read_location(found.append)
            location = found[0] if found else None
        return Argument(operand.name, type, operand.offset, entries, location)

    def optional_attributes(self, state: OperationState) -> None:
        """An attribute dictionary, if one comes next, into ``state.attributes``."""
        if self.text == "{" and self.kind == "punct":
            state.attributes.update(self.dictionary().entries)

    def symbol_name(self) -> str:
        """``@name`` as a definition's name."""
        if self.kind != "symbol":
            self.error("expected valid '@'-identifier for symbol name")
        return self.symbol()


def parse_module(context: Context) -> tuple[Operation, dict[str, str]]:
    """The module of ``context.source`` and the payloads of its resources by key.

    Raises:
        PyshardyError: the text has a syntax error; its diagnostics say where.
    """
    try:
        parser = Parser(context)
        return parser.parse_module(), parser.resources
    except LexError as error:
        context.emit("error", error.offset, error.message)
    except ParseError as error:
        for diagnostic in error.diagnostics:
            context.emit("error", diagnostic.position, diagnostic.message, diagnostic.notes)
    raise context.failure()


def parse_operation_text(context: Context) -> Operation:
    """The module of ``context.source``, without its resources."""
    return parse_module(context)[0]
