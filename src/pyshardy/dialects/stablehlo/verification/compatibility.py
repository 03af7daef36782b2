"""When types that may have dynamic dimensions and bounds agree, and what is known when they do.

Stands on ``ir.types``; the rules of all families use it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pyshardy.dialects.stablehlo.attributes import Bounds
from pyshardy.dialects.stablehlo.future_type import FutureType
from pyshardy.dialects.stablehlo.verification.type_constraints import is_quantized
from pyshardy.dialects.stablehlo.verification.wrong import Wrong
from pyshardy.ir.types import DYNAMIC, ShapedType, TensorType, TupleType, Type

Dims = Sequence[int]


def dims_agree(one: int, other: int) -> bool:
    """Whether two sizes are equal or one is dynamic."""
    return one in (other, DYNAMIC) or other == DYNAMIC


def shapes_agree(one: Dims, other: Dims) -> bool:
    """Whether two shapes have one rank and sizes that agree."""
    return len(one) == len(other) and all(map(dims_agree, one, other))


def all_shapes_agree(types: Iterable[Type]) -> bool:
    """Whether all tensors have one rank and, in each dimension, all static sizes are equal."""
    shapes = [type.shape for type in types if isinstance(type, TensorType)]
    if len({len(shape) for shape in shapes}) > 1:
        return False
    return all(len({size for size in sizes if size != DYNAMIC}) <= 1 for sizes in zip(*shapes, strict=True))


def bounds_of(type: Type) -> tuple[int | None, ...]:
    """The upper bounds of the dimensions, empty if the type has none."""
    encoding = type.encoding if isinstance(type, TensorType) else None
    return encoding.bounds if isinstance(encoding, Bounds) else ()


def _keeps_bounds(shape: Dims, bounds: Sequence[int | None]) -> bool:
    return all(size == DYNAMIC or bound is None or size <= bound for size, bound in zip(shape, bounds, strict=False))


def element_of(type: Type) -> Type:
    """The element type of a tensor, any other type itself."""
    return type.element if isinstance(type, ShapedType) else type


def elements_compatible(one: Type, other: Type) -> bool:
    """Whether two element types can stand for each other: they are equal, or one is quantized."""
    return one is other or is_quantized(one) or is_quantized(other)


def compatible(one: Type, other: Type) -> bool:
    """Whether one type can stand where the other is expected: shapes agree, no size exceeds a bound, elements equal."""
    if isinstance(one, TensorType) and isinstance(other, TensorType):
        return (one is other and one.encoding is None) or (
            shapes_agree(one.shape, other.shape)
            and _keeps_bounds(one.shape, bounds_of(other))
            and _keeps_bounds(other.shape, bounds_of(one))
            and elements_compatible(one.element, other.element)
        )
    if isinstance(one, ShapedType) and isinstance(other, ShapedType):
        return elements_compatible(one.element, other.element)
    for kind in (TupleType, FutureType):
        if isinstance(one, kind) and isinstance(other, kind):
            return all_compatible(one.elements, other.elements)
    return one is other


def all_compatible(some: Sequence[Type], others: Sequence[Type]) -> bool:
    """Whether two lists are equally long and compatible one by one."""
    return len(some) == len(others) and all(map(compatible, some, others))


def most_specific(types: Sequence[Type]) -> Type:
    """The type that says all that any of ``types`` says about the sizes; they have one rank.

    Raises:
        Wrong: two of them contradict each other.
    """
    first = types[0]
    if len(types) == 1 or not isinstance(first, TensorType):
        return first
    if first.encoding is None and all(type is first for type in types):
        return first
    shape, bounds = [], []
    for dim in range(first.rank):
        sizes = [type.shape[dim] for type in types if isinstance(type, TensorType)]
        limits = [limits[dim] if (limits := bounds_of(type)) else None for type in types]
        size, bound = sizes[0], limits[0]
        for other, limit in zip(sizes[1:], limits[1:], strict=True):
            size, bound = meet(dim, size, bound, other, limit)
        shape.append(size)
        bounds.append(bound)
    # MLIR takes the encoding's kind from the first type: where that has no bounds, the others' are lost.
    return bounded(shape, first.element, bounds if bounds_of(first) else ())


def least_specific(types: Sequence[Type]) -> Type:
    """The type that says only what all of ``types``, which are compatible, say about the sizes."""
    first = types[0]
    if not isinstance(first, TensorType):
        return first
    shape: list[int] = []
    bounds: list[int | None] = []
    for dim in range(first.rank):
        sizes = [type.shape[dim] for type in types if isinstance(type, TensorType)]
        limits = [limits[dim] if (limits := bounds_of(type)) else None for type in types]
        shape.append(sizes[0] if len(set(sizes)) == 1 else DYNAMIC)
        known = [limit for limit in limits if limit is not None]
        bounds.append(max(known) if shape[-1] == DYNAMIC and len(known) == len(types) else None)
    return bounded(shape, first.element, bounds)


def bounded(shape: Sequence[int], element: Type, bounds: Sequence[int | None]) -> TensorType:
    """The tensor type with these bounds, without encoding if none is known."""
    known = any(bound is not None for bound in bounds)
    return TensorType(shape, element, Bounds(tuple(bounds)) if known else None)


def meet(dim: int, size: int, bound: int | None, other: int, limit: int | None) -> tuple[int, int | None]:
    """Size and bound of dimension ``dim``, of which two sizes and two bounds are known."""
    if size != DYNAMIC and other != DYNAMIC and size != other:
        raise Wrong(f"Mismatched dimension size {size} and {other} in dimension {dim}")
    for fixed, most in ((size, limit), (other, bound)):
        if fixed != DYNAMIC and most is not None and fixed > most:
            raise Wrong(f"Mismatched dimension size {fixed} and bound {most} in dimension {dim}")
    if size != DYNAMIC or other != DYNAMIC:
        return (size if size != DYNAMIC else other), None
    return DYNAMIC, min((one for one in (bound, limit) if one is not None), default=None)


def sizes_text(shape: Iterable[int]) -> str:
    """``2, 3``, a dynamic size as ``?``."""
    return ", ".join("?" if size == DYNAMIC else str(size) for size in shape)


def raw_text(shape: Iterable[int]) -> str:
    """``2, 3``, a dynamic size as the number that MLIR has for it."""
    return ", ".join(map(str, shape))
