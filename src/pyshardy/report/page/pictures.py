"""The static pictures of the page: bars of time, lanes of a step, the growth of a count.

They are drawn with svg.py, which does not escape texts, so texts from a program are escaped here. Colours are classes
of the page's style, so that one picture works for light and dark mode. ``page`` puts them into the document.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

import svg

from pyshardy.report.page.answer import CardBar
from pyshardy.report.page.colours import COMPUTATION, classes
from pyshardy.report.page.scales import seconds_scale
from pyshardy.report.page.step_lanes import EXPOSED, LOOP, LaneSegment, StepLanes

_WIDTH = 960


def stacked_bar(parts: Sequence[CardBar], width: int = 300, height: int = 16) -> str:
    """A bar of ``parts``; a part along several axes has the colours of all, one above the other."""
    total = sum(one.amount for one in parts) or 1.0
    elements: list[svg.Element] = []
    x = 0.0
    for one in parts:
        length = width * one.amount / total
        each = height / len(one.colours)
        for number, colour in enumerate(one.colours):
            rectangle = svg.Rect(
                x=round(x, 2), y=round(number * each, 2), width=round(max(length - 0.7, 0.3), 2), height=round(each, 2)
            )
            rectangle.class_ = ["swatch", colour]
            rectangle.elements = [svg.Title(text=escape(f"{one.name}: {100 * one.amount / total:.0f} %"))]
            elements.append(rectangle)
        x += length
    return _drawn(elements, width, height)


def share_bar(share: float, colours: Sequence[str], width: int = 96, height: int = 10) -> str:
    """A frame with a bar whose length is ``share`` of it."""
    each = height / len(colours)
    elements: list[svg.Element] = [svg.Rect(x=0, y=0, width=width, height=height, class_=["share-frame"])]
    for number, colour in enumerate(colours):
        length = round(width * min(share, 1.0), 2)
        elements.append(
            svg.Rect(x=0, y=round(number * each, 2), width=length, height=round(each, 2), class_=["swatch", colour])
        )
    box = svg.ViewBoxSpec(0, 0, width, height)
    return str(svg.SVG(viewBox=box, class_=["share-bar"], elements=elements, extra={"aria-hidden": "true"}))


_LANE = 30
_LABEL = 110


def lanes(step: StepLanes, colours: Mapping[str, int], width: int = _WIDTH) -> str:
    """The lanes of a step, one below the other, over time; each piece has its description as a tooltip. Lanes of links
    have the colours of their axes."""
    elements: list[svg.Element] = []
    bottom = _LANE * len(step.lanes) + 4
    across = (width - _LABEL - 8) / (step.seconds or 1.0)
    for figure, text in seconds_scale([0.0, step.seconds / 1.06], 0, 1, most=8).ticks():
        x = round(_LABEL + across * figure, 2)
        if figure <= step.seconds:
            elements.append(svg.Line(x1=x, x2=x, y1=0, y2=bottom, class_=["grid-line"]))
            elements.append(svg.Text(x=x, y=bottom + 14, text=text, text_anchor="middle" if figure else "start"))
    for number, (name, pieces) in enumerate(zip(("computation", *step.tracks), step.lanes, strict=True)):
        top = _LANE * number + 4
        classes_of_lane = classes(name.split(", "), colours) if number else (COMPUTATION,)
        elements.append(svg.Text(x=_LABEL - 6, y=top + 16, text=escape(name), text_anchor="end"))
        for piece in pieces:
            elements += _pieces(piece, _LABEL + across * (piece.begin - step.begin), top, across, classes_of_lane)
    return _drawn(elements, width, bottom + 20)


def _pieces(piece: LaneSegment, x: float, top: float, across: float, colours: Sequence[str]) -> Iterable[svg.Element]:
    """A piece, as high as its share, with its exposed part on top."""
    height, width = _LANE - 8, round(max(across * (piece.end - piece.begin), 0.3), 2)
    if piece.kind == LOOP:
        frame = svg.Rect(x=round(x, 2), y=top, width=width, height=height, class_=["loop-frame"])
        frame.elements = [svg.Title(text=escape(piece.text))]
        yield frame
    full = piece.share * height
    exposed = piece.exposed * height if piece.kind == LOOP else full if piece.kind == EXPOSED else 0.0
    parts = [(full - exposed, "hidden" if colours[0] != COMPUTATION else f"t{piece.kind}"), (exposed, "exposed")]
    y = top + height
    for tall, state in parts:
        if tall <= 0:
            continue
        y -= tall
        listed = colours if colours[0] != COMPUTATION else ("",)
        for number, colour in enumerate(listed):
            each = tall / len(listed)
            one = svg.Rect(x=round(x, 2), y=round(y + number * each, 2), width=width, height=round(each, 2))
            one.class_ = [name for name in ("swatch", colour, state) if name]
            one.elements = [svg.Title(text=escape(piece.text))]
            yield one


def curve(points: Sequence[int], height: int = 150, width: int = _WIDTH) -> str:
    """A curve of the growth of a count."""
    most, left, bottom = max(points, default=0) or 1, 70, height - 18
    shown = _thinned(points)

    def place(index: int, count: int) -> tuple[float, float]:
        across = left + (width - left - 8) * index / max(len(points) - 1, 1)
        return round(across, 2), round(bottom - (bottom - 10) * count / most, 2)

    path: list[svg.PathData] = []
    for index, count in shown:
        x, y = place(index, count)
        path.append(svg.L(x, y) if path else svg.M(x, y))
    elements: list[svg.Element] = [
        svg.Line(x1=left, x2=width - 8, y1=bottom, y2=bottom, class_=["grid-line"]),
        svg.Text(x=left - 6, y=14, text=str(most), text_anchor="end"),
        svg.Text(x=left - 6, y=bottom, text="0", text_anchor="end"),
        svg.Text(x=left, y=height - 4, text="first step of propagation"),
        svg.Text(x=width - 8, y=height - 4, text="last", text_anchor="end"),
        svg.Path(d=path, class_=["curve"]),
    ]
    return _drawn(elements, width, height)


_MOST_POINTS = 500


def _thinned(points: Sequence[int]) -> list[tuple[int, int]]:
    """As many points as a picture of that width can show, the last among them."""
    every = max(1, len(points) // _MOST_POINTS)
    found = [(index, points[index]) for index in range(0, len(points), every)]
    return found if not points or found[-1][0] == len(points) - 1 else [*found, (len(points) - 1, points[-1])]


def _drawn(elements: list[svg.Element], width: int, height: int) -> str:
    return str(svg.SVG(viewBox=svg.ViewBoxSpec(0, 0, width, height), class_=["spark"], elements=elements))
