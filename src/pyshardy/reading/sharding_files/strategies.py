"""A sharding file: a mesh, lines of patterns with shardings, and strategies by name that inherit from each other.

Every strategy begins with ``[mesh]`` and ``[shardings]``; ``[strategy.NAME]`` adds lines to them, and to those of the
strategy that it ``inherits``. ``entries`` parses the value of a line, ``applying`` applies a strategy to a program.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from pyshardy.ir.input_files import read_input
from pyshardy.module import HardwareName
from pyshardy.reading.sharding_files.entries import Entry, read_entry
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.plain import ShardingProblem, did_you_mean

_TOP = ("clear", "hardware", "mesh", "shardings", "strategy")
_OF_A_STRATEGY = ("clear", "hardware", "inherits", "mesh", "shardings")
_OF_HARDWARE = ("name", "attention")

Source = str | os.PathLike[str] | Mapping[str, object]
"""A sharding file: its path, or its tables as a dict."""


@dataclass(frozen=True)
class ShardingLine:
    """A pattern with its entry; ``where`` names the line in messages."""

    pattern: str
    entry: Entry
    where: str


@dataclass(frozen=True, repr=False)
class Shardings:
    """A strategy out of a sharding file, with all that it inherits: later ``lines`` win over earlier ones. ``mesh`` is
    None if the program's own is used, ``strategy`` if the file has no names. With ``clear`` all shardings of the
    program are removed, even those that no line replaces; ``hardware`` is the one that candidate plans are chosen for,
    None if they are chosen by bytes."""

    source: str
    strategy: str | None
    mesh: Mesh | None
    lines: tuple[ShardingLine, ...]
    clear: bool = False
    hardware: HardwareName | None = None

    @property
    def name(self) -> str:
        """The file and the strategy in it: ``shardings.toml:fsdp``."""
        return self.source if self.strategy is None else f"{self.source}:{self.strategy}"

    def __repr__(self) -> str:
        mesh = f", mesh {self.mesh.body_text}" if self.mesh is not None else ""
        return f"<Shardings {self.name}: {len(self.lines)} patterns{mesh}>"


def load_shardings(
    source: Source | Shardings, strategy: str | None = None, *, mesh: Mapping[str, int] | Mesh | None = None
) -> Shardings:
    """The strategy called ``strategy`` of a sharding file: a path, or a dict with the same tables (docs/shardings.md).

    ``mesh`` replaces the one in the file. Without ``strategy`` the result has only ``[mesh]`` and ``[shardings]``.

    Raises:
        ShardingProblem: there is no such strategy, strategies inherit in a circle, or a table or a line is wrong; the
            message says where.
        OSError: the file cannot be read.

    >>> load_shardings({"mesh": {"data": 4}, "strategy": {"dp": {"shardings": {"batch/*": ["data"]}}}}, "dp")
    <Shardings shardings:dp: 1 patterns, mesh <["data"=4]>>
    """
    if isinstance(source, Shardings):
        found = source
        if strategy not in (None, source.strategy):
            raise ShardingProblem(f"these shardings are of {source.name}: load the file again for {strategy!r}")
    else:
        found = _ShardingFile(source).shardings(strategy)
    if mesh is not None:
        given = mesh if isinstance(mesh, Mesh) else _mesh(mesh, "the mesh")
        found = replace(found, mesh=given)
    return found


def strategies_in(source: Source) -> list[str | None]:
    """The strategies of a sharding file in its order; only None if it has no names.

    Raises:
        ShardingProblem, OSError: as for ``load_shardings``.
    """
    return [*_ShardingFile(source).names] or [None]


class _ShardingFile:
    """The tables of a file, after a check of their keys."""

    def __init__(self, source: Source) -> None:
        tables: Mapping[str, object]
        if isinstance(source, Mapping):
            # The output of ``pyshardy shardings --json`` has a schema, which is ignored.
            self.name, tables = "shardings", {key: one for key, one in source.items() if key != "schema"}
        else:
            self.name = os.fspath(source)
            tables = _read(self.name)
        self._tables = _table(tables, self.name, "", _TOP)
        strategies = _table(self._tables.get("strategy", {}), self.name, "strategy")
        self._strategies = {
            name: _table(one, self.name, f"strategy.{name}", _OF_A_STRATEGY) for name, one in strategies.items()
        }

    @property
    def names(self) -> list[str]:
        """The strategies."""
        return list(self._strategies)

    @property
    def has_lines(self) -> bool:
        """Whether there are shardings outside of strategies."""
        return bool(self._tables.get("shardings"))

    def shardings(self, strategy: str | None) -> Shardings:
        """The strategy with all that it inherits."""
        if strategy is None and self._strategies and not self.has_lines:
            listed = ", ".join(self._strategies)
            raise ShardingProblem(f"{self.name} has several strategies, say which one is meant: {listed}")
        mesh: Mesh | None = None
        clear = False
        hardware: HardwareName | None = None
        lines: dict[str, ShardingLine] = {}
        problems: list[str] = []
        tables = [("", self._tables)]
        tables += [(f"strategy.{name}.", self._strategies[name]) for name in self._line_of_descent(strategy)]
        for prefix, table in tables:
            if "mesh" in table:
                mesh = _mesh(table["mesh"], f"{self.name}: [{prefix}mesh]")
            clear = _flag(table.get("clear", clear), f"{self.name}: {prefix}clear")
            if "hardware" in table:
                hardware = _hardware(table["hardware"], self.name, f"{prefix}hardware")
            header = f"{prefix}shardings"
            for pattern, value in _table(table.get("shardings", {}), self.name, header).items():
                where = f'{self.name}: [{header}] "{pattern}"'
                # A repeated pattern moves to its later position.
                lines.pop(pattern, None)
                try:
                    lines[pattern] = ShardingLine(pattern, read_entry(value), where)
                except ShardingProblem as problem:
                    problems.append(f"{where}: {problem}")
        if problems:
            raise ShardingProblem("\n".join(problems))
        return Shardings(self.name, strategy, mesh, tuple(lines.values()), clear, hardware)

    def _line_of_descent(self, strategy: str | None) -> list[str]:
        """The strategies that it inherits, followed by itself."""
        found: list[str] = []
        wanted, by = strategy, ""
        while wanted is not None:
            if wanted in found:
                circle = " inherits ".join([*found[found.index(wanted) :], wanted])
                raise ShardingProblem(f"{self.name}: strategies inherit in a circle: {circle}")
            if wanted not in self._strategies:
                known = f"only {', '.join(self._strategies)}" if self._strategies else "none at all"
                near = did_you_mean(wanted, self._strategies)
                what = f"{self.name}: [strategy.{by}] inherits a strategy that" if by else self.name
                missing = f"is missing, {wanted!r}" if by else f"has no strategy {wanted!r}"
                raise ShardingProblem(f"{what} {missing}, {known}{near}")
            found.append(wanted)
            by = wanted
            parent = self._strategies[wanted].get("inherits")
            if parent is not None and not isinstance(parent, str):
                raise ShardingProblem(
                    f"{self.name}: [strategy.{wanted}] inherits is the name of one strategy, not {parent!r}"
                )
            wanted = parent
        return found[::-1]


def _read(path: str) -> Mapping[str, object]:
    import tomllib

    data = read_input(path, "a sharding file")
    try:
        return tomllib.loads(data.decode())
    except UnicodeDecodeError:
        raise ShardingProblem(f"{path} is no sharding file: it is not text in UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise ShardingProblem(_syntax_problem(path, str(error))) from None


def _syntax_problem(path: str, message: str) -> str:
    found = re.fullmatch(r"(.*) \(at line (\d+), column (\d+)\)", message)
    place, what = (f"{path}:{found[2]}:{found[3]}", found[1]) if found is not None else (path, message)
    # A common mistake: a pattern is no bare key of TOML and needs quotes.
    advice = "; patterns stand in quotes" if "after a key" in what or "nvalid statement" in what else ""
    return f"{place}: this is not TOML: {what}{advice}"


def _table(found: object, file: str, header: str, known: tuple[str, ...] = ()) -> dict[str, object]:
    where = f"{file}: [{header}]" if header else file
    if not isinstance(found, Mapping):
        raise ShardingProblem(f"{where} is a table, not {found!r}")
    for key in found:
        if not isinstance(key, str):
            raise ShardingProblem(f"{where}: {key!r} is no name")
        if known and key not in known:
            near = did_you_mean(key, known)
            if not near and header.startswith("strategy."):
                near = f"; patterns stand in [{header}.shardings]"
            raise ShardingProblem(f"{where} has no {key!r}, only {', '.join(known)}{near}")
    return dict(found)


def _flag(found: object, where: str) -> bool:
    if not isinstance(found, bool):
        raise ShardingProblem(f"{where} is true or false, not {found!r}")
    return found


def _hardware(found: object, file: str, key: str) -> HardwareName:
    table: Mapping[str, object] = {"name": found}
    if isinstance(found, Mapping):
        table = _table(found, file, key, _OF_HARDWARE)
    name, attention = table.get("name"), table.get("attention")
    if not isinstance(name, str) or not isinstance(attention, str | None):
        raise ShardingProblem(
            f'{file}: {key} is a word as --hardware takes it, "h100", or {{name = "h100", attention = "fused"}}, '
            f"not {found!r}"
        )
    return HardwareName(name, attention)


def _mesh(found: object, where: str) -> Mesh:
    if not isinstance(found, Mapping) or not found:
        raise ShardingProblem(f"{where} has a line for each axis: data = 8")
    for name, size in found.items():
        if not isinstance(size, int) or isinstance(size, bool) or size < 1:
            raise ShardingProblem(f"{where}: the size of axis {name!r} is a whole number of at least 1, not {size!r}")
    return Mesh(dict(found))
