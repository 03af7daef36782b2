"""Reads a GSPMD sharding that was written as bytes: the protocol buffer ``OpSharding``, as TensorFlow and old JAX do.

The counterpart of ``sharding_text``. Wire format: https://protobuf.dev/programming-guides/encoding. Field numbers are
those of XLA's ``xla_data.proto``.
"""

from __future__ import annotations

from collections.abc import Iterator

from pyshardy.reading.gspmd.sharding_text import DEEPEST_TUPLE, GspmdSharding, Kind, checked_tiling
from pyshardy.reading.gspmd.sharding_tokens import BadSharding

_NEITHER = "it is neither the text of a sharding nor its bytes"
_IN_ORDER: tuple[Kind, ...] = ("replicated", "maximal", "tuple", "tiled", "manual", "unknown", "unreduced")
_KINDS = dict(enumerate(_IN_ORDER))
_TYPE, _TILES, _DEVICES, _ELEMENTS, _REPLICATE_LAST, _LAST_TILES = 1, 3, 4, 5, 6, 8
_RESHAPE, _PERMUTATION, _IS_GROUP, _GROUP = 9, 10, 11, 12


def is_bytes(text: str) -> bool:
    """Whether the text of an attribute is a protocol buffer: the text of a sharding begins with a brace."""
    return not text.lstrip().startswith("{")


def parse_bytes(text: str) -> GspmdSharding:
    """The sharding in ``text``, whose characters are bytes.

    Raises:
        BadSharding: it holds none, or one that pyshardy does not know.
    """
    try:
        return _sharding(text.encode("utf-8", "surrogateescape"))
    except IndexError:
        raise BadSharding(_NEITHER) from None


def _sharding(data: bytes, depth: int = 0) -> GspmdSharding:
    if depth > DEEPEST_TUPLE:
        raise BadSharding("its tuples are nested too deeply")
    numbers: dict[int, list[int]] = {}
    elements: list[GspmdSharding] = []
    for field, value in _fields(data):
        if field == _ELEMENTS and isinstance(value, bytes):
            elements.append(_sharding(value, depth + 1))
        elif isinstance(value, bytes):
            numbers.setdefault(field, []).extend(_varints(value) if field in _PACKED else ())
        else:
            numbers.setdefault(field, []).append(value)

    def number(field: int) -> int:
        return numbers.get(field, [0])[-1]

    kind = _KINDS.get(number(_TYPE))
    if kind is None:
        raise BadSharding(f"its type {number(_TYPE)} is none that pyshardy knows")
    group = number(_GROUP) if number(_IS_GROUP) else None
    if kind == "tuple":
        return GspmdSharding(kind, elements=tuple(elements))
    listed = numbers.get(_DEVICES, [])
    if kind == "maximal":
        return GspmdSharding(kind, device=listed[0] if listed else 0, group=group)
    if kind != "tiled":
        return GspmdSharding(kind, group=group)
    subgroups = ["replicated"] if number(_REPLICATE_LAST) else []
    for one in numbers.get(_LAST_TILES, []):
        subgroups.append(_KINDS.get(one, str(one)))
    reshape = numbers.get(_RESHAPE, [])
    permutation = numbers.get(_PERMUTATION, list(range(len(reshape))))
    return checked_tiling(numbers.get(_TILES, []), reshape, permutation, [] if reshape else listed, subgroups, group)


_PACKED = frozenset({_TILES, _DEVICES, _LAST_TILES, _RESHAPE, _PERMUTATION})


def _fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    place = 0
    while place < len(data):
        key, place = _varint(data, place)
        field, wire = key >> 3, key & 7
        if wire == 0:
            value, place = _varint(data, place)
            yield field, value
        elif wire == 2:
            size, place = _varint(data, place)
            if place + size > len(data):
                raise IndexError
            yield field, data[place : place + size]
            place += size
        else:
            raise BadSharding(_NEITHER)


def _varints(data: bytes) -> Iterator[int]:
    place = 0
    while place < len(data):
        value, place = _varint(data, place)
        yield value


def _varint(data: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[place]
        place += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, place
        if shift > 63:
            raise BadSharding(_NEITHER)
