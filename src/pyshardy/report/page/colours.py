"""One colour for each axis, wherever the page shows it; computation is grey.

A colour is the number of one of the style's, which stand out from a light and a dark ground; white text can be read on
them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pyshardy.sharding.mesh import Mesh

_COUNT = 8
COMPUTATION = "kc"
"""The class of what computes."""


def axis_colours(meshes: Iterable[Mesh]) -> dict[str, int]:
    """The number of the colour of each axis, in the order of the meshes."""
    names = dict.fromkeys(axis.name for mesh in meshes for axis in mesh.axes)
    return {name: place % _COUNT for place, name in enumerate(names)}


def classes(axes: Iterable[str], colours: Mapping[str, int]) -> tuple[str, ...]:
    """The classes of the style for what goes along ``axes``, by name or as sub-axes."""
    found = [colours.get(name.strip('" ').partition('"')[0].partition(":")[0]) for name in axes]
    return tuple(f"k{number}" for number in found if number is not None) or ("kn",)
