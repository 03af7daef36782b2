"""Groups rows whose names differ in an index alone: ``params['layers'][*]['wq']`` for thirty-two layers."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable
from typing import Generic, NamedTuple, TypeVar

Row = TypeVar("Row")

_INDEX = re.compile(r"(?<=\[)\d+(?=\])|(?<=[A-Za-z][_.-])\d+(?![A-Za-z0-9_])")
"""An index in brackets, or the number at the end of a key: ``[3]``, ``layers_3``, ``h.3``."""


class Alike(NamedTuple, Generic[Row]):
    """A group of rows: the name with ``*`` where they differ, and the rows in their order."""

    name: str
    rows: tuple[Row, ...]

    @property
    def times(self) -> str:
        """``×3`` for three of them, nothing for one."""
        return f"×{len(self.rows)}" if len(self.rows) > 1 else ""


def alike(
    rows: Iterable[Row],
    name: Callable[[Row], str],
    otherwise: Callable[[Row], Hashable],
    *,
    size: Callable[[Row], float] | None = None,
    everything: bool = False,
) -> list[Alike[Row]]:
    """``rows`` in groups whose names differ in indices alone and that have equal keys ``otherwise``, in the order of
    their first rows; with ``size`` sorted by the sum of sizes, the largest first. With ``everything`` each row is a
    group, in the order of ``rows``.

    >>> [(one.name, one.times) for one in alike(["w[0]['a']", "b", "w[1]['a']"], str, len)]
    [("w[*]['a']", '×2'), ('b', '')]
    """
    if everything:
        return [Alike(name(row), (row,)) for row in rows]
    groups: dict[Hashable, list[tuple[Row, str]]] = {}
    for row in rows:
        named = name(row)
        # A name may have a star itself.
        groups.setdefault((_INDEX.sub("\0", named), otherwise(row)), []).append((row, named))
    found = [
        Alike(_common_name([named for _, named in group]), tuple(row for row, _ in group)) for group in groups.values()
    ]
    return found if size is None else sorted(found, key=lambda one: -sum(map(size, one.rows)))


def _common_name(names: list[str]) -> str:
    """The first name, with ``*`` for every index in which the names differ."""
    first, *others = (_INDEX.findall(name) for name in names)
    differs = iter([any(other[place] != index for other in others) for place, index in enumerate(first)])
    return _INDEX.sub(lambda found: "*" if next(differs) else found.group(), names[0])
