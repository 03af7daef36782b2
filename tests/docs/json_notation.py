"""The notation of docs/json.md as JSON Schema, so that a library says whether what commands print fits it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[2] / "docs" / "json.md"
_BLOCK = re.compile(r"^```schema\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_TOKEN = re.compile(r'\s*("(?:[^"\\]|\\.)*"|\w+|[{}\[\]:,|=?])')
_PRIMITIVES: dict[str, dict[str, Any]] = {
    "bool": {"type": "boolean"},
    "float": {"type": "number"},
    "int": {"type": "integer"},
    "null": {"type": "null"},
    "str": {"type": "string"},
}


def schema(page: str, name: str) -> dict[str, Any]:
    """The schema that the definition ``name`` of the ``page`` is; keys that it does not name are wrong."""
    reader = _Reader(" ".join(_BLOCK.findall(page)))
    definitions = reader.definitions()
    for one in definitions.values():
        for object in _objects(one):
            for mixed in object.pop("mixed", ()):
                object["properties"].update(definitions[mixed]["properties"])
                object["required"] += definitions[mixed]["required"]
    return {"$ref": f"#/$defs/{name}", "$defs": definitions}


def _objects(schema: Any) -> list[dict[str, Any]]:
    if isinstance(schema, list):
        return [found for one in schema for found in _objects(one)]
    if not isinstance(schema, dict):
        return []
    own = [schema] if "mixed" in schema else []
    return own + [found for one in list(schema.values()) for found in _objects(one)]


class _Reader:
    def __init__(self, text: str) -> None:
        self._tokens = _TOKEN.findall(text)
        self._place = 0

    def _next(self) -> str:
        self._place += 1
        return str(self._tokens[self._place - 1])

    def _meets(self, token: str) -> bool:
        found = self._place < len(self._tokens) and self._tokens[self._place] == token
        self._place += found
        return found

    def definitions(self) -> dict[str, Any]:
        found = {}
        while self._place < len(self._tokens):
            name = self._next()
            assert self._next() == "=", f"= is expected behind {name}"
            found[name] = self._type()
        return found

    def _type(self) -> dict[str, Any]:
        choices = [self._single()]
        while self._meets("|"):
            choices.append(self._single())
        return choices[0] if len(choices) == 1 else {"anyOf": choices}

    def _single(self) -> dict[str, Any]:
        token = self._next()
        if token == "[":
            items = [self._type()]
            while self._meets(","):
                items.append(self._type())
            assert self._next() == "]"
            if len(items) == 1:
                return {"type": "array", "items": items[0]}
            return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
        if token == "{":
            return self._object()
        if token.startswith('"'):
            return {"const": token[1:-1]}
        return _PRIMITIVES.get(token) or {"$ref": f"#/$defs/{token}"}

    def _object(self) -> dict[str, Any]:
        if self._meets("str"):
            assert self._next() == ":"
            values = self._type()
            assert self._next() == "}"
            return {"type": "object", "additionalProperties": values}
        made: dict[str, Any] = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
        while not self._meets("}"):
            key = self._next()
            if key.startswith('"'):
                if not self._meets("?"):
                    made["required"].append(key[1:-1])
                assert self._next() == ":", key
                made["properties"][key[1:-1]] = self._type()
            else:
                made.setdefault("mixed", []).append(key)
            self._meets(",")
        return made
