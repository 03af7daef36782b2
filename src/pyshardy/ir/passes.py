"""Passes and pipelines: what may change a module, how it is named, and the textual pipelines of MLIR.

A pass is a frozen dataclass whose fields are its options; ``register_pass`` gives it its name. A pipeline is text,
``builtin.module(symbol-dce,func.func(sdy-…),sdy-…{option=value})``, and running one verifies after every pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, TypeVar

from pyshardy.ir.context import Context, Diagnostic, Position, PyshardyError
from pyshardy.ir.operation import Operation
from pyshardy.ir.registry import pass_or_pipeline
from pyshardy.ir.verifier import verify


class PassFailure(Exception):
    """Raised by a pass that cannot go on; it has emitted its diagnostics."""


@dataclass(frozen=True)
class Pass:
    """Base of all passes. ``apply`` changes one operation (the module, or one function) and what is in it."""

    name: ClassVar[str] = ""
    anchor: ClassVar[str] = ""
    class_name: ClassVar[str] = ""
    summary: ClassVar[str] = ""

    def apply(self, op: Operation, context: Context) -> None:
        """Runs the pass on ``op``.

        Raises:
            PassFailure: after emitting an error to ``context``.
        """
        raise NotImplementedError

    @classmethod
    def options(cls) -> dict[str, tuple[str, Any, str]]:
        """Command-line name → (field name, default, help line), alphabetically."""
        rows = {one.name.replace("_", "-"): (one.name, one.default, one.metadata["help"]) for one in fields(cls)}
        return dict(sorted(rows.items()))

    def text(self) -> str:
        """The pass as a printed pipeline shows it: name and all options."""
        values = [f"{name}={_option_text(getattr(self, row[0]))}" for name, row in self.options().items()]
        return self.name + ("{" + " ".join(values) + "}" if values else "")


def option(default: bool | int | str, help_line: str, *, choices: tuple[str, ...] = ()) -> Any:
    """A field of a pass that is an option, with its default and one line of help; strings may be limited to choices."""
    return field(default=default, metadata={"help": help_line, "choices": choices})


P = TypeVar("P", bound=Pass)


def register_pass(name: str, *, on: str, class_name: str, summary: str) -> Callable[[type[P]], type[P]]:
    """Names a pass. ``on`` is the operation it runs on (``builtin.module``, ``func.func`` or ``any``); ``class_name``
    is what diagnostics of nesting call it."""

    def register(cls: type[P]) -> type[P]:
        cls.name, cls.anchor, cls.class_name, cls.summary = name, on, class_name, summary
        return cls

    return register


def _option_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True)
class Pipeline:
    """Passes and nested pipelines that run in order on each operation called ``anchor``."""

    anchor: str
    items: tuple[Pass | Pipeline, ...]

    def text(self) -> str:
        """The pipeline as text that ``parse_pipeline`` reads."""
        return f"{self.anchor}({','.join(item.text() for item in self.items)})"

    def passes(self) -> Iterator[Pass]:
        """All passes in order, nested ones in place."""
        for item in self.items:
            if isinstance(item, Pass):
                yield item
            else:
                yield from item.passes()


class PipelineError(PyshardyError):
    """A pipeline's text is wrong."""

    def __init__(self, *messages: str, column: int = 0) -> None:
        place = Position("MLIR Textual PassPipeline Parser", 1, column)
        super().__init__([Diagnostic("error", place, message) for message in messages])


def parse_pipeline(text: str, *, anchor: str = "builtin.module") -> Pipeline:
    """Reads a textual pipeline; a list of passes without ``anchor(…)`` around it runs on ``anchor``.

    Raises:
        PipelineError: unknown pass, wrong nesting, wrong option.
    """
    reader = _PipelineReader(text)
    stripped = text.strip()
    if stripped.startswith(anchor) and stripped[len(anchor) :].lstrip().startswith("("):
        return reader.whole(anchor)
    return Pipeline(anchor, tuple(reader.items(anchor, closing=False)))


def nested_pass(name: str, options: str, anchor: str = "builtin.module") -> tuple[Pass | Pipeline, ...]:
    """The pass as a command-line flag gives it: nested into ``func.func`` by itself if it must be."""
    found = _find(name, 0)
    if isinstance(found, str):
        return _expand(found, name, options)
    made = make_pass(found, options)
    return (made,) if made.anchor in (anchor, "any") else (Pipeline(made.anchor, (made,)),)


def make_pass(cls: type[Pass], options: str) -> Pass:
    """The pass with its options given as text, ``a=1 b=true``.

    Raises:
        PipelineError: an unknown option or a value that does not fit.
    """
    known = cls.options()
    values: dict[str, Any] = {}
    failed = f"failed to add `{cls.name}` with options `{options}`"
    for name, value in _split_options(options):
        if name not in known:
            raise PipelineError(f"<Pass-Options-Parser>: no such option {name}", failed)
        field_name, default, _ = known[name]
        choices = next(one.metadata["choices"] for one in fields(cls) if one.name == field_name)
        values[field_name] = _option_value(name, value, default, choices, failed)
    return cls(**values)


