"""Reads hardware from TOML: presets by name, files by path, and the same tables as a dict.

A figure is a number, or ``{ value = …, source = "…", date = "…" }``, which says where it comes from; every figure of
the presets does.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from pyshardy.analysis.cost.hardware import (
    ATTENTION,
    LINE,
    RING,
    SWITCHED,
    TOPOLOGIES,
    TORUS,
    WRITTEN,
    Chip,
    Figure,
    Hardware,
    Links,
    MatrixUnits,
    VectorUnits,
)
from pyshardy.analysis.cost.preset_files import preset_path, presets
from pyshardy.dialects.stablehlo.collective_kinds import COLLECTIVE_KINDS
from pyshardy.ir.input_files import read_input
from pyshardy.ir.types import FLOAT_WIDTHS
from pyshardy.sharding.plain import did_you_mean

_TOP = ("name", "chip", "links", "axes", "overlap")
_OF_A_CHIP = (
    *("flops", "memory", "usable", "bandwidth", "layout", "matrix", "vector", "launch", "attention", "convolution"),
)
_OF_MATRICES = ("tile", "units")
_TRANSCENDENTAL = "transcendental"
_OF_LINKS = (
    *("name", "topology", "bandwidth", "latency", "start", "devices", "dimensions", "wraps_at_multiples_of", "slice"),
    *("reduces_in_switch", "measured"),
)
_OF_A_FIGURE = ("value", "source", "date")
_LEAST, _MOST = 1e-30, 1e30
"""Between these are all figures but 0, so that times are finite."""
_MOST_COUNTED = 10**18
_INTEGERS = tuple(f"{sign}i{width}" for width in (1, 2, 4, 8, 16, 32, 64) for sign in ("", "s", "u"))
_ELEMENTS = ("f8", *FLOAT_WIDTHS, *_INTEGERS)
_WITH_DEVICES = re.compile(r"(.+?)(?:x|:(?:[1-9]\d*x)*)[1-9]\d*")
"""What a search takes, ``h100x8`` and ``v5p:4x4x8``."""

Source = str | os.PathLike[str] | Mapping[str, object]
"""Hardware: the name of a preset, the path of a TOML file, or what stands in one as a dict."""


class HardwareProblem(ValueError):
    """A description of hardware that cannot be meant so; the message says where, and what would be right."""


def hardware(source: Source | Hardware, *, attention: str | None = None) -> Hardware:
    """The hardware called ``source``: a preset, a TOML file, or a dict with the same tables (docs/cost.md). With
    ``attention`` that runs as is said, ``"written"`` or ``"fused"``.

    Raises:
        HardwareProblem: there is no such preset, or something in the file is wrong; the message says where.
        OSError: the file cannot be read.

    >>> hardware("laptop")
    <Hardware laptop: 2.6 TFLOP/s of f32, 16 GB at 68.25 GB/s; Ethernet (switched, 0.125 GB/s)>
    """
    if attention is not None:
        if attention not in ATTENTION:
            raise HardwareProblem(f"attention is one of {', '.join(ATTENTION)}, not {attention!r}")
        found = hardware(source)
        return replace(found, chip=replace(found.chip, attention=attention))
    if isinstance(source, Hardware):
        return source
    if isinstance(source, Mapping):
        return _Reader("hardware").read(source)
    text = os.fspath(source)
    if text in presets():
        return _preset(text)
    if not text.endswith(".toml") and not os.path.exists(text):
        known = presets()
        counted = _WITH_DEVICES.fullmatch(text)
        if counted is not None and counted[1] in known:
            raise HardwareProblem(f"{text!r}: here the mesh says how many devices there are; write {counted[1]}")
        listed = ", ".join(known)
        near = did_you_mean(text.lower(), known)
        raise HardwareProblem(f"there is no hardware {text!r}, only {listed}, or a file X.toml{near}")
    return _Reader(text).read(_tables(text))


@cache
def _preset(name: str) -> Hardware:
    path = preset_path(name)
    return _Reader(name).read(_tables(path))


def _tables(path: str) -> Mapping[str, object]:
    import tomllib

    data = read_input(path, "a description of hardware")
    try:
        return tomllib.loads(data.decode())
    except UnicodeDecodeError:
        raise HardwareProblem(f"{path}: this is no text: TOML is written in UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise HardwareProblem(f"{path}: {error}") from None
    except ValueError:
        # Python reads no decimal integer of more than some thousand digits.
        raise HardwareProblem(f"{path}: a whole number has too many digits: at most {_MOST:g} is expected") from None


class _Reader:
    """Reads the tables of one file; ``where`` is what messages call it."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._figures: list[Figure] = []

    def read(self, tables: Mapping[str, object]) -> Hardware:
        top = self._table(tables, "", _TOP)
        name = top.get("name", Path(self._where).stem)
        if not isinstance(name, str):
            raise self._problem("name", f"is a text, not {name!r}")
        chip = self._chip(self._needed(top, "", "chip", "a table with flops, memory and bandwidth"))
        listed = top.get("links", [])
        if not isinstance(listed, list | tuple):
            raise self._problem("links", "is a list of tables, [[links]], the innermost first")
        links = tuple(self._links(one, f"links[{number}]") for number, one in enumerate(listed))
        names = [one.name for one in links]
        for name_of_links in names:
            if names.count(name_of_links) > 1:
                raise self._problem("links", f"has two levels called {name_of_links!r}: give each its own name")
        if any(one.capacity is None for one in links[:-1]):
            inner = next(one for one in links[:-1] if one.capacity is None)
            raise self._problem(
                f"links {inner.name!r}",
                "joins any number of devices, and leaves nothing for the levels behind it: say how many, devices = 8",
            )
        overlap = top.get("overlap", True)
        if not isinstance(overlap, bool):
            raise self._problem("overlap", f"is true or false, not {overlap!r}")
        return Hardware(name, chip, links, self._axes(top.get("axes", {}), links), tuple(self._figures), overlap)

    def _chip(self, value: object) -> Chip:
        table = self._table(value, "chip", _OF_A_CHIP)
        flops = self._table(
            self._needed(table, "chip", "flops", "a table with a line bf16 = 197e12 for each type"),
            "chip.flops",
            _ELEMENTS,
        )
        if not flops:
            raise self._problem("chip.flops", "is empty: a line bf16 = 197e12 for each type of elements is expected")
        rates = {key: self._positive(one, f"chip.flops.{key}") for key, one in flops.items()}
        memory = self._needed(table, "chip", "memory", "bytes, 80e9")
        bandwidth = self._needed(table, "chip", "bandwidth", "bytes a second, 3.35e12")
        return Chip(
            rates,
            self._positive(memory, "chip.memory"),
            self._positive(bandwidth, "chip.bandwidth"),
            self._positive(table["usable"], "chip.usable") if "usable" in table else None,
            self._matrix(table["matrix"]) if "matrix" in table else None,
            self._vector(table["vector"]) if "vector" in table else None,
            self._not_negative(table.get("launch", 0.0), "chip.launch"),
            self._attention(table.get("attention", WRITTEN)),
            self._positive(table.get("convolution", 1.0), "chip.convolution"),
            self._layout(table["layout"]) if "layout" in table else None,
        )

    def _layout(self, value: object) -> tuple[int, int]:
        tile = self._counts(value, "chip.layout")
        if len(tile) != 2 or tile[0] & (tile[0] - 1):
            raise self._problem(
                "chip.layout", f"has two sizes, rows (a power of 2) and columns: [8, 128], not {list(tile)}"
            )
        return tile[0], tile[1]

    def _matrix(self, value: object) -> MatrixUnits:
        table = self._table(value, "chip.matrix", _OF_MATRICES)
        expected = "rows, contracted elements, columns: [8, 128, 128]"
        tile = self._counts(self._needed(table, "chip.matrix", "tile", expected), "chip.matrix.tile")
        if len(tile) != 3:
            raise self._problem("chip.matrix.tile", f"has three sizes, {expected}, not {list(tile)}")
        return MatrixUnits((tile[0], tile[1], tile[2]), self._count(table.get("units", 1), "chip.matrix.units"))

    def _vector(self, value: object) -> VectorUnits:
        table = self._table(value, "chip.vector", (*_ELEMENTS, _TRANSCENDENTAL))
        rates = {key: self._positive(one, f"chip.vector.{key}") for key, one in table.items() if key != _TRANSCENDENTAL}
        if not rates:
            raise self._problem("chip.vector", "has no rate: a line f32 = 6e12 is expected")
        functions = table.get(_TRANSCENDENTAL)
        key = f"chip.vector.{_TRANSCENDENTAL}"
        return VectorUnits(rates, self._positive(functions, key) if functions is not None else None)

    def _attention(self, value: object) -> str:
        if value not in ATTENTION:
            near = did_you_mean(str(value), ATTENTION)
            raise self._problem("chip.attention", f"is one of {', '.join(ATTENTION)}, not {value!r}{near}")
        return str(value)

    def _links(self, value: object, key: str) -> Links:
        table = self._table(value, key, _OF_LINKS)
        name = self._needed(table, key, "name", 'a text, "NVLink"')
        if not isinstance(name, str) or not name:
            raise self._problem(f"{key}.name", f"is a text, not {name!r}")
        topology = self._needed(table, key, "topology", f"one of {', '.join(TOPOLOGIES)}")
        if topology not in TOPOLOGIES:
            near = did_you_mean(str(topology), TOPOLOGIES)
            raise self._problem(f"{key}.topology", f"is one of {', '.join(TOPOLOGIES)}, not {topology!r}{near}")
        assert isinstance(topology, str)
        devices = self._count(table["devices"], f"{key}.devices") if "devices" in table else None
        dimensions, wraps_at = self._dimensions(table, key, topology, devices)
        slice = self._counts(table["slice"], f"{key}.slice") if "slice" in table else None
        if slice is not None and (topology != TORUS or len(slice) != len(dimensions)):
            raise self._problem(
                f"{key}.slice",
                f"has a size for each dimension of a torus: {len(dimensions)} are expected, not {list(slice)}",
            )
        if slice is not None and any(one > most for one, most in zip(sorted(slice), sorted(dimensions), strict=True)):
            raise self._problem(f"{key}.slice", f"is larger than the dimensions: at most {list(dimensions)}")
        reduces = table.get("reduces_in_switch", False)
        if not isinstance(reduces, bool):
            raise self._problem(f"{key}.reduces_in_switch", f"is true or false, not {reduces!r}")
        if reduces and topology != SWITCHED:
            raise self._problem(f"{key}.reduces_in_switch", f"is for switched links: this is {topology!r}")
        return Links(
            name,
            topology,
            self._positive(self._needed(table, key, "bandwidth", "bytes a second, 450e9"), f"{key}.bandwidth"),
            self._not_negative(table.get("latency", 0.0), f"{key}.latency"),
            self._not_negative(table.get("start", 0.0), f"{key}.start"),
            None if topology in (TORUS, RING, LINE) else devices,
            dimensions,
            wraps_at,
            slice,
            reduces,
            self._measured(table.get("measured", {}), f"{key}.measured"),
        )

    def _measured(self, value: object, key: str) -> tuple[tuple[str, float, float], ...]:
        """Bandwidth and latency of kinds of collectives by themselves."""
        found = []
        for kind, given in self._table(value, key, tuple(COLLECTIVE_KINDS)).items():
            table = self._table(given, f"{key}.{kind}", ("bandwidth", "latency"))
            bandwidth = self._needed(table, f"{key}.{kind}", "bandwidth", "bytes a second, 450e9")
            latency = self._not_negative(table.get("latency", 0.0), f"{key}.{kind}.latency")
            found.append((kind, self._positive(bandwidth, f"{key}.{kind}.bandwidth"), latency))
        return tuple(found)

    def _dimensions(
        self, table: Mapping[str, object], key: str, topology: str, devices: int | None
    ) -> tuple[tuple[int, ...], int]:
        """The largest dimensions of a torus, and at multiples of what they go round."""
        if topology == TORUS:
            if devices is not None:
                raise self._problem(f"{key}.devices", "is not for a torus, which has dimensions, [16, 16]")
            given = self._needed(table, key, "dimensions", "a list, [16, 16]")
            dimensions = self._counts(given, f"{key}.dimensions")
            at = table.get("wraps_at_multiples_of", 1)
            return dimensions, self._count(at, f"{key}.wraps_at_multiples_of", least=0)
        for other in ("dimensions", "wraps_at_multiples_of", "slice"):
            if other in table:
                raise self._problem(f"{key}.{other}", f"is for a torus: this is {topology!r}")
        if topology in (RING, LINE):
            if devices is None:
                raise self._problem(f"{key}.devices", f"is missing: how many devices the {topology} joins, 8")
            return (devices,), 1 if topology == RING else 0
        if topology != SWITCHED and devices is None:
            raise self._problem(f"{key}.devices", "is missing: how many devices are joined pair by pair, 8")
        return (), 0

    def _axes(self, value: object, links: tuple[Links, ...]) -> dict[str, tuple[str, ...]]:
        known = [one.name for one in links]
        known += [
            f"{one.name}.{number}" for one in links if one.topology == TORUS for number in range(len(one.dimensions))
        ]
        found: dict[str, tuple[str, ...]] = {}
        for axis, given in self._table(value, "axes").items():
            listed = [given] if isinstance(given, str) else given
            if not isinstance(listed, list | tuple) or not listed:
                raise self._problem(f"axes.{axis}", f'is a level of links, or a list of them, ["ICI.0"], not {given!r}')
            for one in listed:
                if one not in known:
                    near = did_you_mean(str(one), known)
                    raise self._problem(f"axes.{axis}", f"names {one!r}, which is none of {', '.join(known)}{near}")
            found[axis] = tuple(listed)
        return found

    # --- values -------------------------------------------------------------------------------------------------------

    def _problem(self, key: str, what: str) -> HardwareProblem:
        return HardwareProblem(f"{self._where}: {key} {what}")

    def _table(self, value: object, key: str, known: Iterable[str] | None = None) -> Mapping[str, object]:
        if not isinstance(value, Mapping):
            raise self._problem(key or "the file", f"is a table, not {value!r}")
        if known is not None:
            names = tuple(known)
            for one in value:
                if one not in names:
                    listed = "types as MLIR spells them, and f8" if names is _ELEMENTS else ", ".join(names)
                    near = did_you_mean(str(one), names)
                    raise self._problem(f"{key}.{one}" if key else str(one), f"is not known, only {listed}{near}")
        return value

    def _needed(self, table: Mapping[str, object], where: str, key: str, expected: str) -> object:
        if key not in table:
            raise self._problem(f"{where}.{key}" if where else key, f"is missing: {expected}")
        return table[key]

    def _value(self, value: object, key: str) -> object:
        """What a figure says, with its source or without."""
        if not isinstance(value, Mapping):
            return value
        table = self._table(value, key, _OF_A_FIGURE)
        found = self._needed(table, key, "value", "a number")
        source, date = table.get("source", ""), table.get("date", "")
        numbers = found if isinstance(found, list | tuple) else [found]
        for one in numbers:
            if isinstance(one, int | float) and abs(one) <= _MOST:
                self._figures.append(Figure(key, float(one), str(source), str(date)))
        return found

    def _number(self, value: object, key: str) -> float:
        found = self._value(value, key)
        if (
            isinstance(found, bool)
            or not isinstance(found, int | float)
            or found != found
            or abs(found) == float("inf")
        ):
            raise self._problem(key, f"is a number, not {found!r}")
        if abs(found) > _MOST:
            raise self._problem(key, f"is too large: at most {_MOST:g} is expected")
        return float(found)

    def _positive(self, value: object, key: str) -> float:
        found = self._number(value, key)
        if found <= 0:
            raise self._problem(key, f"is greater than 0, not {found:g}")
        if found < _LEAST:
            raise self._problem(key, f"is too small: at least {_LEAST:g} is expected, not {found:g}")
        return found

    def _not_negative(self, value: object, key: str) -> float:
        found = self._number(value, key)
        if found < 0:
            raise self._problem(key, f"is 0 or more, not {found:g}")
        return found

    def _count(self, value: object, key: str, *, least: int = 1) -> int:
        found = self._value(value, key)
        if isinstance(found, int) and abs(found) > _MOST_COUNTED:
            raise self._problem(key, f"is a whole number from {least} to {_MOST_COUNTED:g}, and this is beyond")
        if isinstance(found, bool) or not isinstance(found, int) or found < least:
            raise self._problem(key, f"is a whole number, {least} or more, not {found!r}")
        return found

    def _counts(self, value: object, key: str) -> tuple[int, ...]:
        found = self._value(value, key)
        if not isinstance(found, list | tuple) or not found:
            raise self._problem(key, f"is a list of sizes, [16, 16], not {found!r}")
        return tuple(self._count(one, key) for one in found)
