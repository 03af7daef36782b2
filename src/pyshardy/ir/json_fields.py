"""Converts records to JSON: the fields of a dataclass or named tuple, under the names that a schema gives them.

A caller passes only what differs from the fields; ``docs/json.md`` lists the schemas.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

_PLAIN = frozenset({bool, float, int, str, type(None)})
_FIELDS: dict[type, tuple[str, ...]] = {}


def fields_as_json(
    record: object, *, spread: Collection[str] = (), left_out: Collection[str] = (), **names: str
) -> dict[str, object]:
    """The fields of ``record`` in their order, each under its own name or the one in ``names``. A field in ``spread``
    is a record whose entries stand in its place; fields and entries in ``left_out`` are not there."""
    found: dict[str, object] = {}
    for name in _field_names(type(record)):
        value = getattr(record, name)
        if name in spread:
            found |= {names.get(entry, entry): one for entry, one in _entries(value).items() if entry not in left_out}
        elif name not in left_out:
            found[names.get(name, name)] = value if type(value) in _PLAIN else as_json(value)
    return found


def as_json(value: object) -> object:
    """``value`` as JSON has it: by its method ``as_json`` if it has one, a tuple or list as a list of such values, and
    anything else as it is."""
    method = getattr(value, "as_json", None)
    if method is not None:
        return method()
    if isinstance(value, tuple | list):
        return [one if type(one) in _PLAIN else as_json(one) for one in value]
    return value


def _entries(record: object) -> Mapping[str, object]:
    method = getattr(record, "as_json", None)
    return fields_as_json(record) if method is None else method()


def _field_names(kind: type) -> tuple[str, ...]:
    found = _FIELDS.get(kind)
    if found is None:
        found = _FIELDS[kind] = tuple(getattr(kind, "__dataclass_fields__", None) or kind._fields)  # type: ignore[attr-defined]
    return found
