"""Passes and pipelines: what may change a module, and how it is named.

A pass is a class whose fields are its options; ``register_pass`` makes it so and gives it its name.
``ir.pass_registry`` finds it by that name, ``ir.pipeline_text`` reads passes and options as text, ``ir.pipeline_run``
runs them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields
from inspect import get_annotations
from typing import Any, ClassVar, TypeVar, dataclass_transform

from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation

ANY = "any"
"""The anchor of a pass or pipeline that runs on every isolated operation."""


class PassFailure(Exception):
    """Raised by a pass that cannot go on; it has emitted its diagnostics."""


@dataclass(frozen=True, init=False, repr=False, eq=False)
class Configurable:
    """What has a name and options in a pipeline's text: a pass, or a pipeline that has a name. Two are equal if their
    classes and their options are."""

    name: ClassVar[str] = ""
    summary: ClassVar[str] = ""

    @classmethod
    def options(cls) -> dict[str, tuple[str, Any, str]]:
        """Command-line name → (field name, default, help line), alphabetically. Fields that are no ``option`` are for
        the code that builds the pipeline."""
        rows = {
            one.name.replace("_", "-"): (one.name, one.default, one.metadata["help"])
            for one in fields(cls)
            if "help" in one.metadata
        }
        return dict(sorted(rows.items()))

    def __eq__(self, other: object) -> bool:
        return vars(self) == vars(other) if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash((type(self), *vars(self).values()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"


class Pass(Configurable):
    """Base of all passes. ``apply`` changes one operation (the module, or one function) and what is in it."""

    anchor: ClassVar[str] = ""
    class_name: ClassVar[str] = ""

    def apply(self, op: Operation, context: Context) -> bool | None:
        """Runs the pass on ``op``.

        Returns:
            False if nothing has changed, neither the program's text nor the order of any value's uses; then nobody
            verifies it again. A pass that does not know returns None.

        Raises:
            PassFailure: after emitting an error to ``context``.
        """
        raise NotImplementedError

    def text(self) -> str:
        """The pass as a printed pipeline shows it: name and all options."""
        quiet = {one.name for one in fields(self) if one.metadata.get("quiet")}
        rows = [
            (name, getattr(self, field_name))
            for name, (field_name, default, _) in self.options().items()
            if field_name not in quiet or getattr(self, field_name) != default
        ]
        # An empty list leaves a blank behind, as in MLIR.
        values = ["" if value == () else f"{name}={option_text(value)}" for name, value in rows]
        return self.name + ("{" + " ".join(values) + "}" if values else "")


class NamedPipeline(Configurable):
    """Base of pipelines that have a name; their fields are the options, as with passes."""

    def parts(self) -> Iterable[str | Pass | Pipeline]:
        """What the name with these options stands for, part by part: passes, or the text of some, separated by
        commas."""
        raise NotImplementedError


def option(
    default: bool | int | str | tuple[str, ...], help_line: str, *, choices: tuple[str, ...] = (), quiet: bool = False
) -> Any:
    """A field of a pass that is an option, with its default and one line of help; strings may be limited to choices. An
    option whose default is a tuple is a list, written ``a,b`` or ``{a,b}``; a quiet one is printed if it is set."""
    return field(default=default, metadata={"help": help_line, "choices": choices, "quiet": quiet})


P = TypeVar("P", bound=Pass)
N = TypeVar("N", bound=NamedPipeline)
C = TypeVar("C", bound=Configurable)


@dataclass_transform(frozen_default=True)
def register_pass(name: str, *, on: str, class_name: str = "", summary: str = "") -> Callable[[type[P]], type[P]]:
    """Names a pass, and makes a frozen dataclass of it if it has options. ``on`` is the operation it runs on
    (``builtin.module``, ``func.func`` or ``any``). ``class_name`` is what diagnostics, dumps and timings call it, by
    default the class with ``Pass`` behind it; ``summary`` is what help says of it, by default the first sentence of the
    class's docstring."""

    def register(cls: type[P]) -> type[P]:
        cls.name, cls.anchor, cls.class_name = name, on, class_name or f"{cls.__name__}Pass"
        cls.summary = summary or _first_sentence(cls)
        return _with_options(cls)

    return register


@dataclass_transform(frozen_default=True)
def register_pipeline(name: str) -> Callable[[type[N]], type[N]]:
    """Names a pipeline, and makes a frozen dataclass of it. Help says of it what the first sentence of its docstring
    says."""

    def register(cls: type[N]) -> type[N]:
        cls.name, cls.summary = name, _first_sentence(cls)
        return _with_options(cls)

    return register


def _with_options(cls: type[C]) -> type[C]:
    """``cls`` as a dataclass, unless it is one already or has no fields. How two are compared and shown they inherit:
    what a dataclass generates for each class takes time at start-up."""
    if "__dataclass_fields__" in vars(cls) or not (fields(cls) or get_annotations(cls)):
        return cls
    return dataclass(frozen=True, repr=False, eq=False)(cls)


def _first_sentence(cls: type) -> str:
    words = " ".join((cls.__doc__ or "").replace("``", "").split())
    sentence, end, _ = words.partition(". ")
    return sentence + end.strip()


def option_text(value: object) -> str:
    """An option's value as a printed pipeline shows it."""
    if isinstance(value, tuple):
        return "{" + ",".join(map(option_text, value)) + "}"
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return "{" + text + "}" if any(character.isspace() for character in text) else text


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
