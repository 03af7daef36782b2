"""Colours of the page: each stands out from a light and a dark ground, and what is written on it can be read."""

from __future__ import annotations

import re
from importlib.resources import files

from pyshardy.report.page.colours import axis_colours, classes
from pyshardy.sharding.mesh import Mesh

_STYLE = (files("pyshardy.report.page") / "assets" / "page.css").read_text("utf-8")


def _light(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (one / 12.92 if one <= 0.03928 else ((one + 0.055) / 1.055) ** 2.4 for one in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    low, high = sorted((_light(one), _light(other)))
    return (high + 0.05) / (low + 0.05)


def test_colours_stand_out_from_both_grounds_and_can_be_written_on() -> None:
    axes = re.findall(r"--c\d: (#[0-9a-f]{6});", _STYLE)
    kinds = re.findall(r"--m\d: (#[0-9a-f]{6});", _STYLE)
    grounds = re.findall(r"--ground: (#[0-9a-f]{6});", _STYLE)
    assert len(set(axes)) == 8 and len(set(kinds)) == 9 and len(grounds) == 2
    for colour in (*axes, *kinds):
        assert all(_contrast(colour, ground) >= 2.8 for ground in grounds), colour
        assert _contrast(colour, "#ffffff") >= 4.4, colour


def test_an_axis_has_one_colour_and_several_axes_have_all_of_theirs() -> None:
    colours = axis_colours([Mesh({"data": 4, "model": 2}), Mesh({"model": 2, "other": 2})])
    assert colours == {"data": 0, "model": 1, "other": 2}
    assert classes(["model", '"data":(1)2'], colours) == ("k1", "k0")
    assert classes([], colours) == classes(["somebody's"], colours) == ("kn",)
