"""Reads the hardware that a program is to run on, a chip and their number, as one word: ``h100x8``, ``v5p:4x4x8``."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import replace
from math import prod
from typing import NamedTuple

from pyshardy.analysis.cost.fabric import Fabric
from pyshardy.analysis.cost.hardware import Hardware
from pyshardy.analysis.cost.hardware_files import HardwareProblem, Source, hardware
from pyshardy.analysis.cost.preset_files import presets
from pyshardy.module import HardwareName
from pyshardy.sharding.mesh import Mesh

_COUNT = re.compile(r"(?P<name>.+?)x?(?P<count>\d+)")
_SLICE = re.compile(r"(?P<name>.+):(?P<sizes>\d+(x\d+)*)")


class Target(NamedTuple):
    """The hardware, and how many devices; None where they are not given. ``name`` says the hardware in a sharding file;
    None where no word means it."""

    hardware: Hardware
    devices: int | None
    name: HardwareName | None = None

    def check(self, mesh: Mesh | None) -> None:
        """Checks that ``mesh`` fits the hardware and has as many devices as this target names, if both are given.

        Raises:
            HardwareProblem: it does not.
        """
        if mesh is not None and self.devices is not None:
            check_mesh(mesh.sizes, self.devices, self.hardware)


AnyHardware = Source | Hardware | Target
"""Whatever says hardware: also ``h100x8`` and ``v5p:4x4x8``, with the number of devices."""


def target(source: AnyHardware, *, attention: str | None = None) -> Target:
    """What ``h100x8``, ``v5p:4x4x8``, the name of a preset, a file or a dict means.

    Raises:
        HardwareProblem: there is no such hardware, or no such slice of it.
        OSError: a file cannot be read.

    >>> target("h100x8").devices, target("v5p:4x4x8").devices, target("v5e").devices
    (8, 128, None)
    """
    if isinstance(source, Target):
        return source
    if not isinstance(source, str | os.PathLike):
        described = hardware(source, attention=attention)
        return Target(described, None, _name_of(described))
    text = os.fspath(source)
    return Target(*_read(text, attention), HardwareName(text, attention))


def hardware_for(mesh: Mesh | None, on: AnyHardware) -> Hardware:
    """The hardware that ``on`` means, for a program on ``mesh``.

    Raises:
        HardwareProblem: there is no such hardware, its description is wrong, or it is said how many devices there are
            and the mesh has not as many.
        OSError: a file cannot be read.
    """
    if isinstance(on, str | os.PathLike):
        on = target(on)
    if isinstance(on, Target):
        on.check(mesh)
        return on.hardware
    return hardware(on)


def named_target(name: HardwareName) -> Target:
    """The hardware of that name, with the number of devices if the name says it.

    Raises:
        HardwareProblem: there is no such hardware.
    """
    try:
        return target(name.name, attention=name.attention)
    except OSError as error:
        raise HardwareProblem(f"hardware file '{name.name}' cannot be read: {error.strerror or error}") from None


def _name_of(described: Hardware) -> HardwareName | None:
    """The name of hardware that somebody has described as a preset does."""
    first = described.links[0] if described.links else None
    sizes = first.slice if first is not None else None
    whole = described
    if first is not None and sizes is not None:
        whole = replace(described, links=(replace(first, slice=None), *described.links[1:]))
    for preset in presets():
        if hardware(preset, attention=whole.chip.attention) == whole:
            is_own = hardware(preset) == whole
            name = preset if sizes is None else f"{preset}:{'x'.join(map(str, sizes))}"
            return HardwareName(name, None if is_own else whole.chip.attention)
    return None


def _read(text: str, attention: str | None) -> tuple[Hardware, int | None]:
    """The hardware that ``text`` means, and how many devices."""
    if text in presets() or os.path.exists(text):
        return hardware(text, attention=attention), None
    found = _SLICE.fullmatch(text)
    if found is not None:
        sizes = tuple(map(int, found["sizes"].split("x")))
        chip = hardware(found["name"], attention=attention)
        return _sliced(chip, sizes, text), prod(sizes)
    found = _COUNT.fullmatch(text)
    if found is not None:
        for name in (text[: len(text) - len(found["count"])], found["name"]):
            if name in presets() or (name.endswith(".toml") and os.path.exists(name)):
                return hardware(name, attention=attention), int(found["count"])
    return hardware(text, attention=attention), None


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
