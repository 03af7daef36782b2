"""The tensors of a program that a line of a sharding file can shard, and those that its pattern matches.

Arguments and results of the main function are matched by their path (``boundary_tensors``), tensors inside by the scope
and name of the operation that makes them, or by their source line. ``paths`` has the patterns; ``applying`` and
``writing`` use the tensors.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from pyshardy.dialects.main_function import functions
from pyshardy.dialects.sdy import placement
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import TensorType
from pyshardy.module import Module
from pyshardy.reading.sharding_files.boundary_tensors import BoundaryTensor, BoundaryTensors, ShardableTensor
from pyshardy.reading.sharding_files.corrections import corrections, meant
from pyshardy.reading.sharding_files.paths import (
    Path,
    alternatives,
    matches,
    path_of_name,
    path_of_pattern,
    path_of_scope,
    plain_scope,
)
from pyshardy.reading.tensors import location_of, main_of
from pyshardy.sharding.plain import some_of

_MADE_ON_THE_WAY = frozenset({"stablehlo.broadcast_in_dim", "stablehlo.constant", "stablehlo.iota"})
"""Operations that a framework adds beside the one that it names: these do not have the framework's name."""

_INSIDE = re.compile(
    r"(?P<place>.*?):"
    r"(?:(?P<line>\d+)(?::(?P<on_line>[A-Za-z_*][\w.*-]*))?|(?P<name>[A-Za-z_*][\w.*-]*))"
    r"(?::(?P<number>\d+)|\[(?P<first>\d+):(?P<end>\d+):(?P<step>[1-9]\d*)\])?(?:#(?P<result>\d+))?",
    re.DOTALL,
)
_MOST_LISTED = 6


@dataclass(frozen=True)
class Maker:
    """An operation with tensor results, its scope and its source line."""

    op: Operation
    scope: Path
    plain: Path
    framework_name: str
    file: Path
    line: int

    @property
    def short_name(self) -> str:
        """Its name without the dialect."""
        return self.op.name.partition(".")[2] or self.op.name

    @property
    def text(self) -> str:
        """The operation as a pattern."""
        return f"{'/'.join(self.plain)}:{self.short_name}"

    def is_called(self, pattern: Path) -> bool:
        """Whether ``pattern`` matches one of its names: with its dialect, without, or that of the framework."""
        return _is_called(self.op.name, self.short_name, self.framework_name, pattern)

    def tensors(self) -> Iterator[ShardableTensor]:
        """The tensors among its results."""
        for result in self.op.results:
            if isinstance(result.type, TensorType) and placement.shardable_value(result) is not None:
                number = f"#{result.index}" if len(self.op.results) > 1 else ""
                yield ShardableTensor(result, self.text + number, result.type, False)


@lru_cache(maxsize=1 << 12)
def _is_called(name: str, short_name: str, framework_name: str, pattern: Path) -> bool:
    names = {name, short_name}
    if name not in _MADE_ON_THE_WAY:
        names.add(framework_name)
    return any(matches(pattern, (one,)) for one in names)


