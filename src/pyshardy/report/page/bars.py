"""Draws bars that show parts of a whole, or compare figures: in a cell, in a card, or with numbers for a list below.

The page allows no style attributes, so a bar is an SVG rectangle of its length.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import svg

_WIDTH = 320
_HEIGHT = 20
_ROOM_FOR_NUMBER = 14
_LOW = 12
_CELL = 100


def numbered_bar(parts: Sequence[tuple[str, float]]) -> str:
    """A bar of ``parts``, each a name and an amount, numbered from 1 like the list that explains them. A part that is
    too short for its number has none."""
    total = sum(amount for _, amount in parts) or 1.0
    elements: list[svg.Element] = []
    x = 0.0
    for number, (name, amount) in enumerate(parts):
        length = _WIDTH * amount / total
        shown = round(max(length - 1.5, 0.4), 2)
        piece = svg.Rect(x=round(x, 2), y=0, width=shown, height=_HEIGHT, class_=[f"f{number % 8}"])
        piece.elements = [svg.Title(text=escape(f"{number + 1} {name}: {amount / total:.1%}"))]
        elements.append(piece)
        if length >= _ROOM_FOR_NUMBER:
            at = round(x + length / 2, 2)
            text = svg.Text(x=at, y=14, text=str(number + 1), text_anchor="middle", class_=[f"on{number % 8}"])
            elements.append(text)
        x += length
    return _drawn(elements, _WIDTH, _HEIGHT, "parts")


def limit_bar(amount: float, limit: float) -> str:
    """A bar of ``amount`` in a frame as long as ``limit``; the part beyond it is hatched, after a line."""
    most = max(amount, limit) or 1.0
    inside, edge = _WIDTH * min(amount, limit) / most, _WIDTH * limit / most
    fits = amount <= limit
    elements: list[svg.Element] = [
        svg.Rect(x=0, y=0, width=_WIDTH, height=_LOW, class_=["frame"]),
        svg.Rect(x=0, y=0, width=round(max(inside, 1), 2), height=_LOW, class_=["fits" if fits else "full"]),
    ]
    if not fits:
        stripes = [
            svg.Line(x1=round(edge + 6 * place, 2), x2=round(edge + 6 * place, 2), y1=0, y2=_LOW, class_=["over"])
            for place in range(1, int((_WIDTH - edge) // 6) + 1)
        ]
        elements += [*stripes, svg.Line(x1=round(edge, 2), x2=round(edge, 2), y1=0, y2=_LOW, class_=["edge"])]
    return _drawn(elements, _WIDTH, _LOW, "limit-bar")


def cell_bar(figure: float, most: float) -> str:
    """A bar whose length is the ratio of ``figure`` to the largest, ``most``; a negative figure is only an outline."""
    length = _CELL * abs(figure) / most if most else 0.0
    piece = svg.Rect(x=0, y=0, width=round(max(length, 0.5), 2), height=5, class_=["more" if figure >= 0 else "less"])
    return _drawn([piece], _CELL, 5, "cell-bar")


def _drawn(elements: list[svg.Element], width: int, height: int, name: str) -> str:
    box = svg.ViewBoxSpec(0, 0, width, height)
    return str(svg.SVG(viewBox=box, class_=[name], elements=elements, extra={"aria-hidden": "true"}))
