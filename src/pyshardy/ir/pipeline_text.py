"""Reads pipelines from text, in MLIR's notation: ``builtin.module(symbol-dce,func.func(sdy-…{option=value}))``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NoReturn, TypeVar

from pyshardy.ir.diagnostics import Diagnostic, PyshardyError
from pyshardy.ir.pass_registry import pass_or_pipeline
from pyshardy.ir.passes import ANY, Configurable, NamedPipeline, Pass, Pipeline
from pyshardy.ir.source_text import UNKNOWN_POSITION, SourceText

PIPELINE_DEPTH_LIMIT = 100
"""How deep pipelines may nest."""


class PipelineError(PyshardyError):
    """A pipeline's text, or a pass's options, are wrong. ``offset`` is the place in ``text``, if there is one."""

    def __init__(self, *messages: str, text: str = "", offset: int | None = None) -> None:
        source = SourceText(text, "MLIR Textual PassPipeline Parser")
        place = UNKNOWN_POSITION if offset is None else source.position(offset)
        super().__init__([Diagnostic("error", place, message) for message in messages], source)

    def __str__(self) -> str:
        return "\n".join(str(one) if one.position.line else one.message for one in self.diagnostics)


def parse_pipeline(text: str, *, anchor: str = "builtin.module", wrapped: bool = False) -> Pipeline:
    """Reads a textual pipeline, ``anchor(pass,…)``.

    A list of passes without ``anchor(…)`` around it runs on ``anchor``, unless ``wrapped`` is asked for; then any
    anchor may stand there, and one must.

    Raises:
        PipelineError: unknown pass, wrong nesting, wrong option.
    """
    stripped = text.strip()
    opening = stripped.find("(")
    found = stripped[:opening].rstrip() if opening > 0 and stripped.endswith(")") else ""
    if wrapped and not found:
        message = "expected pass pipeline to be wrapped with the anchor operation type, e.g. 'builtin.module(...)'"
        raise PipelineError(message)
    if found and (wrapped or found == anchor):
        anchor, text = found, stripped[opening + 1 : -1]
    if not text.strip():
        return Pipeline(anchor, ())
    elements = _PipelineReader(text).elements()
    _check_names(elements, text)
    return Pipeline(anchor, _items(elements, anchor))


def expanded(pipeline: NamedPipeline, anchor: str = "builtin.module") -> Pipeline:
    """The passes that ``pipeline`` stands for, to run on operations called ``anchor``."""
    items: list[Pass | Pipeline] = []
    for part in pipeline.parts():
        items += parse_pipeline(part, anchor=anchor).items if isinstance(part, str) else (part,)
    return Pipeline(anchor, tuple(items))


def nested_pass(name: str, options: str, anchor: str = "builtin.module") -> tuple[Pass | Pipeline, ...]:
    """The pass as a command-line flag gives it: nested into ``func.func`` by itself if it must be.

    Raises:
        PipelineError: unknown pass, wrong option.
    """
    found = pass_or_pipeline(name)
    if found is None:
        raise PipelineError(_unknown(name))
    if issubclass(found, NamedPipeline):
        return expanded(make_pass(found, options), anchor).items
    made = make_pass(found, options)
    return (made,) if made.anchor in (anchor, ANY) else (Pipeline(made.anchor, (made,)),)


C = TypeVar("C", bound=Configurable)


def make_pass(cls: type[C], options: str) -> C:
    """The pass (or named pipeline) with its options given as text, ``a=1 b=true``.

    Raises:
        PipelineError: an unknown option or a value that does not fit.
    """
    known = cls.options()
    values: dict[str, Any] = {}
    failed = _failed(cls.name, options)
    for name, value in _split_options(options):
        if name not in known:
            raise PipelineError(f"<Pass-Options-Parser>: no such option {name}", failed)
        field_name, default, _ = known[name]
        choices = cls.fields()[field_name].choices
        new = _option_value(name, value, default, choices, failed)
        values[field_name] = (*values.get(field_name, ()), *new) if isinstance(new, tuple) else new
    return cls(**values)


def _failed(name: str, options: str) -> str:
    return f"failed to add `{name}` with options `{options}`"


def _unknown(name: str) -> str:
    return f"'{name}' does not refer to a registered pass or pass pipeline"


_OPTION = re.compile(r"\s*([^\s=]*)")
_VALUE_PIECE = re.compile(r"'[^']*'|\"[^\"]*\"|[^\s{'\"]+|['\"]")
_BRACES = re.compile(r"[{}]")
_WRAPPINGS = ("{}", "''", '""')


def _split_options(text: str) -> Iterator[tuple[str, str | None]]:
    place = 0
    while place < len(text):
        match = _OPTION.match(text, place)
        assert match is not None
        name, place = match[1], match.end()
        value = None
        if text[place : place + 1] == "=":
            end = _value_end(text, place + 1)
            value, place = text[place + 1 : end], end
            if len(value) > 1 and value[0] + value[-1] in _WRAPPINGS:
                value = value[1:-1].strip()
        if name:
            yield name, value


def _value_end(text: str, place: int) -> int:
    """Where the value ends that begins at ``place``: at a blank outside quotes and braces."""
    while place < len(text):
        if text[place] == "{":
            place = _closing_brace(text, place) + 1 or len(text)
            continue
        match = _VALUE_PIECE.match(text, place)
        if match is None:
            break
        place = match.end()
    return place


def _closing_brace(text: str, opening: int) -> int:
    """The offset of the brace that closes the one at ``opening``, or -1."""
    depth = 0
    for match in _BRACES.finditer(text, opening):
        depth += 1 if match[0] == "{" else -1
        if not depth:
            return match.start()
    return -1


_TRUE = ("true", "TRUE", "True", "1", "", None)
_FALSE = ("false", "FALSE", "False", "0")


def _option_value(name: str, value: str | None, default: object, choices: tuple[str, ...], failed: str) -> object:
    if isinstance(default, bool):
        if value in _TRUE:
            return True
        if value in _FALSE:
            return False
        message = f": for the --{name} option: '{value}' is invalid value for boolean argument! Try 0 or 1"
        raise PipelineError(message, failed)
    if value is None:
        raise PipelineError(f": for the --{name} option: requires a value!", failed)
    if isinstance(default, tuple):
        return tuple(element.strip() for element in value.split(",") if element.strip())
    if isinstance(default, int):
        try:
            return int(value)
        except ValueError:
            message = f": for the --{name} option: '{value}' value invalid for long argument!"
            raise PipelineError(message, failed) from None
    if choices and value not in choices:
        raise PipelineError(f": for the --{name} option: Cannot find option named '{value}'!", failed)
    return value


class _Element:
    """A pass or a nested pipeline (one with ``inner`` elements) as written at ``offset``."""

    __slots__ = ("inner", "name", "offset", "options")

    def __init__(self, name: str, offset: int) -> None:
        self.name = name
        self.offset = offset
        self.options = ""
        self.inner: list[_Element] = []


_SEPARATOR = re.compile(r"[,(){]")


class _PipelineReader:
    """The text between ``anchor(`` and ``)`` to elements; nesting is on a list, not on Python's stack."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0
        self.open: list[list[_Element]] = [[]]

    def elements(self) -> list[_Element]:
        while self._element():
            pass
        if len(self.open) > 1:
            self._error("encountered unbalanced parentheses while parsing pipeline", self.place)
        return self.open[0]

    def _element(self) -> bool:
        """Reads a name and what follows it; False at the end."""
        match = _SEPARATOR.search(self.text, self.place)
        stop = match.start() if match is not None else len(self.text)
        written = self.text[self.place : stop]
        element = _Element(written.strip(), stop - len(written.lstrip()))
        self.open[-1].append(element)
        if match is None:
            return False
        self.place = stop
        if match[0] == "(":
            self.place += 1
            self.open.append(element.inner)
            if len(self.open) > PIPELINE_DEPTH_LIMIT:
                self._error(f"pipelines nest deeper than {PIPELINE_DEPTH_LIMIT} levels, the limit of this parser", stop)
            return True
        if match[0] == "{":
            self._options(element)
        return self._end()

    def _options(self, element: _Element) -> None:
        close = _closing_brace(self.text, self.place)
        if close < 0:
            self._error("missing closing '}' while processing pass options", self.place)
        element.options = self.text[self.place + 1 : close]
        self.place = close + 1
        self._skip()

    def _end(self) -> bool:
        while self.text[self.place : self.place + 1] == ")":
            if len(self.open) == 1:
                message = "encountered extra closing ')' creating unbalanced parentheses while parsing pipeline"
                self._error(message, self.place)
            self.open.pop()
            self.place += 1
            self._skip()
        if self.place == len(self.text):
            return False
        if self.text[self.place] != ",":
            self._error("expected ',' after parsing pipeline", self.place)
        self.place += 1
        return True

    def _skip(self) -> None:
        while self.text[self.place : self.place + 1].isspace():
            self.place += 1

    def _error(self, message: str, offset: int) -> NoReturn:
        raise PipelineError(message, text=self.text, offset=offset)


