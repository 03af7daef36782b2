"""The metadata at the end of a file, ``{-# … #-}``: the data of ``dense_resource<key>`` constants, and of tools.

They are kept as their text. ``parser`` reads them with a file, ``module`` prints them after a program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from pyshardy.ir.attribute import Attribute, key_text
from pyshardy.ir.elements import DenseResourceAttr, hex_bytes
from pyshardy.ir.operation import Operation
from pyshardy.ir.parsing.attribute_parser import AttributeParser
from pyshardy.ir.registry import dialect

_ALIGNMENT_BYTES = 4


def parse_metadata(parser: AttributeParser) -> None:
    """Reads the section that begins at the current ``{-#``: payloads go to ``parser.resources``, what is for tools to
    ``external_resources`` of the context."""
    parser.advance()
    _entries(parser, "#-}", _section)


def _entries(parser: AttributeParser, closing: str, entry: Callable[[AttributeParser], None]) -> None:
    if parser.accept(closing):
        return
    entry(parser)
    while parser.accept(","):
        entry(parser)
    parser.expect(closing, f"expected ',' or '{closing}'")


def _section(parser: AttributeParser) -> None:
    offset = parser.start
    name = parser.keyword("expected identifier key in file metadata dictionary")
    parser.expect(":")
    parser.expect("{")
    group = _GROUPS.get(name)
    if group is None:
        parser.error(f"unknown key '{name}' in file metadata dictionary", at=offset)
    _entries(parser, "}", group)


def _dialect_group(parser: AttributeParser) -> None:
    offset = parser.start
    name = parser.resource_key()
    parser.expect(":")
    parser.expect("{")
    if dialect(name) is None:
        parser.error(f"dialect '{name}' is unknown", at=offset)
    if name != "builtin":
        parser.error(f"unexpected 'resource' section for dialect '{name}'")
    _entries(parser, "}", _payload)


def _external_group(parser: AttributeParser) -> None:
    group = parser.context.external_resources.setdefault(parser.resource_key(), {})
    parser.expect(":")
    parser.expect("{")

    def entry(parser: AttributeParser) -> None:
        key = parser.resource_key()
        parser.expect(":")
        group[key] = parser.advance()

    _entries(parser, "}", entry)


def _payload(parser: AttributeParser) -> None:
    key = parser.resource_key()
    parser.expect(":")
    offset = parser.start
    literal = parser.advance()
    message = f"expected hex string blob for key '{key}'"
    data = hex_bytes(literal)
    if data is None:
        parser.error(message, at=offset)
    message += " to encode alignment in first 4 bytes"
    if len(data) < _ALIGNMENT_BYTES:
        parser.error(message, at=offset)
    alignment = int.from_bytes(data[:_ALIGNMENT_BYTES], "little")
    if alignment & (alignment - 1):
        parser.error(f"{message}, but got non-power-of-2 value: {alignment}", at=offset)
    parser.resources[key] = literal


_GROUPS = {"dialect_resources": _dialect_group, "external_resources": _external_group}


def resources_text(
    op: Operation, resources: Mapping[str, str], external: Mapping[str, Mapping[str, str]] | None = None
) -> str:
    """The section ``{-# … #-}`` that follows ``op`` in a file, or ``""`` if there is nothing to say.

    ``resources`` holds the payload of each key as its literal (``"0x…"`` with the quotes), as the parser collects them;
    those that ``op`` or an operation in it refers to are listed, in the order of the references. ``external`` is what a
    tool adds: group → key → literal.
    """
    payloads = {key: _upper_hex(resources[key]) for key in _referenced(op, resources)} if resources else {}
    sections = [_section_text("dialect_resources", {"builtin": payloads})] if payloads else []
    if external:
        sections.append(_section_text("external_resources", external))
    return "\n{-#\n" + ",\n".join(sections) + "\n#-}\n" if sections else ""


def _section_text(name: str, groups: Mapping[str, Mapping[str, str]]) -> str:
    listed = []
    for group, entries in groups.items():
        lines = ",\n".join(f"      {key_text(key)}: {literal}" for key, literal in entries.items())
        listed.append(f"    {key_text(group)}: {{\n{lines}\n    }}")
    return f"  {name}: {{\n" + ",\n".join(listed) + "\n  }"


def _referenced(op: Operation, resources: Mapping[str, str]) -> dict[str, None]:
    return dict.fromkeys(key for nested in op.walk() for key in _resource_keys(nested) if key in resources)


def _resource_keys(op: Operation) -> Iterator[str]:
    pending: list[Attribute] = [*op.attributes.children(), *op.properties.children()]
    pending.reverse()
    while pending:
        attribute = pending.pop()
        if isinstance(attribute, DenseResourceAttr):
            yield attribute.key
        pending.extend(reversed(list(attribute.children())))


def _upper_hex(literal: str) -> str:
    return f'"0x{literal[3:-1].upper()}"'
