"""Hardware out of TOML: presets, files of one's own, and what is said of mistakes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pyshardy import HardwareProblem, hardware
from pyshardy.analysis.cost.preset_files import presets
from pyshardy.ir.types import F32, F64, I1, I8, I32, ComplexType, FloatType, IntegerType

CHIP = {"memory": 16e9, "bandwidth": 8e11, "flops": {"bf16": 2e14}}
LEVEL = {"name": "ICI", "topology": "torus", "dimensions": [4, 4], "bandwidth": 5e10}


def given(**changes: Any) -> dict[str, Any]:
    return {"chip": CHIP, "links": [LEVEL]} | changes


def test_the_presets_are_those_that_are_documented() -> None:
    assert {"a100", "h100", "laptop", "v5e"} < set(presets())
    page = (Path(__file__).parents[3] / "docs" / "cost.md").read_text()
    missing = [name for name in presets() if f"`{name}`" not in page]
    assert not missing, f"name these in docs/cost.md: {missing}"


@pytest.mark.parametrize("name", presets())
def test_every_figure_of_a_preset_has_a_source_and_a_date(name: str) -> None:
    found = hardware(name)
    assert all(one.source and one.date for one in found.figures), name
    named = {one.key for one in found.figures}
    expected = {"chip.memory", "chip.usable", "chip.bandwidth", *(f"chip.flops.{key}" for key in found.chip.flops)}
    chip = found.chip
    if chip.matrix is not None:
        expected |= {"chip.matrix.tile"} | ({"chip.matrix.units"} if chip.matrix.units > 1 else set())
    if chip.vector is not None:
        expected |= {f"chip.vector.{key}" for key in (*chip.vector.flops, "transcendental")}
    expected |= {"chip.launch"} if chip.launch else set()
    expected |= {"chip.layout"} if chip.layout is not None else set()
    for number, level in enumerate(found.links):
        expected |= {f"links[{number}].bandwidth", f"links[{number}].latency"}
        if level.dimensions:
            expected |= {f"links[{number}].dimensions", f"links[{number}].wraps_at_multiples_of"}
        if level.devices is not None:
            expected |= {f"links[{number}].devices"}
        if level.start:
            expected |= {f"links[{number}].start"}
    assert named == expected


@pytest.mark.parametrize("name", presets())
def test_a_preset_is_what_its_makers_publish(name: str) -> None:
    published = {
        "a100": (312e12, 80e9, 2.04e12, 300e9),
        "b200": (2250e12, 180e9, 8e12, 900e9),
        "h100": (989e12, 80e9, 3.35e12, 450e9),
        "h200": (989e12, 141e9, 4.8e12, 450e9),
        "laptop": (1.3e12 * 2, 16e9, 68.25e9, 125e6),
        "mi300x": (1307e12, 192e9, 5.3e12, 64e9),
        "v4": (275e12, 32e9, 1.2e12, 45e9),
        "v5e": (197e12, 16e9, 819e9, 50e9),
        "v5p": (459e12, 95 * 2**30, 2765e9, 100e9),
        "v6e": (918e12, 32e9, 1600e9, 100e9),
    }
    found = hardware(name)
    flops = found.chip.peak(FloatType("bf16"))[0]
    figures = flops, found.chip.memory, found.chip.bandwidth, found.links[0].bandwidth
    assert name in published, f"add to this table what the maker of {name} publishes"
    assert figures == pytest.approx(published[name], rel=2e-3)


@pytest.mark.parametrize("name", presets())
def test_a_program_cannot_use_all_of_a_chip(name: str) -> None:
    usable = {
        "a100": 79.15,
        "b200": 178.35,
        "h100": 79.1,
        "h200": 139.8,
        "laptop": 10.67,
        "mi300x": 191.7,
        "v4": 30.75,
        "v5e": 15.75,
        "v5p": 95.74,
        "v6e": 31.25,
    }
    assert name in usable, f"add to this table the GiB that a program can use of {name}"
    chip = hardware(name).chip
    assert chip.capacity == pytest.approx(usable[name] * 2**30, rel=1e-6)
    # A data sheet's GB are GiB, but for a v5p, which has more than the sheet says.
    assert 0.6 * chip.memory < chip.capacity < 1.01 * (chip.memory / 1e9) * 2**30


def test_all_memory_is_usable_where_nobody_says_otherwise() -> None:
    assert hardware(given()).chip.usable is None and hardware(given()).chip.capacity == 16e9
    kept = hardware({"chip": CHIP | {"usable": 15e9}}).chip
    assert (kept.memory, kept.capacity) == (16e9, 15e9)


def test_a_file_is_read_by_its_path_and_a_dict_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "pod.toml"
    path.write_text('[chip]\nmemory = 1e9\nbandwidth = { value = 1e9, source = "me" }\n[chip.flops]\nf32 = 1e12\n')
    found = hardware(path)
    assert found.name == "pod" and found.links == () and found.chip.flops == {"f32": 1e12}
    assert hardware(found) is found
    assert hardware(given(name="mine")).name == "mine"


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("v5e:4x2", "'v5e:4x2': here the mesh says how many devices there are; write v5e$"),
        ("h100x8", "'h100x8': here the mesh says"),
        ("h10", "there is no hardware 'h10', only a100, .* or a file X.toml; did you mean 'h100'?"),
        ("V5E", "did you mean 'v5e'?"),
        (given(chips={}), "hardware: chips is not known, only name, chip, links, axes, overlap; did you mean 'chip'?"),
        ({"links": []}, "hardware: chip is missing: a table with flops, memory and bandwidth"),
        ({"chip": {"memory": 1}}, r"hardware: chip.flops is missing: a table with a line bf16 = 197e12 for each type"),
        ({"chip": CHIP | {"flops": {"bf6": 1}}}, r"chip.flops.bf6 is not known, .*; did you mean 'bf16'?"),
        ({"chip": CHIP | {"flops": {}}}, r"chip.flops is empty: a line bf16 = 197e12"),
        ({"chip": CHIP | {"memory": "16 GB"}}, "hardware: chip.memory is a number, not '16 GB'"),
        ({"chip": CHIP | {"memory": 0}}, "hardware: chip.memory is greater than 0, not 0"),
        ({"chip": CHIP | {"memory": int("9" * 400)}}, "chip.memory is too large: at most 1e[+]30 is expected$"),
        ({"chip": CHIP | {"memory": {"value": 10**400}}}, "chip.memory is too large: at most 1e[+]30 is expected$"),
        ({"chip": CHIP | {"launch": 1e300}}, "chip.launch is too large: at most 1e[+]30 is expected$"),
        ({"chip": CHIP | {"flops": {"bf16": 1e-320}}}, "chip.flops.bf16 is too small: at least 1e-30 is expected, not"),
        (
            given(links=[LEVEL | {"dimensions": [10**400]}]),
            "dimensions is a whole number from 1 to 1e[+]18, and",
        ),
        ({"chip": CHIP | {"memory": True}}, "hardware: chip.memory is a number, not True"),
        ({"chip": CHIP | {"memory": {"valeu": 1}}}, "chip.memory.valeu is not known, .*; did you mean 'value'?"),
        ({"chip": 3}, "hardware: chip is a table, not 3"),
        (given(links=3), r"hardware: links is a list of tables, \[\[links\]\], the innermost first"),
        (given(links=[LEVEL | {"topology": "tours"}]), r"links\[0\].topology is one of .*; did you mean 'torus'?"),
        (given(links=[LEVEL | {"latency": -1}]), r"links\[0\].latency is 0 or more, not -1"),
        (given(links=[LEVEL | {"dimensions": 16}]), r"links\[0\].dimensions is a list of sizes, \[16, 16\], not 16"),
        (given(links=[LEVEL | {"dimensions": [2.5]}]), r"links\[0\].dimensions is a whole number, 1 or more, not 2.5"),
        (given(links=[LEVEL | {"slice": [4]}]), r"links\[0\].slice has a size for each dimension of a torus: 2 are"),
        (given(links=[LEVEL | {"topology": "ring"}]), r"links\[0\].dimensions is for a torus: this is 'ring'"),
        (given(links=[{"name": "a", "topology": "line", "bandwidth": 1}]), r"links\[0\].devices is missing: how many"),
        (given(links=[{"name": "a", "topology": "full", "bandwidth": 1}]), r"links\[0\].devices is missing: how many"),
        (given(links=[{"topology": "ring"}]), r'links\[0\].name is missing: a text, "NVLink"'),
        (given(links=[LEVEL, LEVEL]), "links has two levels called 'ICI': give each its own name"),
        (given(links=[LEVEL | {"devices": 16}]), r"links\[0\].devices is not for a torus, which has dimensions"),
        (given(links=[LEVEL | {"slice": [8, 2]}]), r"links\[0\].slice is larger than the dimensions: at most \[4, 4\]"),
        (
            given(links=[LEVEL | {"reduces_in_switch": True}]),
            r"reduces_in_switch is for switched links: this is 'torus'",
        ),
        (given(links=[LEVEL | {"reduces_in_switch": 1}]), r"links\[0\].reduces_in_switch is true or false, not 1"),
        (
            given(links=[{"name": "a", "topology": "switched", "bandwidth": 1}, LEVEL]),
            "links 'a' joins any number of devices, .*: say how many, devices = 8",
        ),
        (
            given(axes={"model": "ICY"}),
            "axes.model names 'ICY', which is none of ICI, ICI.0, ICI.1; did you mean 'ICI'?",
        ),
        (given(axes={"model": 3}), r"axes.model is a level of links, or a list of them, \[\"ICI.0\"\], not 3"),
        (given(name=3), "hardware: name is a text, not 3"),
    ],
)
def test_what_is_wrong_is_said_with_its_key(source: Any, said: str) -> None:
    with pytest.raises(HardwareProblem, match=said.replace("?", r"\?")):
        hardware(source)


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "broken.toml"
    path.write_text("[chip\n")
    with pytest.raises(HardwareProblem, match=r"broken.toml: .*line 1"):
        hardware(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(HardwareProblem, match=r"broken.toml: this is no text"):
        hardware(path)
    path.write_text("[chip]\nmemory = " + "9" * 5000)
    with pytest.raises(HardwareProblem, match=r"broken.toml: a whole number has too many digits"):
        hardware(path)
    with pytest.raises(FileNotFoundError):
        hardware(tmp_path / "missing.toml")


def test_a_type_without_a_figure_takes_that_of_the_nearest() -> None:
    chip = hardware({"chip": CHIP | {"flops": {"bf16": 16.0, "f64": 2.0, "f8": 32.0, "i8": 64.0}}}).chip
    assert chip.peak(FloatType("bf16")) == (16.0, "bf16")
    assert chip.peak(FloatType("f16")) == (16.0, "bf16") and chip.states(FloatType("f16"))
    assert chip.peak(FloatType("f8E4M3FN")) == (32.0, "f8") and chip.states(FloatType("f8E4M3FN"))
    # A wider type can always stand in.
    assert chip.peak(F32) == (2.0, "f64") and not chip.states(F32)
    assert chip.peak(I1) == (64.0, "i8") and chip.peak(IntegerType(8, "u")) == (64.0, "i8")
    # A narrower one has to be used more often.
    assert chip.peak(I32) == (16.0, "i8") and not chip.states(I32)
    assert chip.peak(ComplexType(F64)) == (2.0, "f64") and chip.states(ComplexType(F64))
    only_floats = hardware({"chip": CHIP}).chip
    assert only_floats.peak(I8) == (2e14, "bf16") and not only_floats.states(I8)
    assert only_floats.peak(F64) == (5e13, "bf16")


def test_hardware_says_what_it_is() -> None:
    assert repr(hardware(given(name="pod"))) == (
        "<Hardware pod: 200 TFLOP/s of bf16, 16 GB at 800 GB/s; ICI (torus, 50 GB/s)>"
    )
