"""Writes a strategy as a short sharding file: few lines with names and stars.

Families with equal shardings share a line, ``{params,m,v}/layers/*/{wq,wk}``; a line for a tensor inside of the program
is for the same operation in each layer, ``attention:dot_general[2:64:2]``. Everything else is replicated, which the
first line says.
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property

from pyshardy.ir.operation import Operation
from pyshardy.module import HardwareName
from pyshardy.reading.sharding_files.entries import entry_value
from pyshardy.reading.sharding_files.paths import Path
from pyshardy.reading.sharding_files.shardable_tensors import Maker, ShardableTensors, inside_parts
from pyshardy.reading.sharding_files.writing import hardware_value, toml_tables
from pyshardy.searching.families import Family
from pyshardy.searching.layouts import InnerSharding, Spec, key_of, sharding_of_spec
from pyshardy.searching.space import Layouts, Space

MOST_LINES = 15
"""The greatest number of lines of a sharding file."""

Lines = dict[str, object]
"""The values of the file by pattern, in its order."""


class Writer:
    """Writes strategies of ``space`` as lines of a sharding file. It removes the shardings of the program if ``clear``
    is true; ``kept`` are lines for the shardings that the search keeps. It names ``hardware``, for which candidate
    plans are chosen, unless that is None."""

    def __init__(
        self,
        space: Space,
        kept: Mapping[str, object] | None = None,
        *,
        clear: bool = False,
        hardware: HardwareName | None = None,
    ) -> None:
        self._space = space
        self._kept, self._clear = kept or {}, clear
        self._hardware = None if hardware is None else hardware_value(hardware)
        self._tensors = ShardableTensors(space.short.source)
        self._boundary = {key_of(one.tensor.slot): one for one in self._tensors.boundary}
        self._inner_patterns: dict[tuple[Hashable, int], str | None] = {}

    @property
    def names_hardware(self) -> bool:
        """Whether the files name the hardware that candidate plans are chosen for."""
        return self._hardware is not None

    def tables(self, layouts: Layouts, *, names_hardware: bool = True) -> dict[str, object]:
        """The file as tables; without the hardware if it is not to be named."""
        head: dict[str, object] = {"clear": True} if self._clear else {}
        if self._hardware is not None and names_hardware:
            head["hardware"] = self._hardware
        return {**head, "mesh": dict(layouts.mesh), "shardings": self.lines(layouts)}

    def text(self, layouts: Layouts, remarks: Sequence[str] = (), *, names_hardware: bool = True) -> str:
        """The file, with ``remarks`` above it."""
        head = "".join(f"# {one}\n" if one else "#\n" for one in remarks)
        hardware = self._hardware if names_hardware else None
        lines = toml_tables(dict(layouts.mesh), self.lines(layouts), clear=self._clear, hardware=hardware)
        return head + ("\n" if head else "") + lines

    def lines(self, layouts: Layouts) -> Lines:
        """The lines: first one that replicates everything, then those for the families and tensors that are sharded."""
        found: Lines = {"**": []}
        for spec, families in self._by_spec(layouts).items():
            found[self._pattern(families)] = entry_value(sharding_of_spec(spec, "mesh"), None)
        for one in layouts.inner:
            found[self.inner_pattern(one)] = entry_value(sharding_of_spec(one.spec, "mesh"), None)
        for pattern, value in self._kept.items():
            found.pop(pattern, None)
            found[pattern] = value
        return found

    def _by_spec(self, layouts: Layouts) -> dict[Spec, list[Family]]:
        """The sharded families, by their specs without unsharded dimensions at the end."""
        found: dict[Spec, list[Family]] = {}
        for family, spec in zip(self._space.listed, layouts.specs, strict=True):
            if any(spec) and not self._space.is_kept(family):
                found.setdefault(_trimmed(spec), []).append(family)
        return found

    def without_each(self, layouts: Layouts) -> Iterator[tuple[str, Layouts]]:
        """Each line of the strategy itself, by its pattern, and the layouts without it."""
        for families in self._by_spec(layouts).values():
            specs = list(layouts.specs)
            for family in families:
                specs[family.number] = ((),) * len(family.shape)
            yield self._pattern(families), layouts._replace(specs=tuple(specs))
        for one in layouts.inner:
            inner = tuple(other for other in layouts.inner if other != one)
            yield self.inner_pattern(one), layouts._replace(inner=inner)

    def line_count(self, layouts: Layouts) -> int:
        """The number of lines, including the one that replicates everything."""
        return 1 + len(self._by_spec(layouts)) + len(layouts.inner)

    def can_write(self, inner: InnerSharding) -> bool:
        """Whether there is a pattern for ``inner``."""
        return self._found_inner(inner) is not None

    # --- arguments and results ----------------------------------------------------------------------------------------

    def _pattern(self, families: Sequence[Family]) -> str:
        """One pattern for exactly the members of these."""
        members = [[self._boundary[key] for key in family.keys] for family in families]
        meant = [one for listed in members for one in listed]
        wanted = {one.tensor.slot for one in meant}
        stars = [path for listed in members for path in _starred([one.path for one in listed])]
        for paths in (dict.fromkeys(stars), dict.fromkeys(one.path for one in meant)):
            if all(not set("{},:[]") & set(step) for path in paths for step in path):
                pattern = braced(list(paths))
                if {tensor.slot for tensor in self._tensors.find(pattern)} == wanted:
                    return pattern
        symbols = [one.names[1] for one in meant]
        return symbols[0] if len(symbols) == 1 else "{" + ",".join(symbols) + "}"

    # --- inside -------------------------------------------------------------------------------------------------------

    def inner_pattern(self, inner: InnerSharding) -> str:
        """A pattern for the operations of a group, in all layers; there is one, as ``can_write`` says."""
        found = self._found_inner(inner)
        assert found is not None, inner
        return found

    def _found_inner(self, inner: InnerSharding) -> str | None:
        key = inner.group, inner.result
        if key not in self._inner_patterns:
            self._inner_patterns[key] = self._looked_up(inner)
        return self._inner_patterns[key]

    @cached_property
    def _makers(self) -> Mapping[Operation, Maker]:
        return {one.op: one for one in self._tensors.makers}

    def _looked_up(self, inner: InnerSharding) -> str | None:
        wanted = self._space.short.source_members[inner.group]
        first = self._makers[wanted[0]]
        named = [f"{'/'.join(scope)}:{first.short_name}" for scope in (first.plain, first.scope, ())]
        if first.line:
            named.insert(1, f"{'/'.join(first.file[-1:])}:{first.line}:{first.short_name}")
        for pattern in named:
            parts = inside_parts(pattern) if not set("*{}[]") & set(pattern) else None
            if parts is None:
                continue
            found = _numbered(self._tensors.named(parts), wanted)
            if found is not None:
                end = f"#{inner.result}" if len(wanted[0].results) > 1 else ""
                return pattern + found + end
        return None


def _numbered(makers: Sequence[Maker], wanted: Sequence[Operation]) -> str | None:
    """The indices of ``wanted`` in ``makers``, as a number or a slice; None if they form no slice."""
    numbers = {one.op: number for number, one in enumerate(makers)}
    if any(op not in numbers for op in wanted):
        return None
    places = sorted(numbers[op] for op in wanted)
    if len(places) == len(makers):
        return ""
    if len(places) == 1:
        return f":{places[0]}"
    step = places[1] - places[0]
    if any(other - one != step for one, other in itertools.pairwise(places)):
        return None
    return f"[{places[0]}:{places[-1] + 1}:{step}]"


def braced(paths: Sequence[Path]) -> str:
    """One pattern with braces for all ``paths``."""
    if len(paths) == 1:
        return "/".join(paths[0])
    # Paths are grouped first by all components but the first, then by all but the last.
    tails: dict[Path, list[str]] = {}
    for path in paths:
        cut = 2 if path[0] == "result" and len(path) > 2 else 1
        tails.setdefault(path[cut:], []).append("/".join(path[:cut]))
    heads: dict[tuple[str, ...], list[Path]] = {}
    for tail, found in tails.items():
        heads.setdefault(tuple(found), []).append(tail)
    parts: list[str] = []
    for head, ends in heads.items():
        begin = _either(list(head))
        if ends == [()]:
            parts += head
            continue
        by_begin: dict[Path, list[str]] = {}
        for end in ends:
            by_begin.setdefault(end[:-1], []).append(end[-1] if end else "")
        inside = ["/".join((*way, _either(last))) for way, last in by_begin.items()]
        parts.append(f"{begin}/{_either(inside)}")
    return _either(parts)


def _either(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else "{" + ",".join(parts) + "}"


def _starred(paths: Sequence[Path]) -> list[Path]:
    """``paths`` with a star for each index in which paths that are otherwise equal differ."""
    forms: dict[Path, list[Path]] = {}
    for path in paths:
        forms.setdefault(tuple("*" if step.isdecimal() else step for step in path), []).append(path)
    found = []
    for listed in forms.values():
        columns = zip(*listed, strict=True)
        found.append(tuple([column[0] if len(set(column)) == 1 else "*" for column in columns]))
    return found


def _trimmed(spec: Spec) -> Spec:
    end = len(spec)
    while end and not spec[end - 1]:
        end -= 1
    return spec[:end]
