"""The picture of a search: the memory of each strategy against its time, with the Pareto front.

A point of the front is a link to its section of the page (``#point=3``). Known strategies are diamonds with a letter,
the best is a star; the area beyond the limit of memory is hatched. Colours are classes of the page's style.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from math import cos, inf, pi, sin
from typing import NamedTuple

import svg

from pyshardy.report.page.scales import Scale, seconds_scale, size_scale
from pyshardy.report.words import seconds_text, size_text

_LEFT, _RIGHT, _TOP, _BOTTOM = 62, 14, 30, 46
_NEAR_LIMIT = 3.0
"""The limit is shown if it is at most this many times the largest strategy."""
_NEAR = 1.5
"""Tried strategies are shown up to this many times the largest figures of the front and the known ones, unless all are
to be."""
_LETTER, _LINE = 7.5, 13
"""The greatest width of a letter of a label, and its height."""


class Mark(NamedTuple):
    """A strategy in the picture: its label, its description, its seconds and bytes, and the target of its link."""

    label: str
    words: str
    seconds: float
    bytes: float
    address: str = ""


@dataclass(frozen=True)
class Front:
    """The contents of the picture: the points of the ``front``, the ``known`` strategies, the ``best``, the seconds and
    bytes of all strategies that were ``tried``, and the ``limit`` of memory. Strategies far from the front are outside
    of the picture, so that the front is not a single spot, unless ``everything`` is true."""

    front: Sequence[Mark]
    known: Sequence[Mark]
    best: Mark
    tried: Sequence[tuple[float, float]]
    limit: float
    everything: bool = False

    @property
    def out_of_sight(self) -> int:
        """The number of tried strategies outside of the picture."""
        return len(self.tried) - len(self._shown)

    @property
    def shows_limit(self) -> bool:
        """Whether the limit is within the picture."""
        return self.limit <= _NEAR_LIMIT * max(size for _, size in self._figures)

    @property
    def _figures(self) -> list[tuple[float, float]]:
        return [*((one.seconds, one.bytes) for one in (*self.front, *self.known, self.best)), *self._shown]

    @property
    def _shown(self) -> list[tuple[float, float]]:
        shown = [one for one in self.tried if 0 < one[0] < inf and 0 <= one[1] < inf]
        if self.everything:
            return shown
        chief = (*self.front, self.best)
        seconds = max([*(_NEAR * one.seconds for one in chief), *(one.seconds for one in self.known)])
        size = max([*(_NEAR * one.bytes for one in chief), *(one.bytes for one in self.known)])
        return [one for one in shown if one[0] <= seconds and one[1] <= size]

    def picture(self, name: str, width: int, height: int) -> str:
        """The picture; the words of ``name`` are its CSS classes."""
        right, bottom = width - _RIGHT, height - _BOTTOM
        across = [size for _, size in self._figures] + ([self.limit] if self.shows_limit else [])
        x = size_scale(across, _LEFT, right, max(2, (right - _LEFT) // 85))
        y = seconds_scale([seconds for seconds, _ in self._figures], bottom, _TOP, max(2, (bottom - _TOP) // 55))
        drawing = _Drawing(x, y)
        drawing.axes(width, height)
        drawing.limit(self.limit, name.replace(" ", "-"), is_shown=self.shows_limit)
        drawing.dots(self._shown)
        drawing.steps(self.front)
        drawing.marks(self)
        found = svg.SVG(
            viewBox=svg.ViewBoxSpec(0, 0, width, height),
            class_=["front", *name.split()],
            elements=drawing.elements,
            extra={"role": "group", "aria-label": "Expected time of a step against the peak of memory"},
        )
        return str(found)


class _Drawing:
    """The elements of a picture with the axes ``x`` and ``y``; later ones are drawn on top."""

    def __init__(self, x: Scale, y: Scale) -> None:
        self.elements: list[svg.Element] = []
        self._x, self._y = x, y

    def axes(self, width: int, height: int) -> None:
        """The grid with its ticks and the titles of the axes."""
        x, y = self._x, self._y
        for figure, text in x.ticks():
            at = x.place(figure)
            self.elements.append(svg.Line(x1=at, x2=at, y1=y.begin, y2=y.end, class_=["grid-line"]))
            # The last label stays within the picture.
            middle = min(at, width - _LETTER * len(text) / 2)
            self.elements.append(svg.Text(x=middle, y=y.begin + 16, text=text, text_anchor="middle"))
        for figure, text in y.ticks():
            at = y.place(figure)
            self.elements.append(svg.Line(x1=x.begin, x2=x.end, y1=at, y2=at, class_=["grid-line"]))
            self.elements.append(svg.Text(x=x.begin - 6, y=at + 4, text=text, text_anchor="end"))
        logs = [", logarithmic" if one.is_log else "" for one in (x, y)]
        self.elements.append(svg.Text(x=4, y=14, text=f"expected time of a step{logs[1]}"))
        below = f"peak of memory on a device{logs[0]}"
        self.elements.append(svg.Text(x=width - _RIGHT, y=height - 8, text=below, text_anchor="end"))

    def limit(self, limit: float, name: str, *, is_shown: bool) -> None:
        """The limit of memory, with the area beyond it hatched; or a text that the limit is outside of the picture."""
        x, y = self._x, self._y
        text = f"limit {size_text(limit)}"
        if not is_shown:
            self.elements.append(svg.Text(x=x.end, y=14, text=f"{text} →", text_anchor="end", class_=["limit"]))
            return
        at = x.place(limit)
        hatch = svg.Pattern(id=f"hatch-{name}", width=7, height=7, patternUnits="userSpaceOnUse")
        hatch.elements = [svg.Path(d=[svg.M(0, 7), svg.L(7, 0)], class_=["hatch"])]
        beyond = svg.Rect(x=at, y=y.end, width=round(x.end - at, 1), height=y.begin - y.end)
        beyond.fill = f"url(#hatch-{name})"
        beyond.elements = [svg.Title(text="does not fit")]
        line = svg.Line(x1=at, x2=at, y1=y.end - 4, y2=y.begin, class_=["mark-line"])
        beside = svg.Text(x=x.end, y=14, text=text, text_anchor="end", class_=["limit"])
        self.elements += [svg.Defs(elements=[hatch]), beyond, line, beside]

    def dots(self, tried: Iterable[tuple[float, float]]) -> None:
        """Dots for all strategies that were tried, as one path."""
        path: list[svg.PathData] = []
        for seconds, size in tried:
            path += [svg.M(self._x.place(size), self._y.place(seconds)), svg.H(self._x.place(size))]
        self.elements.append(svg.Path(d=path, class_=["dots"]))

    def steps(self, front: Sequence[Mark]) -> None:
        """The staircase line of the front."""
        points = sorted((self._x.place(one.bytes), self._y.place(one.seconds)) for one in front)
        if not points:
            return
        path: list[svg.PathData] = [svg.M(points[0][0], self._y.end)]
        for at, down in points:
            path += [svg.H(at), svg.V(down)]
        self.elements.append(svg.Path(d=[*path, svg.H(self._x.end)], class_=["steps"]))

    def marks(self, shown: Front) -> None:
        """Diamonds, points and the star, each with its label where there is room."""
        chosen = [one for one in shown.front if one.label == shown.best.label]
        alone = [] if chosen else [shown.best]
        labels = _Labels(self._x, self._y, [*shown.front, *shown.known, *alone])
        late: list[svg.Element] = []
        for one in shown.known:
            at, down = self._x.place(one.bytes), self._y.place(one.seconds)
            late += self._mark(one, [_diamond(at, down)], labels, "known")
        for one in (*shown.front, *alone):
            at, down = self._x.place(one.bytes), self._y.place(one.seconds)
            is_best = one in chosen or one in alone
            shape: svg.Element = _star(at, down) if is_best else svg.Circle(cx=at, cy=down, r=5.5, class_=["mark"])
            halo = svg.Circle(cx=at, cy=down, r=13, class_=["halo"])
            late += self._mark(one, [halo, shape], labels, "best" if is_best else "point")
        self.elements += late

    def _mark(self, one: Mark, shapes: list[svg.Element], labels: _Labels, kind: str) -> list[svg.Element]:
        is_best = kind == "best"
        name = f"{f'{one.label} ' if one.label else ''}{'(best)' if is_best else ''}".strip()
        label = labels.put(one, f"{one.label} best".strip() if is_best else one.label)
        told = f"{name}: {one.words}: {seconds_text(one.seconds)}, peak {size_text(one.bytes)}"
        inside = [svg.Title(text=escape(told)), *shapes, *label]
        if not one.address:
            return [svg.G(elements=inside, class_=[kind])]
        link = svg.A(href=escape(one.address), elements=inside, class_=[kind], extra={"aria-label": escape(told)})
        return [link]


class _Labels:
    """Puts labels beside the ``marks``, away from one another and from these."""

    def __init__(self, x: Scale, y: Scale, marks: Iterable[Mark]) -> None:
        self._x, self._y = x, y
        placed = [(x.place(one.bytes), y.place(one.seconds)) for one in marks]
        self._taken = [(at - 6, down - 6, at + 6, down + 6) for at, down in placed]

    def put(self, one: Mark, text: str) -> list[svg.Element]:
        """The label of ``one`` at the nearest free place; further away with a line to it; nothing if there is no free
        place."""
        at, down = self._x.place(one.bytes), self._y.place(one.seconds)
        width = _LETTER * len(text)
        for distance in (11, 24, 38, 54):
            for turn in (-1, 1, -3, 3, -2, 2, 0, 4):
                right, below = cos(turn * pi / 4), sin(turn * pi / 4)
                left = at + distance * right - width * (1 - right) / 2
                top = down + distance * below - _LINE * (1 - below) / 2
                box = (left, top, left + width, top + _LINE)
                if self._is_free(box):
                    self._taken.append(box)
                    line = [at + 6 * right, down + 6 * below, at + distance * right, down + distance * below]
                    middle, base = round(left + width / 2, 1), round(top + 10, 1)
                    words = svg.Text(x=middle, y=base, text=text, text_anchor="middle")
                    return [*([_leader(*line)] if distance > 11 else []), words]
        return []

    def _is_free(self, box: tuple[float, float, float, float]) -> bool:
        left, top, right, bottom = box
        if left < self._x.begin or right > self._x.end or top < self._y.end or bottom > self._y.begin:
            return False
        return all(right <= one[0] or left >= one[2] or bottom <= one[1] or top >= one[3] for one in self._taken)


def _leader(x1: float, y1: float, x2: float, y2: float) -> svg.Element:
    return svg.Line(x1=round(x1, 1), y1=round(y1, 1), x2=round(x2, 1), y2=round(y2, 1), class_=["leader"])


def _diamond(at: float, down: float) -> svg.Element:
    corners = [(at, down - 9), (at + 9, down), (at, down + 9), (at - 9, down)]
    return _polygon(corners)


def _star(at: float, down: float) -> svg.Element:
    turns = ((number, 11 if number % 2 == 0 else 4.8) for number in range(10))
    return _polygon([(at + far * sin(number * pi / 5), down - far * cos(number * pi / 5)) for number, far in turns])


def _polygon(corners: Iterable[tuple[float, float]]) -> svg.Element:
    first, *rest = [(round(x, 1), round(y, 1)) for x, y in corners]
    return svg.Path(d=[svg.M(*first), *(svg.L(*one) for one in rest), svg.Z()], class_=["mark"])
