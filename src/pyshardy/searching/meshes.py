"""The possible meshes for a number of devices, for a search that also finds the shape of the mesh."""

from __future__ import annotations

from collections.abc import Iterator

from pyshardy.analysis.cost.fabric import Fabric
from pyshardy.analysis.cost.hardware import Hardware
from pyshardy.analysis.cost.hardware_files import HardwareProblem
from pyshardy.sharding.mesh import Mesh

_MOST_AXES = 3

AUTO_AXES = ("?a", "?b", "?c")
"""Temporary names of the axes of a mesh that is searched for; no axis of a user has such a name."""


def meshes_for(devices: int, chip: Hardware) -> list[Mesh]:
    """The meshes of up to three axes for so many devices that fit the hardware: few axes first.

    Raises:
        HardwareProblem: none fits.
    """
    found, problem = [], None
    for count in range(1, _MOST_AXES + 1):
        for sizes in _factorisations(devices, count):
            mesh = Mesh(dict(zip(AUTO_AXES, sizes, strict=False)))
            try:
                Fabric(chip, mesh)
            except HardwareProblem as error:
                problem = problem or error
                continue
            found.append(mesh)
    if not found:
        raise problem or HardwareProblem(f"{devices} devices make no mesh")
    return found


def _factorisations(number: int, count: int) -> Iterator[tuple[int, ...]]:
    """The factorisations of ``number`` into ``count`` factors of at least 2, large ones first."""
    if count == 1:
        if number > 1 or count == 0:
            yield (number,)
        elif number == 1:
            yield (1,)
        return
    for first in range(number // 2, 1, -1):
        if number % first == 0:
            for rest in _factorisations(number // first, count - 1):
                if all(one > 1 for one in rest):
                    yield (first, *rest)