def _split_options(text: str) -> list[tuple[str, str | None]]:
    found: list[tuple[str, str | None]] = []
    word, depth, quote = "", 0, ""
    for character in text + " ":
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
            continue
        elif character in "{[(":
            depth += 1
        elif character in "}])":
            depth -= 1
        elif character.isspace() and not depth:
            if word:
                name, equals, value = word.partition("=")
                found.append((name, value if equals else None))
            word = ""
            continue
        if character != quote or character not in "\"'":
            word += character
    return found


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
    if isinstance(default, int):
        try:
            return int(value)
        except ValueError:
            message = f": for the --{name} option: '{value}' value invalid for integer argument!"
            raise PipelineError(message, failed) from None
    if choices and value not in choices:
        raise PipelineError(f": for the --{name} option: Cannot find option named '{value}'!", failed)
    return value


def _find(name: str, column: int) -> type[Pass] | str:
    found = pass_or_pipeline(name)
    if found is None:
        raise PipelineError(f"'{name}' does not refer to a registered pass or pass pipeline", column=column + 1)
    return found


def _expand(pipeline: str, name: str, options: str) -> tuple[Pass | Pipeline, ...]:
    if options.strip():
        first = options.split()[0].partition("=")[0]
        raise PipelineError(
            f"<Pass-Options-Parser>: no such option {first}", f"failed to add `{name}` with options `{options}`"
        )
    return parse_pipeline(pipeline).items


class _PipelineReader:
    """Recursive descent over the text of a pipeline."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0

    def whole(self, anchor: str) -> Pipeline:
        self._skip()
        self.place += len(anchor)
        self._skip()
        self.place += 1
        items = tuple(self.items(anchor, closing=True))
        self._skip()
        if self.place < len(self.text):
            raise PipelineError("expected end of the pipeline", column=self.place + 1)
        return Pipeline(anchor, items)

    def items(self, anchor: str, *, closing: bool) -> list[Pass | Pipeline]:
        found: list[Pass | Pipeline] = []
        while True:
            self._skip()
            if self._at(")") and closing:
                self.place += 1
                return found
            if self.place >= len(self.text):
                if closing:
                    raise PipelineError("expected ')' in the pipeline", column=self.place + 1)
                return found
            found += self._item(anchor)
            self._skip()
            if self._at(","):
                self.place += 1
            elif not (self._at(")") and closing) and self.place < len(self.text):
                raise PipelineError("expected ',' after parsing pipeline", column=self.place + 1)

    def _item(self, anchor: str) -> tuple[Pass | Pipeline, ...]:
        start = self.place
        while self.place < len(self.text) and self.text[self.place] not in ",(){ \t\n":
            self.place += 1
        name = self.text[start : self.place]
        self._skip()
        if self._at("("):
            self.place += 1
            return (Pipeline(name, tuple(self.items(name, closing=True))),)
        options = self._options()
        found = _find(name, start)
        if isinstance(found, str):
            return _expand(found, name, options)
        if found.anchor not in (anchor, "any"):
            raise PipelineError(
                f"Can't add pass '{found.class_name}' restricted to '{found.anchor}' on a PassManager intended to run "
                f"on '{anchor}', did you intend to nest?",
                f"failed to add `{name}` with options `{options}`",
            )
        return (make_pass(found, options),)

    def _options(self) -> str:
        if not self._at("{"):
            return ""
        start, depth = self.place + 1, 0
        while self.place < len(self.text):
            depth += {"{": 1, "}": -1}.get(self.text[self.place], 0)
            self.place += 1
            if not depth:
                return self.text[start : self.place - 1]
        raise PipelineError("missing closing '}' while processing pass options", column=start)

    def _skip(self) -> None:
        while self.place < len(self.text) and self.text[self.place].isspace():
            self.place += 1

    def _at(self, character: str) -> bool:
        return self.text[self.place : self.place + 1] == character


def run_pipeline(
    pipeline: Pipeline,
    op: Operation,
    context: Context,
    *,
    verify_each: bool = True,
    observer: Callable[[Pass, Operation], None] | None = None,
) -> None:
    """Runs ``pipeline`` on ``op``, whose name is the pipeline's anchor. ``observer`` is called after each pass.

    Raises:
        PyshardyError: a pass failed, or left an illegal program behind.
    """
    for item in pipeline.items:
        before = len(context.diagnostics)
        if isinstance(item, Pipeline):
            nested = [one for one in op.walk() if one.name == item.anchor and one.parent_op is op]
            for one in nested:
                run_pipeline(item, one, context, verify_each=verify_each, observer=observer)
            # Checks that need the symbols of the module wait until all its functions are done.
            if verify_each and not verify(op, context):
                raise context.failure(before)
            continue
        try:
            item.apply(op, context)
        except PassFailure:
            raise context.failure(before) from None
        if verify_each and not verify(op, context):
            raise context.failure(before)
        if observer is not None:
            observer(item, op)
