"""The base classes of passes and pipelines, and their options.

A pass is a class whose annotated fields are its options; ``register_pass`` gives it its name. ``ir.pass_registry``
finds it by that name, ``ir.pipeline_text`` reads passes and options as text, ``ir.pipeline_run`` runs them. The fields
work as those of a frozen dataclass do, but no code is generated for a class: that took a fifth of the time to start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, ClassVar, NamedTuple, TypeVar, dataclass_transform

from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation

ANY = "any"
"""The anchor of a pass or pipeline that runs on every isolated operation."""


class PassFailure(Exception):
    """Raised by a pass that cannot go on; it has emitted its diagnostics."""


class Field(NamedTuple):
    """An annotated field of a pass or pipeline: its default (``REQUIRED`` if it has none), and if it is an ``option``,
    its line of help, the strings that it is limited to, and whether it is printed only if it is set."""

    default: Any
    help: str | None = None
    choices: tuple[str, ...] = ()
    quiet: bool = False


REQUIRED = object()


@dataclass_transform(frozen_default=True)
class Configurable:
    """What has a name and options in a pipeline's text: a pass, or a pipeline that has a name. Two are equal if their
    classes and their options are."""

    name: ClassVar[str] = ""
    summary: ClassVar[str] = ""
    _fields: ClassVar[dict[str, Field]] = {}

    def __init_subclass__(cls) -> None:
        found: dict[str, Field] = {}
        for base in reversed(cls.__mro__[1:]):
            found.update(vars(base).get("_fields", {}))
        for name, written in vars(cls).get("__annotations__", {}).items():
            if not str(written).startswith(("ClassVar", "typing.ClassVar")):
                default = vars(cls).get(name, REQUIRED)
                found[name] = default if isinstance(default, Field) else Field(default)
                if isinstance(default, Field):
                    setattr(cls, name, default.default)
        cls._fields = found

    def __init__(self, *values: Any, **named: Any) -> None:
        known, given = self._fields, vars(self)
        if len(values) > len(known):
            raise TypeError(f"{type(self).__name__} takes {len(known)} values at most, and {len(values)} are given")
        named = {**dict(zip(known, values, strict=False)), **named}
        for name, field in known.items():
            value = named.pop(name, field.default)
            if value is REQUIRED:
                raise TypeError(f"{type(self).__name__} needs a value for {name}")
            given[name] = value
        if named:
            raise TypeError(f"{type(self).__name__} has no field {next(iter(named))}")

    def __setattr__(self, name: str, value: object) -> None:
        if name in self._fields:
            raise AttributeError(f"{type(self).__name__} cannot be changed: make another one")
        super().__setattr__(name, value)

    @classmethod
    def fields(cls) -> dict[str, Field]:
        """The fields by name, those of the base classes first."""
        return cls._fields

    @classmethod
    def options(cls) -> dict[str, tuple[str, Any, str]]:
        """Command-line name → (field name, default, help line), alphabetically. Fields that are no ``option`` are for
        the code that builds the pipeline."""
        rows = {
            name.replace("_", "-"): (name, one.default, one.help)
            for name, one in cls._fields.items()
            if one.help is not None
        }
        return dict(sorted(rows.items()))

    def options_text(self, declared: type[Configurable]) -> list[str]:
        """The options that ``declared``, a base of this one, has, as a pipeline's text gives them to another pass."""
        return [f"{name}={option_text(getattr(self, field))}" for name, (field, _, _) in declared.options().items()]

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
    notes_changes: ClassVar[bool] = False
    """Whether the pass changes programs by ``ir.rewriting`` alone, dictionaries of operations included; then only what
    has changed is verified (``ir.verifying.change_verifier``)."""

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
        quiet = {name for name, one in self._fields.items() if one.quiet}
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
    return Field(default, help_line, choices, quiet)


P = TypeVar("P", bound=Pass)
N = TypeVar("N", bound=NamedPipeline)


def register_pass(
    name: str, *, on: str, class_name: str = "", summary: str = "", notes_changes: bool = False
) -> Callable[[type[P]], type[P]]:
    """Names a pass. ``on`` is the operation it runs on
    (``builtin.module``, ``func.func`` or ``any``). ``class_name`` is what diagnostics, dumps and timings call it, by
    default the class with ``Pass`` behind it; ``summary`` is what help says of it, by default the first sentence of the
    class's docstring; ``notes_changes`` as ``Pass`` has it."""

    def register(cls: type[P]) -> type[P]:
        cls.name, cls.anchor, cls.class_name = name, on, class_name or f"{cls.__name__}Pass"
        cls.notes_changes = notes_changes
        cls.summary = summary or _first_sentence(cls)
        return cls

    return register


def register_pipeline(name: str) -> Callable[[type[N]], type[N]]:
    """Names a pipeline. Help says of it what the first sentence of its docstring says."""

    def register(cls: type[N]) -> type[N]:
        cls.name, cls.summary = name, _first_sentence(cls)
        return cls

    return register


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


class Pipeline(NamedTuple):
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