def _check_names(elements: list[_Element], text: str) -> None:
    for element in elements:
        if element.inner:
            _check_names(element.inner, text)
        elif pass_or_pipeline(element.name) is None:
            raise PipelineError(_unknown(element.name), text=text, offset=element.offset)


def _items(elements: list[_Element], anchor: str) -> tuple[Pass | Pipeline, ...]:
    return tuple(item for element in elements for item in _item(element, anchor))


def _item(element: _Element, anchor: str) -> tuple[Pass | Pipeline, ...]:
    name, options = element.name, element.options
    if element.inner:
        inner_anchor = name or ANY
        try:
            return (Pipeline(inner_anchor, _items(element.inner, inner_anchor)),)
        except PipelineError as error:
            messages = [diagnostic.message for diagnostic in error.diagnostics]
            raise PipelineError(*messages, f"{_failed(name, options)} to inner pipeline") from None
    found = pass_or_pipeline(name)
    assert found is not None
    if issubclass(found, NamedPipeline):
        return expanded(make_pass(found, options), anchor).items
    if found.anchor not in (anchor, ANY):
        raise PipelineError(
            f"Can't add pass '{found.class_name}' restricted to '{found.anchor}' on a PassManager intended to run "
            f"on '{anchor}', did you intend to nest?",
            _failed(name, options),
        )
    return (make_pass(found, options),)
