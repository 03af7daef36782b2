"""Draws a mesh as a grid in a terminal: one cell for each device, groups and replicas in one colour.

Two axes are rows and columns; further ones are grids of such grids; one alone is folded into as many rows as it needs.
``mesh_tiles`` has the contents of cells, ``mesh_texts`` the lines above the grid. Without a terminal the same
characters are printed without colours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from colorsys import hls_to_rgb
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from pyshardy.report.words import one_line
from pyshardy.sharding.mesh import Mesh

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

PALETTE = ("#56b4e9", "#e69f00", "#009e73", "#f0e442", "#cc79a7", "#d55e00", "#8fa3ff", "#bbbbbb")
"""Colours that can be distinguished with colour blindness (Okabe and Ito), light enough for black letters."""
_MOST_ROWS = 16
_MOST_ROWS_OF_SEVERAL = 6
_MOST_BLOCKS = 4
_NAME = 24
_GAP = "  "
_SKIPPED = -1


@dataclass(frozen=True)
class Cell:
    """The lines of a cell; cells of one ``number`` have one colour, those of -1 none."""

    lines: tuple[str, ...]
    number: int


def colour(number: int) -> str:
    """The colour of ``number``: the first eight are easy to distinguish, all others are generated."""
    if number < len(PALETTE):
        return PALETTE[number]
    golden = 0.61803398875
    red, green, blue = hls_to_rgb(number * golden % 1.0, 0.62 + 0.08 * (number % 3), 0.65)
    return f"#{round(255 * red):02x}{round(255 * green):02x}{round(255 * blue):02x}"


def print_grid(mesh: Mesh, cell: Callable[[int], Cell], console: Console, *, everything: bool = False) -> int:
    """Draws ``mesh`` with the contents ``cell`` of each position (row by row), and returns the number of devices that
    are left out: those that do not fit, none with ``everything``."""
    layout = _Layout(mesh, cell, console.width, everything)
    for line in layout.lines():
        line.rstrip()
        console.print(line, soft_wrap=True)
    return mesh.total_size - layout.shown


class _Axis:
    """An axis of the picture: the labels of its positions, and their stride in the mesh."""

    def __init__(self, labels: Sequence[str], stride: int) -> None:
        self.labels = labels
        self.stride = stride

    @property
    def size(self) -> int:
        return len(self.labels)

    def shown(self, most: int) -> list[int]:
        """The positions that are drawn if there is room for ``most``; ``_SKIPPED`` stands for the others."""
        if self.size <= most:
            return list(range(self.size))
        return [*range(max(most - 2, 1)), _SKIPPED, self.size - 1] if most > 2 else [0, _SKIPPED]


class _Layout:
    def __init__(self, mesh: Mesh, cell: Callable[[int], Cell], width: int, everything: bool) -> None:
        self._cell = cell
        axes: list[_Axis] = []
        stride = mesh.total_size
        for axis in mesh.axes:
            stride //= axis.size
            if axis.size > 1:
                name = one_line(axis.name, _NAME)
                axes.append(_Axis([f"{name}={place}" for place in range(axis.size)], stride))
        self._cells: dict[int, Cell] = {}
        self._height, self._cell_width = 1, 1
        for position in _sample(mesh.total_size):
            found = self._at(position)
            self._height = max(self._height, len(found.lines))
            self._cell_width = max(self._cell_width, *map(len, found.lines))
        self._cell_width = max(self._cell_width, *(len(one.labels[-1]) for one in axes[-1:]), 1)
        *outer, rows, columns = [*axes[:-2], *self._inner(axes[-2:], width, everything)]
        most_rows = _MOST_ROWS_OF_SEVERAL if outer else _MOST_ROWS
        self._label_width = max(map(len, rows.labels))
        room = (width - self._label_width - 3) // (self._cell_width + 3)
        self._rows, self._row_places = rows, rows.shown(rows.size if everything else most_rows)
        self._columns, self._column_places = columns, columns.shown(columns.size if everything else max(room, 2))
        self._outer = [(one, one.shown(one.size if everything else _MOST_BLOCKS)) for one in outer]
        self._width = width
        self.shown = 0

    def _inner(self, axes: list[_Axis], width: int, everything: bool) -> tuple[_Axis, _Axis]:
        """The rows and the columns of a grid."""
        if not axes:
            return _Axis([""], 0), _Axis([""], 1)
        if len(axes) == 2:
            return axes[0], axes[1]
        (only,) = axes
        label = len(only.labels[-1])
        room = max((width - 2 * label - 4) // (self._cell_width + 3), 1)
        if only.size <= room:
            return _Axis([""], 0), only
        # A single axis that is too long for a line continues in the next one.
        folded = next(count for count in range(room, 0, -1) if only.size % count == 0)
        folded = folded if folded > 1 or everything else room
        if only.size % folded:
            return _Axis([""], 0), only
        rows = [f"{only.labels[first]}…{first + folded - 1}" for first in range(0, only.size, folded)]
        return _Axis(rows, folded * only.stride), _Axis([f"+{place}" for place in range(folded)], only.stride)

    def _at(self, position: int) -> Cell:
        if position not in self._cells:
            self._cells[position] = self._cell(position)
        return self._cells[position]

    def lines(self) -> Iterator[Text]:
        """The picture, line by line."""
        from rich.text import Text

        blocks = list(product(*(places for _, places in self._outer)))
        side_by_side = max(1, (self._width + len(_GAP)) // (self._block_width + len(_GAP)))
        per_row = len(self._outer[-1][1]) if self._outer else 1
        for first in range(0, len(blocks), per_row):
            row = blocks[first : first + per_row]
            if any(_SKIPPED in one[:-1] for one in row):
                yield Text(" ⋮")
                continue
            for start in range(0, len(row), side_by_side):
                drawn = [list(self._block(one)) for one in row[start : start + side_by_side]]
                for pieces in zip(*drawn, strict=True):
                    yield Text(_GAP).join(pieces)

    @property
    def _block_width(self) -> int:
        return self._label_width + 2 + sum(self._column_width(place) + 3 for place in self._column_places) + 1

    def _column_width(self, place: int) -> int:
        return 1 if place == _SKIPPED else self._cell_width

    def _block(self, outer: tuple[int, ...]) -> Iterator[Text]:
        """One grid, as lines of equal width."""
        from rich.text import Text

        if self._outer:
            if _SKIPPED in outer:
                height = 3 + sum(self._row_height(place) + 1 for place in self._row_places)
                yield from (Text(" ⋯ ") for _ in range(height))
                return
            names = [axis.labels[place] for (axis, _), place in zip(self._outer, outer, strict=True)]
            yield Text(", ".join(names).ljust(self._block_width)[: self._block_width], "bold")
        base = sum(axis.stride * place for (axis, _), place in zip(self._outer, outer, strict=True))
        left = " " * (self._label_width + 2)
        heading = "".join(
            f"  {'' if place == _SKIPPED else self._columns.labels[place]:<{self._column_width(place)}} "
            for place in self._column_places
        )
        yield Text(f"{left}{heading} ", "dim")
        yield Text(left + self._rule("┌┬┐"))
        for number, place in enumerate(self._row_places):
            yield from self._row(base, place)
            yield Text(left + self._rule("└┴┘" if number == len(self._row_places) - 1 else "├┼┤"))

    def _rule(self, corners: str) -> str:
        pieces = ["─" * (self._column_width(place) + 2) for place in self._column_places]
        return corners[0] + corners[1].join(pieces) + corners[2]

    def _row_height(self, place: int) -> int:
        return 1 if place == _SKIPPED else self._height

    def _row(self, base: int, row: int) -> Iterator[Text]:
        from rich.text import Text

        label = "⋮" if row == _SKIPPED else self._rows.labels[row]
        cells = [self._shown(base, row, column) for column in self._column_places]
        for line in range(self._row_height(row)):
            text = Text(f" {label if not line else '':<{self._label_width}} ", "dim")
            text.append("│", "not dim")
            for column, cell in zip(self._column_places, cells, strict=True):
                shown = cell.lines[line] if line < len(cell.lines) else ""
                style = f"not dim #000000 on {colour(cell.number)}" if cell.number >= 0 else "not dim"
                text.append(f" {shown:<{self._column_width(column)}} ", style)
                text.append("│", "not dim")
            yield text

    def _shown(self, base: int, row: int, column: int) -> Cell:
        if _SKIPPED in (row, column):
            return Cell(("⋯" if column == _SKIPPED and row != _SKIPPED else "⋮",), -1)
        self.shown += 1
        return self._at(base + row * self._rows.stride + column * self._columns.stride)


_MOST_SAMPLED = 4096


def _sample(total: int) -> Iterator[int]:
    """Positions whose cells include the widest: all, or the first and last ones."""
    if total <= _MOST_SAMPLED:
        yield from range(total)
    else:
        yield from range(_MOST_SAMPLED // 2)
        yield from range(total - _MOST_SAMPLED // 2, total)