class ShardableTensors:
    """The tensors of ``module`` in its present state."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._named: dict[tuple[str | None, ...], list[Maker]] = {}
        self._meant: dict[str, list[ShardableTensor]] = {}
        """The tensors that patterns without braces match."""

    @cached_property
    def _at_boundary(self) -> BoundaryTensors:
        return BoundaryTensors(main_of(self._module))

    @property
    def boundary(self) -> list[BoundaryTensor]:
        """Arguments and results of the main function."""
        return self._at_boundary.all()

    @cached_property
    def makers(self) -> list[Maker]:
        """The operations that make tensors, in the order of the program."""
        return [
            self._maker(op)
            for function in functions(self._module.op)
            for op in function.walk()
            if op is not function and op.results
        ]

    def _maker(self, op: Operation) -> Maker:
        where = location_of(self._module, op)
        scope = path_of_scope(where.scope)
        file = tuple(filter(None, where.file.replace("\\", "/").split("/")))
        return Maker(op, scope, plain_scope(scope), where.operation, file, where.line)

    def find(self, pattern: str) -> list[ShardableTensor]:
        """The tensors that ``pattern`` matches: those of each of its alternatives in the order of the program."""
        found = [tensor for one in self._alternatives(pattern) for tensor in self._of_alternative(one)]
        return list({tensor.slot: tensor for tensor in found}.values())

    def _alternatives(self, pattern: str) -> list[str]:
        """The expansions of the braces of ``pattern``; itself if it is a name that contains braces."""
        return [pattern] if "{" not in pattern or self._at_boundary.called(pattern) else alternatives(pattern)

    def _of_alternative(self, pattern: str) -> list[ShardableTensor]:
        known = self._meant.get(pattern)
        if known is None:
            inside = inside_parts(pattern)
            known = list(self._inside(inside)) if inside is not None else self._at_boundary.find(pattern)
            self._meant[pattern] = known
        return known

    def _inside(self, parts: re.Match[str]) -> Iterator[ShardableTensor]:
        makers = self.named(parts)
        if parts["number"] is not None:
            makers = makers[int(parts["number"]) :][:1]
        elif parts["step"] is not None:
            makers = makers[int(parts["first"]) : int(parts["end"]) : int(parts["step"])]
        for maker in makers:
            for tensor in maker.tensors():
                if parts["result"] is None or int(parts["result"]) == tensor.result_number:
                    yield tensor

    def named(self, parts: re.Match[str]) -> list[Maker]:
        """The operations that a pattern for tensors inside matches, before its number or slice is applied."""
        key = parts.group("place", "line", "on_line", "name")
        if key not in self._named:
            self._named[key] = self._with_name(parts)
        return self._named[key]

    def _with_name(self, parts: re.Match[str]) -> list[Maker]:
        if parts["line"] is None:
            scope, name = path_of_scope(parts["place"]), (parts["name"],)
            return [
                one
                for one in self.makers
                if one.is_called(name) and (not scope or matches(scope, one.scope) or matches(scope, one.plain))
            ]
        file, line, on_line = ("**", *filter(None, parts["place"].split("/"))), int(parts["line"]), parts["on_line"]
        return [
            one
            for one in self.makers
            if one.line == line
            and (one.is_called((on_line,)) if on_line is not None else one.op.name != "stablehlo.constant")
            and matches(file, one.file)
        ]

    # --- messages about patterns without a match ----------------------------------------------------------------------

    def lacks_a_match(self, pattern: str) -> bool:
        """Whether ``pattern``, or one of its alternatives, matches no tensor."""
        return not all(map(self._of_alternative, self._alternatives(pattern)))

    def no_match_text(self, pattern: str) -> str:
        """A message for ``pattern``, or the first of its alternatives, that matches nothing in the program:
        corrections, and the names that exist."""
        if "{" in pattern:
            missing = next((one for one in self._alternatives(pattern) if not self._of_alternative(one)), pattern)
            if missing != pattern:
                return f"{missing}: {self.no_match_text(missing)}"
        parts = inside_parts(pattern)
        if parts is None:
            return self._no_boundary(pattern)
        if parts["line"] is not None:
            return self._no_line(parts)
        found = len(self.named(parts))
        if found:
            return f"there are {found} of these in the program, counted from 0"
        is_named = [one for one in self.makers if one.is_called((parts["name"],))]
        what = "of that name is in such a scope" if is_named else "of the program is called so"
        known = is_named or [one for one in self.makers if one.op.name not in _MADE_ON_THE_WAY]
        paths = [(*one.plain, one.short_name) for one in known]
        path = (*path_of_scope(parts["place"]), parts["name"])
        return f"no operation {what}{_instead(path, paths, _inside_text)}"

    def _no_boundary(self, pattern: str) -> str:
        paths = [one.path for one in self.boundary]
        path = path_of_pattern(pattern) if "/" in pattern else path_of_name(pattern)
        below = ["/".join(one) for one in paths if one[: len(path)] == path]
        if below and any(path):
            return f"no argument or result of the program is called so, only what is below it{_listed(below)}"
        for number, index in enumerate(path):
            before, behind = path[:number], path[number + 1 :]
            known = [one[number] for one in paths if len(one) == len(path) and one[:number] == before]
            if index.isdecimal() and known and all(one.isdecimal() for one in known) and index not in known:
                last = str(max(map(int, known)))
                if (*before, last, *behind) in paths:
                    return f"there is no {'/'.join((*before, index))}, the last one is {'/'.join((*before, last))}"
        return f"no argument or result of the program is called so{_instead(path, paths, '/'.join)}"

    def _no_line(self, parts: re.Match[str]) -> str:
        file = ("**", *filter(None, parts["place"].split("/")))
        lines = sorted({one.line for one in self.makers if matches(file, one.file)})
        if lines:
            shown = ", ".join(map(str, sorted(sorted(lines, key=lambda one: abs(one - int(parts["line"])))[:6])))
            return f"no such operation comes from there; near it there are some on lines {shown}"
        files = list(dict.fromkeys("/".join(one.file[-2:]) for one in self.makers if one.line))
        return f"nothing comes from a file of that name{_listed(files)}"


def inside_parts(pattern: str) -> re.Match[str] | None:
    """The parts of a pattern for tensors inside of a program; None if it is one for arguments and results."""
    outside_of_brackets = re.sub(r"\[[^\]]*\]", "", pattern)
    return _INSIDE.fullmatch(pattern) if ":" in outside_of_brackets else None


def _inside_text(path: Path) -> str:
    *scope, name = path
    return f"{'/'.join(scope)}:{name}"


def _instead(pattern: Path, paths: list[Path], text: Callable[[Path], str]) -> str:
    """``; did you mean a?``, if a name is near ``pattern``, and the names that exist, the nearest first."""
    # Layers that differ in a number alone are listed once.
    known = dict.fromkeys(tuple("*" if step.isdecimal() else step for step in path) for path in paths)
    found = corrections(pattern, known)
    near = meant(found, paths)
    return (f"; did you mean {text(near)!r}?" if near is not None else "") + _listed(text(one.path) for one in found)


def _listed(known: Iterable[str]) -> str:
    """``; there are a, b and 3 more``."""
    names = [name for name in known if name]
    if not names:
        return "; there is nothing with a name"
    return f"; there are {some_of(names, _MOST_LISTED)}"
