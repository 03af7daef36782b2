"""Records as JSON has them: the fields of a dataclass or named tuple, under the names that a schema gives them.

A row or an answer passes only what differs from its own fields; ``docs/json.md`` lists the schemas.
"""

from __future__ import annotations

from collections.abc import Collection


def fields_as_json(
    record: object, *, spread: Collection[str] = (), left_out: Collection[str] = (), **names: str
) -> dict[str, object]:
    """The fields of ``record`` in their order, each under its own name or the one in ``names``. A field in ``spread``
    is a record whose entries stand in its place; fields and entries in ``left_out`` are not there."""
    found: dict[str, object] = {}
    for name in _field_names(record):
        value = getattr(record, name)
        entries = _entries(value) if name in spread else {name: as_json(value)}
        found |= {names.get(entry, entry): one for entry, one in entries.items() if entry not in left_out}
    return found


def as_json(value: object) -> object:
    """``value`` as JSON has it: by its method ``as_json`` if it has one, a tuple or list as a list of such values, and
    anything else as it is."""
    method = getattr(value, "as_json", None)
    if method is not None:
        return method()
    return [as_json(one) for one in value] if isinstance(value, tuple | list) else value


def _entries(record: object) -> dict[str, object]:
    method = getattr(record, "as_json", None)
    return fields_as_json(record) if method is None else method()


def _field_names(record: object) -> tuple[str, ...]:
    return tuple(getattr(record, "__dataclass_fields__", None) or record._fields)  # type: ignore[attr-defined]
