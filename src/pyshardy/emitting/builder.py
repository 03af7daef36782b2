"""Creates StableHLO operations in the program of one device.

A ``Builder`` appends to a block, and knows which blocks are open, so that an earlier value is used again only where it
is visible. Scalars that depend on nothing but the device (``coordinates``) and small constants are created once, at the
start of the function. All localizers use a builder; it knows nothing of layouts.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pyshardy.dialects.stablehlo.attributes import COMPARISON_DIRECTION, COMPARISON_TYPE, ChannelHandle
from pyshardy.ir import rewriting
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import EMPTY_DICTIONARY, DenseArrayAttr, DictionaryAttr, IntegerAttr
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Block, Operation, OpResult, Region, Signature, Value
from pyshardy.ir.types import I1, I32, I64, FloatType, IntegerType, TensorType, Type

if TYPE_CHECKING:
    from pyshardy.ir.locations import Location

Properties = dict[str, Attribute]


def i64(value: int) -> IntegerAttr:
    """An ``i64`` attribute."""
    return IntegerAttr(value, I64)


def i64_array(values: Iterable[int]) -> DenseArrayAttr:
    """An ``array<i64: …>`` attribute."""
    return DenseArrayAttr(I64, values)


def tensor_type(value: Value) -> TensorType:
    """The type of a value that is a ranked tensor."""
    assert isinstance(value.type, TensorType)
    return value.type


class _Function:
    """The state of the function in which the builder works: its first block, the last of the operations at its start,
    values to use again, and the open blocks."""

    __slots__ = ("known", "last_early", "open", "start")

    def __init__(self, start: Block) -> None:
        self.start = start
        self.last_early: Operation | None = None
        self.known: dict[Hashable, Value] = {}
        self.open: list[Block] = [start]


class Builder:
    """Appends operations to a block. Every operation gets ``location``. With ``writes_identities`` it also creates
    broadcasts, reshapes, slices, pads and concatenations that change nothing."""

    def __init__(self, first_channel: int = 1, *, writes_identities: bool = False) -> None:
        self.location: int | Location | None = None
        self.next_channel = first_channel
        self.writes_identities = writes_identities
        self.splats: set[DenseElementsAttr] = set()
        """The splat constants that it has made to use again, those included that nobody needs any more."""
        self._function: _Function | None = None
        self._signatures: dict[Hashable, Signature] = {}
        self._at_function_start = False

    # --- where ------------------------------------------------------------------------------------------------------

    @property
    def function(self) -> _Function:
        assert self._function is not None
        return self._function

    @property
    def block(self) -> Block:
        """The block to which operations are appended."""
        assert self._function is not None
        return self._function.open[-1]

    @contextmanager
    def in_function(self, start: Block) -> Iterator[None]:
        """Works in another function, whose first block is ``start``; afterwards in the current one again."""
        before = self._function, self._at_function_start, self.location
        self._function, self._at_function_start = _Function(start), False
        try:
            yield
        finally:
            self._function, self._at_function_start, self.location = before

    @contextmanager
    def in_block(self, block: Block) -> Iterator[None]:
        """Appends to ``block``, a block in a region of an operation that is created afterwards."""
        self.function.open.append(block)
        try:
            yield
        finally:
            self.function.open.pop()

    @contextmanager
    def at_function_start(self) -> Iterator[None]:
        """Inserts operations at the start of the function, after those inserted there before."""
        before = self._at_function_start
        self._at_function_start = True
        try:
            yield
        finally:
            self._at_function_start = before

    def sees(self, value: Value) -> bool:
        """Whether ``value`` is visible in the current block."""
        return value.parent_block in self.function.open

    def cached(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """The value made for ``key`` before, if it is visible, otherwise a new one from ``make``."""
        known = self.function.known
        found = known.get(key)
        if found is None or not self.sees(found):
            found = known[key] = make()
        return found

    # --- operations -------------------------------------------------------------------------------------------------

    def create(
        self,
        name: str,
        operands: Sequence[Value],
        types: Iterable[Type],
        properties: DictionaryAttr | Properties = EMPTY_DICTIONARY,
        attributes: DictionaryAttr = EMPTY_DICTIONARY,
        regions: tuple[Region, ...] = (),
    ) -> Operation:
        """A new operation at the current place."""
        if isinstance(properties, dict):
            properties = DictionaryAttr(properties)
        op = rewriting.create(name, operands, types, properties, attributes, regions, (), self.location)
        self.place(op)
        return op

    def place(self, op: Operation) -> None:
        """Puts a new operation at the current place."""
        if not op.regions:
            op.signature = self._signature(op)
        if not self._at_function_start:
            rewriting.append(self.block, op)
            return
        function = self.function
        if function.last_early is None:
            rewriting.prepend(function.start, op)
        else:
            rewriting.insert_after(function.last_early, op)
        function.last_early = op

    def _signature(self, op: Operation) -> Signature:
        """One object for all operations that are created alike, so that they are verified and printed once."""
        inputs, outputs = tuple([value.type for value in op.operands]), tuple([result.type for result in op.results])
        key = (op.name, op.properties, op.attributes, inputs, outputs)
        found = self._signatures.get(key)
        if found is None:
            found = self._signatures[key] = Signature()
            found.properties, found.attributes = op.properties, op.attributes
        return found

    def emit(
        self,
        name: str,
        operands: Sequence[Value],
        type: Type,
        properties: DictionaryAttr | Properties = EMPTY_DICTIONARY,
    ) -> OpResult:
        """The result of a new operation ``stablehlo.name`` with one result."""
        return self.create(f"stablehlo.{name}", operands, (type,), properties).results[0]

    def constant(self, value: DenseElementsAttr) -> Value:
        """A constant in the current block."""
        return self.emit("constant", (), value.type, {"value": value})

    def integers(self, values: Sequence[int], element: Type = I64) -> Value:
        """A constant with one dimension in the current block."""
        return self.constant(DenseElementsAttr.of(TensorType((len(values),), element), values))

    def scalar(self, value: int | float, element: Type = I32) -> Value:
        """A scalar constant at the start of the function."""
        return self.splat(value, TensorType((), element))

    def splat(self, value: int | float, type: TensorType) -> Value:
        """A constant whose elements are all ``value``, used again where it is visible."""
        return self.splat_of(DenseElementsAttr.splat_of(type, value))

    def splat_of(self, value: DenseElementsAttr) -> Value:
        """A splat constant, used again where it is visible."""
        self.splats.add(value)
        if value.type.shape:
            return self.cached(value, lambda: self.constant(value))
        with self.at_function_start():
            return self.cached(value, lambda: self.constant(value))

    def binary(self, name: str, a: Value, b: Value) -> Value:
        """``add``, ``subtract``, … of two values of one type."""
        return self.emit(name, (a, b), a.type)

    def compare(self, a: Value, direction: str, b: Value) -> Value:
        """``EQ``, ``LT``, … of two values of one type."""
        type = tensor_type(a)
        element = type.element
        kind = "FLOAT" if isinstance(element, FloatType) else "SIGNED"
        if isinstance(element, IntegerType) and (element.signedness == "u" or element.width == 1):
            kind = "UNSIGNED"
        properties: Properties = {
            "comparison_direction": COMPARISON_DIRECTION.of(direction),
            "compare_type": COMPARISON_TYPE.of(kind),
        }
        return self.emit("compare", (a, b), TensorType(type.shape, I1), properties)

    def select(self, chosen: Value, a: Value, b: Value) -> Value:
        """``a`` where ``chosen`` (a scalar, or of the same shape), else ``b``."""
        return self.emit("select", (chosen, a, b), a.type)

    def clamp(self, low: Value, value: Value, high: Value) -> Value:
        """``value`` clamped to ``low`` … ``high`` (scalars, or of the same shape)."""
        return self.emit("clamp", (low, value, high), value.type)

    def convert(self, value: Value, element: Type) -> Value:
        """``value`` with another element type."""
        type = tensor_type(value)
        return value if type.element is element else self.emit("convert", (value,), TensorType(type.shape, element))

    def broadcast(self, value: Value, shape: Sequence[int], dims: Sequence[int] = ()) -> Value:
        """``value`` with its dimensions at ``dims`` of a tensor of ``shape``."""
        type = tensor_type(value)
        if not self.writes_identities and type.shape == tuple(shape) and tuple(dims) == tuple(range(type.rank)):
            return value
        return self.emit(
            "broadcast_in_dim", (value,), type.with_shape(shape), {"broadcast_dimensions": i64_array(dims)}
        )

    def iota(self, type: TensorType, dim: int) -> Value:
        """Counts along dimension ``dim``."""
        return self.emit("iota", (), type, {"iota_dimension": i64(dim)})

    def reshape(self, value: Value, shape: Sequence[int]) -> Value:
        """``value`` in another shape."""
        type = tensor_type(value)
        if type.shape == tuple(shape) and not self.writes_identities:
            return value
        return self.emit("reshape", (value,), type.with_shape(shape))

    def transpose(self, value: Value, permutation: Sequence[int]) -> Value:
        """Result dimension d is dimension ``permutation[d]`` of ``value``."""
        type = tensor_type(value)
        if tuple(permutation) == tuple(range(type.rank)):
            return value
        shape = [type.shape[dim] for dim in permutation]
        return self.emit("transpose", (value,), type.with_shape(shape), {"permutation": i64_array(permutation)})

    def slice(
        self, value: Value, starts: Sequence[int], limits: Sequence[int], strides: Sequence[int] | None = None
    ) -> Value:
        """Elements ``starts`` up to (excluding) ``limits`` of each dimension."""
        type = tensor_type(value)
        if strides is None:
            strides = (1,) * type.rank
        changes = any(starts) or tuple(limits) != type.shape or any(stride != 1 for stride in strides)
        if not changes and not self.writes_identities:
            return value
        shape = [
            max(0, -(-(limit - start) // stride)) for start, limit, stride in zip(starts, limits, strides, strict=True)
        ]
        properties: Properties = {
            "start_indices": i64_array(starts),
            "limit_indices": i64_array(limits),
            "strides": i64_array(strides),
        }
        return self.emit("slice", (value,), type.with_shape(shape), properties)

    def slice_dim(self, value: Value, dim: int, start: int, limit: int, stride: int = 1) -> Value:
        """Elements ``start`` up to (excluding) ``limit`` of one dimension."""
        shape = tensor_type(value).shape
        starts, limits, strides = [0] * len(shape), list(shape), [1] * len(shape)
        starts[dim], limits[dim], strides[dim] = start, limit, stride
        return self.slice(value, starts, limits, strides)

    def dynamic_slice(self, value: Value, starts: Sequence[Value], sizes: Sequence[int]) -> Value:
        """``sizes`` elements of each dimension from ``starts`` (scalars of one type) on."""
        type = tensor_type(value).with_shape(sizes)
        return self.emit("dynamic_slice", (value, *starts), type, {"slice_sizes": i64_array(sizes)})

    def dynamic_slice_dim(self, value: Value, dim: int, start: Value, size: int) -> Value:
        """``size`` elements of one dimension from ``start`` on."""
        shape = list(tensor_type(value).shape)
        zero = self.scalar(0, tensor_type(start).element)
        starts = [zero] * len(shape)
        starts[dim], shape[dim] = start, size
        return self.dynamic_slice(value, starts, shape)

    def dynamic_update_slice(self, value: Value, update: Value, starts: Sequence[Value]) -> Value:
        """``value`` with ``update`` written into it from ``starts`` (scalars of one type) on."""
        return self.emit("dynamic_update_slice", (value, update, *starts), value.type)

    def pad(
        self,
        value: Value,
        fill: Value,
        low: Sequence[int],
        high: Sequence[int],
        interior: Sequence[int] | None = None,
    ) -> Value:
        """``value`` with ``fill`` (a scalar) around it, between its elements too; negative low and high cut off."""
        type = tensor_type(value)
        if interior is None:
            interior = (0,) * type.rank
        if not any(low) and not any(high) and not any(interior) and not self.writes_identities:
            return value
        shape = [
            max(0, below + size + max(0, size - 1) * between + above)
            for size, below, above, between in zip(type.shape, low, high, interior, strict=True)
        ]
        properties: Properties = {
            "edge_padding_low": i64_array(low),
            "edge_padding_high": i64_array(high),
            "interior_padding": i64_array(interior),
        }
        return self.emit("pad", (value, fill), type.with_shape(shape), properties)

    def pad_dim(self, value: Value, fill: Value, dim: int, low: int, high: int, interior: int = 0) -> Value:
        """``value`` with ``fill`` (a scalar) around it and between its elements in one dimension."""
        amounts = [[0] * tensor_type(value).rank for _ in range(3)]
        for listed, amount in zip(amounts, (low, high, interior), strict=True):
            listed[dim] = amount
        return self.pad(value, fill, *amounts)

    def resize(self, value: Value, shape: Sequence[int]) -> Value:
        """``value`` padded with zeros at the end of each dimension, or sliced, to ``shape``."""
        type = tensor_type(value)
        if tuple(shape) == type.shape:
            return value
        cut = self.slice(value, [0] * type.rank, [min(a, b) for a, b in zip(type.shape, shape, strict=True)])
        high = [new - old for new, old in zip(shape, tensor_type(cut).shape, strict=True)]
        return self.pad(cut, self.scalar(0, type.element), [0] * type.rank, high) if any(high) else cut

    def concatenate(self, values: Sequence[Value], dim: int) -> Value:
        """``values`` concatenated along dimension ``dim``."""
        if len(values) == 1 and not self.writes_identities:
            return values[0]
        shape = list(tensor_type(values[0]).shape)
        shape[dim] = sum(tensor_type(value).shape[dim] for value in values)
        return self.emit("concatenate", values, tensor_type(values[0]).with_shape(shape), {"dimension": i64(dim)})

    # --- collectives ------------------------------------------------------------------------------------------------

    def channel(self) -> ChannelHandle:
        """A channel that no other collective of the module uses."""
        handle = ChannelHandle(self.next_channel, 1)
        self.next_channel += 1
        return handle


Build = Callable[[Builder, Sequence[Value]], Sequence[Value]]
"""(builder, operands) → results: creates operations."""
