"""Parses types.

``attribute_parser`` reads the attributes in types (encodings, layouts).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

from pyshardy.ir.affine import AffineMapAttr
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import IntegerAttr
from pyshardy.ir.context import Context
from pyshardy.ir.parsing.lexer import BETWEEN, LexError
from pyshardy.ir.parsing.number_parser import NumberParser
from pyshardy.ir.parsing.possessive import repeated
from pyshardy.ir.parsing.token_parser import ParseError
from pyshardy.ir.registry import dialect
from pyshardy.ir.types import (
    DYNAMIC,
    FLOAT_WIDTHS,
    ComplexType,
    DialectType,
    FloatType,
    FunctionType,
    IndexType,
    IntegerType,
    NoneType,
    OtherShapedType,
    TensorType,
    TupleType,
    Type,
    UnrankedTensorType,
    shape_text,
)

T = TypeVar("T")

_INTEGER_TYPE = re.compile(r"(s|u)?i(\d+)")
DIMENSIONS = repeated(r"\d++x|\?x")
"""The pattern of what stands before the element type of a tensor, written without a blank."""
_SIMPLE_TENSOR = re.compile(rf"tensor<({DIMENSIONS})([a-zA-Z]\w*+)>", re.ASCII)
TENSOR = rf"tensor<{DIMENSIONS}[a-zA-Z]\w*+>"
"""The pattern of a type that ``simple_tensor`` may know."""
_TENSORS = re.compile(TENSOR + repeated(f", {TENSOR}", "+"), re.ASCII)
_DIMENSION = rf"{BETWEEN}([0-9]++|\?){BETWEEN}"
_DIMENSION_BEGINS = " \t\r\n/?0123456789"
_PLAIN_DIMENSIONS = re.compile(repeated(r"(?:[0-9]{1,18}+|\?)x"))
_UNRANKED = rf"<{BETWEEN}\*"
_VECTOR_DIMENSIONS = repeated(r"[ \t\r\n]*(?:\d++|\[[ \t]*\d++[ \t]*\])[ \t\r\n]*x")
_DIALECT_LEVELS = 4
"""How many levels of nesting a dialect's attribute counts for: its reader takes that much of Python's stack."""
_NO_ELEMENTS = (NoneType, TensorType, UnrankedTensorType, OtherShapedType, TupleType, FunctionType)
"""Builtin types of which there are no tensors."""
_WITHOUT_TYPES = frozenset(("arith", "builtin", "cf", "chlo", "func", "sdy", "tensor"))
_KEPT = frozenset(
    ("affine", "complex", "llvm", "math", "memref", "mhlo", "mpmd", "quant", "scf", "ub", "vector", "vhlo")
)
"""Dialects that are not here and whose attributes and types are kept as their text all the same."""
_LONGEST_WIDTH = 6
"""Digits of the width of an integer type that is legal for sure."""
_LONGEST_SIZE = 18
"""Digits of a size of which nobody needs to ask whether it fits 64 bits."""
_types_by_text: dict[str, Type] = {}


def simple_tensor(text: str) -> Type | None:
    """The type that is written ``text``, if that is ``tensor<4x?xf32>`` with a number type and without a blank; None if
    it is anything else, or wrong."""
    known = _types_by_text.get(text)
    if known is not None:
        return known
    match = _SIMPLE_TENSOR.fullmatch(text)
    if match is None:
        return None
    dimensions, name = match.groups()
    element: Type
    if name in FLOAT_WIDTHS:
        element = FloatType(name)
    else:
        integer = _INTEGER_TYPE.fullmatch(name)
        if integer is None or len(integer[2]) > _LONGEST_WIDTH:
            return None
        element = IntegerType(int(integer[2]), integer[1] or "")
    sizes = dimensions.split("x")[:-1]
    if len(max(sizes, key=len, default="")) > _LONGEST_SIZE:
        return None
    made = TensorType([DYNAMIC if size == "?" else int(size) for size in sizes], element)
    _types_by_text[text] = made
    return made


class TypeParser(NumberParser):
    """Reads types from ``context.source``."""

    def __init__(self, context: Context) -> None:
        self.type_aliases: dict[str, Type] = {}
        self._alias_depths: dict[str, int] = {}
        super().__init__(context)

    def attribute(self, type: Type | None = None) -> Attribute:
        """Any attribute; ``type`` is the type of a number or string that has none of its own."""
        raise NotImplementedError

    def starts_attribute(self) -> bool:
        """Whether an attribute comes next."""
        raise NotImplementedError

    def enter_alias(self, written: str) -> None:
        """Counts the nesting of what an alias stands for as if it stood here."""
        levels = self._alias_depths.get(written, 0)
        self._enter(levels)
        self._depth -= levels

    def type(self) -> Type:
        """Any type.

        Raises:
            ParseError: ``expected non-function type`` and the like.
        """
        if self.kind == "bare":
            if self.text == "tensor":
                match = _SIMPLE_TENSOR.match(self.source, self.start)
                if match is not None:
                    known = simple_tensor(match[0])
                    if known is not None:
                        self.move_to(match.end())
                        return known
            return self._bare_type()
        if self.kind == "punct" and self.text == "(":
            return self._function_type()
        if self.kind != "type":
            self.error_after_previous("expected non-function type")
        return self._dialect_type()

    def types(self) -> list[Type]:
        """A comma list of at least one type."""
        found = self._simple_tensors() or [self.type()]
        while self.accept(","):
            found.append(self.type())
        return found

    def _simple_tensors(self) -> list[Type]:
        """Those that come first, as far as they are simple and there are several; nothing if one of them is wrong."""
        match = _TENSORS.match(self.source, self.start)
        if match is None:
            return []
        found: list[Type] = []
        for text in match[0].split(", "):
            type = simple_tensor(text)
            if type is None:
                return []
            found.append(type)
        self.move_to(match.end())
        return found

    def function_type(self) -> FunctionType:
        """A type that must be ``(…) -> …``."""
        offset = self.start
        found = self.type()
        if not isinstance(found, FunctionType):
            self.error(f"invalid kind of type specified: expected builtin.function, but found '{found}'", at=offset)
        return found

    def optional_type(self) -> Type | None:
        """A type, if one comes next."""
        starts = self.kind == "type" or (self.kind == "punct" and self.text == "(")
        if starts or (self.kind == "bare" and self.names_type()):
            return self.type()
        return None

    def names_type(self) -> bool:
        """Whether the current keyword is a type, or begins one."""
        text = self.text
        if text in ("tensor", "complex", "tuple", "vector", "memref", "index", "none") or text in FLOAT_WIDTHS:
            return True
        return _INTEGER_TYPE.fullmatch(text) is not None

    def _bare_type(self) -> Type:
        text = self.text
        match = _INTEGER_TYPE.fullmatch(text)
        if match is not None:
            width = int(match[2]) if len(match[2]) < 20 else 2**32
            if width >= 2**32:
                self.error("invalid integer width", prefix=False)
            if width > 16777215:
                self.error("integer bitwidth is limited to 16777215 bits", prefix=False)
            self.advance()
            return IntegerType(width, match[1] or "")
        if text in FLOAT_WIDTHS:
            self.advance()
            return FloatType(text)
        reader = _TYPE_READERS.get(text)
        if reader is None:
            self.error_after_previous("expected non-function type")
        self._enter()
        found = reader(self)
        self._depth -= 1
        return found

    def _index(self) -> Type:
        self.advance()
        return IndexType()

    def _none(self) -> Type:
        self.advance()
        return NoneType()

    def _complex(self) -> Type:
        self.advance()
        self.expect("<", "expected '<' in complex type")
        offset = self.start
        element = self.type()
        if not isinstance(element, IntegerType | FloatType):
            self.error("invalid element type for complex", at=offset, prefix=False)
        self.expect(">", "expected '>' in complex type")
        return ComplexType(element)

    def _tuple(self) -> Type:
        self.advance()
        return TupleType(self.comma_list("<", ">", self.type, " in tuple type"))

    def _tensor(self) -> Type:
        self.advance()
        if self.text != "<":
            self.error_after_previous("expected '<' in tensor type")
        if self._unranked():
            element = self._tensor_element()
            encoded = self.accept(",") and self.starts_attribute()
            if encoded:
                self.attribute()
            self.expect(">", "expected '>' in tensor type")
            if encoded:
                self.error("cannot apply encoding to unranked tensor", prefix=False)
            return UnrankedTensorType(element)
        shape = self._dimensions()
        element = self._tensor_element()
        encoding = None
        if self.accept(",") and self.starts_attribute():
            encoding = self.attribute()
            problem = encoding.misfit(tuple(shape), str(TensorType(shape, element)))
            if problem is not None:
                self.error(problem, prefix=False)
        self.expect(">", "expected '>' in tensor type")
        return TensorType(shape, element, encoding)

    def _unranked(self) -> bool:
        """Consumes ``<*x`` if that comes next."""
        match = re.compile(_UNRANKED).match(self.source, self.start)
        if match is None:
            return False
        self.move_to(match.end())
        if self.kind != "bare" or self.text[0] != "x":
            self.error_after_previous("expected 'x' in dimension list")
        self.move_to(self.start + 1)
        return True

    def _dimensions(self) -> list[int]:
        """The dimensions behind the current ``<``; the current token is then the first one of the element type."""
        plain = _PLAIN_DIMENSIONS.match(self.source, self.start + 1)
        assert plain is not None
        shape = [DYNAMIC if size == "?" else int(size) for size in plain[0].split("x")[:-1]]
        place = plain.end()
        while True:
            match = None
            if self.source[place : place + 1] in _DIMENSION_BEGINS:
                match = re.compile(_DIMENSION).match(self.source, place)
            if match is None:
                self.move_to(place)
                return shape
            size = DYNAMIC if match[1] == "?" else self.integer_value(match[1])
            if size > 2**63 - 1:
                self.error("invalid dimension", at=match.start(1), prefix=False)
            if self.source[match.end() : match.end() + 1] != "x":
                self.error("expected 'x' in dimension list", at=match.end(1), prefix=False)
            shape.append(size)
            place = match.end() + 1

    def _tensor_element(self) -> Type:
        offset = self.start
        element = self.type()
        if isinstance(element, _NO_ELEMENTS) and not str(element).startswith("vector"):
            self.error("invalid tensor element type", at=offset, prefix=False)
        return element

    def _vector(self) -> Type:
        start = self.start
        self.advance()
        if not self.at("<"):
            self.error_after_previous("expected '<' in vector type")
        match = re.compile(_VECTOR_DIMENSIONS, re.ASCII).match(self.source, self.end)
        assert match is not None
        shape = tuple(self.integer_value(size) for size in re.findall(r"\d+", match[0]))
        if any(size > 2**63 - 1 for size in shape):
            self.error("invalid dimension", prefix=False)
        dimensions = "".join(match[0].split())
        self.move_to(match.end())
        if self.kind == "int":
            self.advance()
            self.error("expected 'x' in dimension list", at=self.previous_end, prefix=False)
        element = self.type()
        self.expect(">", "expected '>' in vector type")
        if 0 in shape:
            message = f"vector types must have positive constant sizes but got {', '.join(map(str, shape))}"
            self.error(message, at=start, prefix=False)
        if not isinstance(element, IntegerType | FloatType | IndexType):
            message = "failed to verify 'elementType': VectorElementTypeInterface instance"
            self.error(message, at=start, prefix=False)
        return OtherShapedType(f"vector<{dimensions}", shape, element)

    def _memref(self) -> Type:
        self.advance()
        if not self.at("<"):
            self.error_after_previous("expected '<' in memref type")
        unranked = self._unranked()
        # An unranked one has no shape; as one dynamic dimension it is not static, which is all that anyone asks.
        shape = [DYNAMIC] if unranked else self._dimensions()
        offset = self.start
        element = self.type()
        if not isinstance(element, IntegerType | FloatType | IndexType | ComplexType | OtherShapedType):
            self.error("invalid memref element type", at=offset, prefix=False)
        extras = self._memref_extras(None if unranked else len(shape))
        self.expect(">", "expected ',' or '>'")
        dimensions = "*x" if unranked else shape_text(shape)
        return OtherShapedType(f"memref<{dimensions}", shape, element, extras)

    def _memref_extras(self, rank: int | None) -> list[Attribute]:
        """The last layout and the memory space that follow an element type, without those that are the default."""
        layout: Attribute | None = None
        space: Attribute | None = None
        while self.accept(","):
            if not self.starts_attribute():
                self.error_after_previous("expected list element")
            offset = self.start
            strided = self.at("strided")
            found = self.attribute()
            if not strided and not isinstance(found, AffineMapAttr):
                space = found
                continue
            if space is not None:
                self.error("expected memory space to be last in memref type", prefix=False)
            if rank is None:
                self.error("cannot have affine map for unranked memref type", at=offset, prefix=False)
            layout = found if found is not AffineMapAttr.identity(rank) else None
        if isinstance(space, IntegerAttr) and not space.value:
            space = None
        return [extra for extra in (layout, space) if extra is not None]

    def _function_type(self) -> Type:
        self._enter()
        inputs = self.comma_list("(", ")", self.type)
        self.expect("->", "expected '->' in function type")
        results = self.comma_list("(", ")", self.type) if self.at("(") else [self.type()]
        self._depth -= 1
        return FunctionType(inputs, results)

    def _dialect_type(self) -> Type:
        offset = self.start
        name = self.advance()[1:]
        namespace, dot, mnemonic = name.partition(".")
        bracket = self.at("<") and self.start == self.previous_end
        if not dot and not bracket:
            known = self.type_aliases.get(name)
            if known is None:
                self.error_after_previous(f"undefined symbol alias id '{name}'")
            self.enter_alias(f"!{name}")
            return known
        home = dialect(namespace)
        if home is not None and home.parse_type is not None:
            return self.in_dialect(mnemonic, home.parse_type)
        if namespace in _WITHOUT_TYPES:
            place = offset + len(namespace) + 2
            self.error(f"dialect '{namespace}' provides no type parsing hook", at=place, prefix=False)
        return DialectType(self.opaque_text(namespace, mnemonic, offset))

    def opaque_text(self, namespace: str, mnemonic: str, offset: int) -> str:
        """The text of an attribute or type that began at ``offset`` and is kept as it is."""
        sign = self.source[offset]
        body = self.raw_body() if self.at("<") and self.start == self.previous_end else ""
        if not self.context.allow_unregistered and namespace not in _KEPT and dialect(namespace) is None:
            what, written = mnemonic + body if mnemonic else body[1:-1], "attribute" if sign == "#" else "type"
            name = f"""#"{namespace}"<"{what}"> : 'none'""" if sign == "#" else f"""`!"{namespace}"<"{what}">`"""
            message = (
                f"{name} {written} created with unregistered dialect. If this is intended, please call "
                "allowUnregisteredDialects() on the MLIRContext, or use -allow-unregistered-dialect with the MLIR opt "
                "tool used"
            )
            self.error(message, at=offset + len(namespace) + 2 if mnemonic else offset, prefix=False)
        text = f"{sign}{namespace}.{mnemonic}{body}" if mnemonic else f"{sign}{namespace}{body}"
        if not mnemonic:
            match = re.fullmatch(r"<([A-Za-z][\w.]*)(<.*>)?>", body, re.ASCII | re.DOTALL)
            if match is not None:
                text = f"{sign}{namespace}.{match[1]}{match[2] or ''}"
        return self.context.spellings.spelled(text)

    def in_dialect(self, mnemonic: str, read: Callable[[Any, str], T]) -> T:
        """Runs a dialect's reader, which takes this parser, on the body of ``#dialect.mnemonic…`` or
        ``#dialect<mnemonic…>``."""
        self._enter(_DIALECT_LEVELS)
        custom_op, self.custom_op = self.custom_op, None
        start = self.start
        bracket = self.at("<") and start == self.previous_end
        name_end = self.previous_end
        try:
            if not mnemonic and bracket:
                self.advance()
            found = read(self, mnemonic or self.keyword())
        except (ParseError, LexError):
            # MLIR checks the brackets of the body before anything else.
            if bracket:
                self.move_to(start)
                self.raw_body()
            raise
        if not bracket:
            self.move_to(name_end)
        elif not mnemonic and not self.accept(">"):
            # What a reader leaves over in `<…>` is ignored, as in MLIR.
            self.move_to(start)
            self.raw_body()
        self.custom_op = custom_op
        self._depth -= _DIALECT_LEVELS
        return found


_TYPE_READERS: dict[str, Callable[[TypeParser], Type]] = {
    "tensor": TypeParser._tensor,
    "complex": TypeParser._complex,
    "tuple": TypeParser._tuple,
    "index": TypeParser._index,
    "none": TypeParser._none,
    "vector": TypeParser._vector,
    "memref": TypeParser._memref,
}
