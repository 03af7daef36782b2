"""The JSON that commands print with ``--json``: each object has a ``schema`` with its name and version (docs/json.md).

A version is incremented if a key is removed or changes its meaning; keys may be added at any time.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

VERSIONS = {
    "check": 1,
    "compare": 1,
    "conflicts": 1,
    "cost": 1,
    "diagnostics": 1,
    "explain": 1,
    "partition": 1,
    "propagate": 1,
    "search": 1,
    "shardings": 1,
    "show": 1,
}
"""The schemas, and the version of each."""


def json_text(kind: str, data: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> str:
    """``data``, an object or a list of such, as the JSON of schema ``kind``."""
    if isinstance(data, Mapping):
        found: object = _named(kind, data)
    else:
        found = [_named(kind, one) for one in data]
    return json.dumps(found, indent=2, ensure_ascii=kind != "shardings")


def _named(kind: str, data: Mapping[str, Any]) -> dict[str, Any]:
    return {"schema": f"pyshardy.{kind}/{VERSIONS[kind]}", **data}
