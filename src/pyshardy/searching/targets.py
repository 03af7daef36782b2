"""Where a program is to run: a chip and how many of them, as one word, ``h100x8``, ``v5p:4x4x8``, ``h100``."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import prod
from typing import NamedTuple

from pyshardy.analysis.cost.fabric import Fabric
from pyshardy.analysis.cost.hardware import Hardware
from pyshardy.analysis.cost.hardware_files import HardwareProblem, Source, hardware, presets
from pyshardy.sharding.mesh import Mesh

_MOST_AXES = 3
_COUNT = re.compile(r"(?P<name>.+?)x?(?P<count>\d+)")
_SLICE = re.compile(r"(?P<name>.+):(?P<sizes>\d+(x\d+)*)")

AUTO_AXES = ("?a", "?b", "?c")
"""What axes of a mesh that is searched for are called meanwhile, and no axis of anybody's."""


class Target(NamedTuple):
    """The hardware, and how many devices; None where they are not given."""

    hardware: Hardware
    devices: int | None


def target(source: Source | Hardware, *, attention: str | None = None) -> Target:
    """What ``h100x8``, ``v5p:4x4x8``, the name of a preset, a file or a dict means.

    Raises:
        HardwareProblem: there is no such hardware, or no such slice of it.
        OSError: a file cannot be read.

    >>> target("h100x8").devices, target("v5p:4x4x8").devices, target("v5e").devices
    (8, 128, None)
    """
    if not isinstance(source, str | os.PathLike):
        return Target(hardware(source, attention=attention), None)
    text = os.fspath(source)
    if text in presets() or os.path.exists(text):
        return Target(hardware(text, attention=attention), None)
    found = _SLICE.fullmatch(text)
    if found is not None:
        sizes = tuple(map(int, found["sizes"].split("x")))
        chip = hardware(found["name"], attention=attention)
        return Target(_sliced(chip, sizes, text), prod(sizes))
    found = _COUNT.fullmatch(text)
    if found is not None:
        for name in (text[: len(text) - len(found["count"])], found["name"]):
            if name in presets() or (name.endswith(".toml") and os.path.exists(name)):
                return Target(hardware(name, attention=attention), int(found["count"]))
    return Target(hardware(text, attention=attention), None)


def _sliced(chip: Hardware, sizes: tuple[int, ...], text: str) -> Hardware:
    """``chip`` in a slice of its torus; in one level of links that switch, sizes say only how many there are."""
    first = chip.links[0] if chip.links else None
    if first is None or not first.is_torus:
        if len(sizes) > 1:
            raise HardwareProblem(f"{text}: {chip.name} has no torus to take a slice of: say how many, x{prod(sizes)}")
        return chip
    if len(sizes) > len(first.dimensions) or any(
        one > most for one, most in zip(sorted(sizes), sorted(first.dimensions)[-len(sizes) :], strict=True)
    ):
        most = "x".join(map(str, first.dimensions))
        raise HardwareProblem(
            f"{text}: {'x'.join(map(str, sizes))} is no slice of {first.name}, which is at most {most}"
        )
    return replace(chip, links=(replace(first, slice=sizes), *chip.links[1:]))


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
    """The ways to write ``number`` as a product of ``count`` factors of at least 2, large ones first."""
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


def check_mesh(mesh: Mapping[str, int], devices: int | None, chip: Hardware) -> Mesh:
    """The mesh, if it has so many devices and fits the hardware.

    Raises:
        HardwareProblem: it does not.
    """
    found = Mesh(mesh)
    if devices is not None and found.total_size != devices:
        sizes = ", ".join(f"{name}={size}" for name, size in mesh.items())
        raise HardwareProblem(f"a mesh {sizes} has {found.total_size} devices, and the hardware {devices}")
    Fabric(chip, found)
    return found
