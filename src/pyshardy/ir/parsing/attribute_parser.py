"""Parses attributes; dialects read their own attributes with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import (
    EMPTY_DICTIONARY,
    ArrayAttr,
    DictionaryAttr,
    DistinctAttr,
    IntegerAttr,
    OpaqueAttr,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
)
from pyshardy.ir.context import Context
from pyshardy.ir.locations import Location
from pyshardy.ir.parsing.dense_array_text import parse_dense_array
from pyshardy.ir.parsing.element_literals import parse_elements
from pyshardy.ir.parsing.location_parser import parse_location
from pyshardy.ir.parsing.type_parser import TypeParser
from pyshardy.ir.registry import dialect
from pyshardy.ir.types import F64, I1, I64, NoneType, Type

T = TypeVar("T")
A = TypeVar("A", bound=Attribute)

_ALIAS_GROWTH, _ALIAS_ALLOWANCE = 16, 2**20
"""An alias may stand for this many times the text of the file, and this many characters more."""
_WITHOUT_ATTRIBUTES = frozenset(("builtin", "cf", "func", "shape", "tensor"))


_LONGEST_REPEATED = 300


class AttributeParser(TypeParser):
    """Reads attributes and types from ``context.source``."""

    def __init__(self, context: Context) -> None:
        self.attribute_aliases: dict[str, Attribute] = {}
        self.resources = context.resources
        self._distinct: dict[int, DistinctAttr] = {}
        self._repeated: dict[str, Attribute] = {}
        super().__init__(context)

    # --- aliases --------------------------------------------------------------------------------------------------

    def attribute_alias(self) -> None:
        """``#name = attribute``."""
        name = self._alias_name("attribute", self.attribute_aliases)
        self.attribute_aliases[name] = self._alias_value(f"#{name}", self.attribute)

    def type_alias(self) -> None:
        """``!name = type``."""
        name = self._alias_name("type", self.type_aliases)
        self.type_aliases[name] = self._alias_value(f"!{name}", self.type)

    def _alias_name(self, what: str, known: dict[str, T]) -> str:
        offset = self.start
        name = self.text[1:]
        if name in known:
            self.error(f"redefinition of {what} alias id '{name}'", at=offset)
        if "." in name:
            self.error(f"{what} names with a '.' are reserved for dialect-defined names", at=offset)
        self.advance()
        self.expect("=", f"expected '=' in {what} alias definition")
        return name

    def _alias_value(self, written: str, read: Callable[[], A]) -> A:
        """What an alias stands for. Aliases of aliases could stand for more text than any memory holds."""
        offset = self.start
        self._deepest = 0
        value = read()
        if isinstance(value, Location):
            return value
        self._alias_depths[written] = self._deepest
        if len(str(value)) > _ALIAS_GROWTH * len(self.source) + _ALIAS_ALLOWANCE:
            self.error("alias stands for too much text, the limit of this parser", at=offset, prefix=False)
        return value

    # --- attributes -----------------------------------------------------------------------------------------------

    def attribute(self, type: Type | None = None) -> Attribute:
        """Any attribute; ``type`` is the type of a number or string that has none of its own."""
        kind, text = self.kind, self.text
        if kind == "symbol":
            return self._symbol_reference()
        if kind in ("int", "float") or (kind == "punct" and text == "-"):
            return self._number(type)
        if kind == "string":
            value = self.string()
            if type is None and self.accept(":"):
                type = self.type()
            return StringAttr(value, None if isinstance(type, NoneType) else type)
        if kind == "punct" and text == "[":
            self._enter()
            elements = self._array_elements()
            self._depth -= 1
            return ArrayAttr(elements)
        if kind == "punct" and text == "{":
            return self.dictionary()
        if kind == "hash":
            return self._hash_attribute()
        if kind == "bare":
            reader = _ATTRIBUTE_READERS.get(text)
            if reader is not None:
                return reader(self, type)
        found = self.optional_type()
        if found is None:
            self.error_after_previous("expected attribute value")
        return found

    def starts_attribute(self) -> bool:
        """Whether an attribute comes next."""
        if self.kind in ("symbol", "int", "float", "string", "hash", "type"):
            return True
        if self.kind == "punct":
            return self.text in ("-", "[", "{", "(")
        return self.kind == "bare" and (self.text in _ATTRIBUTE_READERS or self.names_type())

    def _array_elements(self) -> list[Attribute]:
        self.advance()
        found: list[Attribute] = []
        if self.accept("]"):
            return found
        found += [IntegerAttr(number, I64) for number in self.integer_run()]
        found.append(self.attribute())
        while self.accept(","):
            found.append(self.attribute())
        self.expect("]", "expected ',' or ']'")
        return found

    def dictionary(self) -> DictionaryAttr:
        """``{name = value, unit, …}``."""
        self._enter()
        custom_op, self.custom_op = self.custom_op, None
        entries: dict[str, Attribute] = {}
        self.expect("{", "expected '{' in attribute dictionary")
        if not self.at("}"):
            self._entry(entries)
            while self.accept(","):
                self._entry(entries)
        self.expect("}", "expected '}' in attribute dictionary")
        self.custom_op = custom_op
        self._depth -= 1
        return DictionaryAttr(entries) if entries else EMPTY_DICTIONARY

    def _entry(self, entries: dict[str, Attribute]) -> None:
        offset = self.start
        if self.kind == "string":
            name = self.string()
        elif self.kind == "bare":
            name = self.advance()
        else:
            self.error_after_previous("expected attribute name")
        if not name:
            self.error("expected valid attribute name", at=offset)
        if name in entries:
            self.error(f"duplicate key '{name}' in dictionary attribute", at=offset)
        entries[name] = self.attribute() if self.accept("=") else UnitAttr()

    def flat_symbol_reference(self) -> SymbolRefAttr:
        """``@name`` as an attribute, without ``::``."""
        offset = self.start
        found = self.attribute()
        if not isinstance(found, SymbolRefAttr) or len(found.path) != 1:
            self.error("invalid kind of attribute specified", at=offset)
        return found

    def _symbol_reference(self) -> Attribute:
        path = [self.symbol()]
        while self.at("::"):
            self.advance()
            if self.kind != "symbol":
                self.error("expected nested symbol reference identifier", prefix=False)
            path.append(self.symbol())
        return SymbolRefAttr(*path)

    def _number(self, type: Type | None) -> Attribute:
        negative = self.accept("-")
        if self.kind not in ("int", "float"):
            self.error_after_previous("expected constant integer or floating point value")
        offset = self.start
        kind, text = self.kind, self.advance()
        if type is None:
            type = self.type() if self.accept(":") else (F64 if kind == "float" else I64)
        return self.number(kind, text, negative, type, offset)

    def _hash_attribute(self) -> Attribute:
        offset = self.start
        # Long texts that begin alike and end like this are mostly shardings, of which a program repeats a few.
        end = self.source.find("]>", offset, offset + _LONGEST_REPEATED) + 2
        known = self._repeated.get(self.source[offset:end]) if end > 1 else None
        if known is not None:
            self.move_to(end)
            return known
        found = self._new_hash_attribute(offset)
        if self.previous_end == end and not self.context.diagnostics:
            self._repeated[self.source[offset:end]] = found
        return found

    def _new_hash_attribute(self, offset: int) -> Attribute:
        name = self.advance()[1:]
        namespace, dot, mnemonic = name.partition(".")
        bracket = self.at("<") and self.start == self.previous_end
        if not dot and not bracket:
            known = self.attribute_aliases.get(name)
            if known is None:
                self.error_after_previous(f"undefined symbol alias id '{name}'")
            self.enter_alias(f"#{name}")
            return known
        home = dialect(namespace)
        if home is not None and home.parse_attribute is not None:
            found = self.in_dialect(mnemonic, home.parse_attribute)
            if self.accept(":"):
                self.type()
            return found
        if namespace in _WITHOUT_ATTRIBUTES:
            place = offset + len(namespace) + 2
            self.error(f"dialect '{namespace}' provides no attribute parsing hook", at=place, prefix=False)
        text = self.opaque_text(namespace, mnemonic, offset)
        if self.accept(":"):
            type = self.type()
            text += f" : {type}" if not isinstance(type, NoneType) else ""
        return OpaqueAttr(text)

    def _dense_array(self, _: Type | None) -> Attribute:
        return parse_dense_array(self)

    def _boolean(self, _: Type | None) -> Attribute:
        return IntegerAttr(int(self.advance() == "true"), I1)

    def _unit(self, _: Type | None) -> Attribute:
        self.advance()
        return UnitAttr()

    def _elements(self, _: Type | None) -> Attribute:
        return parse_elements(self)

    def _location(self, _: Type | None) -> Attribute:
        self.advance()
        self.expect("(", "expected '(' in inline location")
        found = parse_location(self)
        self.expect(")", "expected ')' in inline location")
        return found

    def _affine_map(self, _: Type | None) -> Attribute:
        from pyshardy.ir.parsing.affine_parser import parse_affine_map

        self.advance()
        return parse_affine_map(self)

    def _integer_set(self, _: Type | None) -> Attribute:
        from pyshardy.ir.parsing.affine_parser import parse_integer_set

        self.advance()
        return parse_integer_set(self)

    def _distinct_attribute(self, _: Type | None) -> Attribute:
        self.advance()
        self.expect("[", "expected '[' after 'distinct'")
        if self.kind != "int":
            self.error_after_previous("expected distinct ID")
        offset = self.start
        number = self.integer_value(self.advance())
        if number >= 2**64:
            self.error("expected an unsigned 64-bit integer", at=offset, prefix=False)
        self.expect("]", "expected ']' to close distinct ID")
        self.expect("<", "expected '<' after distinct ID")
        self._enter()
        offset = self.start
        referenced = UnitAttr() if self.at(">") else self.attribute()
        self._depth -= 1
        self.expect(">", "expected '>' to close distinct attribute")
        known = self._distinct.setdefault(number, DistinctAttr(referenced))
        if known.referenced is not referenced:
            message = f"referenced attribute does not match previous definition: {known.referenced}"
            self.error(message, at=offset, prefix=False)
        return known

    def _strided(self, _: Type | None) -> Attribute:
        self.advance()
        self.expect("<", "expected '<' after 'strided'")
        strides = self.comma_list("[", "]", self._stride)
        offset = "0"
        if not self.at(">"):
            self.expect(",")
            if not self.accept_keyword("offset"):
                self.error_after_previous("expected 'offset' after comma")
            self.expect(":", "expected ':' after 'offset'")
            offset = self._stride()
        self.expect(">")
        ending = f", offset: {offset}" if offset != "0" else ""
        return OpaqueAttr(f"strided<[{', '.join(strides)}]{ending}>")

    def _stride(self) -> str:
        if self.accept("?"):
            return "?"
        value = self.optional_integer()
        if value is None:
            self.error("expected a 64-bit signed integer or '?'", prefix=False)
        return str(value)


_ATTRIBUTE_READERS: dict[str, Callable[[AttributeParser, Type | None], Attribute]] = {
    "true": AttributeParser._boolean,
    "false": AttributeParser._boolean,
    "unit": AttributeParser._unit,
    "array": AttributeParser._dense_array,
    "dense": AttributeParser._elements,
    "dense_resource": AttributeParser._elements,
    "sparse": AttributeParser._elements,
    "loc": AttributeParser._location,
    "affine_map": AttributeParser._affine_map,
    "affine_set": AttributeParser._integer_set,
    "strided": AttributeParser._strided,
    "distinct": AttributeParser._distinct_attribute,
}
