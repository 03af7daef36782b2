"""The colour of each axis, the same in all views; computation is grey.

A colour is a number of the page's style, whose colours have contrast with a light and a dark background and with white
text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pyshardy.sharding.mesh import Mesh

_COUNT = 8
COMPUTATION = "kc"
"""The class of computation."""


def axis_colours(meshes: Iterable[Mesh]) -> dict[str, int]:
    """The number of the colour of each axis, in the order of the meshes."""
    names = dict.fromkeys(axis.name for mesh in meshes for axis in mesh.axes)
    return {name: place % _COUNT for place, name in enumerate(names)}


def classes(axes: Iterable[str], colours: Mapping[str, int]) -> tuple[str, ...]:
    """The classes of the style for ``axes``, whole axes or sub-axes."""
    found = [colours.get(name.strip('" ').partition('"')[0].partition(":")[0]) for name in axes]
    return tuple(f"k{number}" for number in found if number is not None) or ("kn",)
