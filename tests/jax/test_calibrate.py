"""What calibrating measures, fits and writes; figures themselves are the machine's."""

from __future__ import annotations

import io
import tomllib
from dataclasses import replace
from pathlib import Path

import jax
import pytest

import pyshardy
from pyshardy.analysis.cost.collective_times import collective_seconds
from pyshardy.analysis.cost.fabric import GroupLinks, Ring
from pyshardy.analysis.cost.hardware import MatrixUnits
from pyshardy.jax import calibrate
from pyshardy.jax.calibrate import _COLLECTIVES, Calibration, Measured, _fitted, _tile, tables_of, toml_of

FOUND = Measured(
    2,
    "cpu",
    {"f32": 5e10},
    2e10,
    5e8,
    1e10,
    1e-6,
    0.5,
    16,
    8e9,
    {"x": (2, {"all_reduce": (4e9, 3e-5), "all_gather": (3e9, 2e-5)})},
    overlap=False,
)


def test_bandwidth_and_latency_are_found_again() -> None:
    rows = [(size, 2.0, 2 * 5e-6 + size / 3e9) for size in (1e3, 1e5, 1e7)]
    assert _fitted(rows) == pytest.approx((3e9, 5e-6))


def test_what_cannot_be_has_no_latency() -> None:
    bandwidth, latency = _fitted([(1e6, 1.0, 1e-4), (1e7, 1.0, 2e-3)])
    assert latency == 0.0 and 5e9 <= bandwidth <= 1e10


@pytest.mark.parametrize("kind", [one for one in _COLLECTIVES if one != "collective_permute"])
@pytest.mark.parametrize("size", [2, 4, 8])
def test_bytes_and_rounds_are_those_of_the_model(kind: str, size: int) -> None:
    links = pyshardy.hardware(
        {
            "chip": {"memory": 1, "bandwidth": 1, "flops": {"f32": 1}},
            "links": [{"name": "l", "topology": "switched", "bandwidth": 2e9, "latency": 1e-6}],
        }
    ).links[0]
    own, one = 8.0 * (1 << 20), _COLLECTIVES[kind]
    whole = own * size if kind == "all_gather" else own
    found = collective_seconds(kind, (GroupLinks(links, (Ring(size, 1, False),)),), round(whole))
    assert one.moved(own, size) / 2e9 + one.rounds(size) * 1e-6 == pytest.approx(found.after, rel=1e-6)


def test_a_file_in_no_directory_is_refused_before_anything_is_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibrate, "Calibration", None)
    assert calibrate.main(["-o", str(tmp_path / "none" / "h.toml")]) == 1
    said = capsys.readouterr().err
    assert said == f"calibrate: cannot open file '{tmp_path}/none/h.toml': No such file or directory\n"


def test_the_file_is_hardware() -> None:
    text = toml_of(tables_of(FOUND), ["a remark"])
    assert text.startswith("# a remark\n")
    found = pyshardy.hardware(tomllib.loads(text))
    assert found.chip.flops == {"f32": 5e10} and found.chip.launch == 1e-6 and not found.overlap
    assert found.chip.convolution == 0.5
    assert found.chip.matrix == MatrixUnits((16, 1, 16), 1)
    assert (
        found.links[0].of_kind("all_reduce").bandwidth == 4e9 and found.links[0].of_kind("all_to_all").bandwidth == 3e9
    )
    assert found.axes == {} and found.links[0].devices == 2


@pytest.mark.parametrize(
    "seconds, tile",
    [
        # 4e6 bytes at 1e10 a second take 4e-4 s.
        (4e-4, 1),
        (4.9e-4, 1),
        # 2e6 operations at 5e10 a second take 4e-5 s.
        (5.1e-4, 16),
        (1.3e-3, 32),
    ],
)
def test_a_tile_is_what_vectors_lack(seconds: float, tile: int) -> None:
    assert _tile(seconds, 1_000_000, FOUND) == tile


def test_no_tile_is_written_where_memory_is_waited_for() -> None:
    assert pyshardy.hardware(tables_of(replace(FOUND, tile=1))).chip.matrix is None


def test_products_with_vectors_are_measured() -> None:
    measuring = Calibration(jax.devices()[:2], {"x": 2})
    measuring.measured.bandwidth, measuring.measured.flops["f32"] = 1e15, 1e12
    measuring._vectors()
    assert measuring.measured.tile > 1


def test_too_little_is_said() -> None:
    with pytest.raises(ValueError, match="neither products nor memory could be measured: memory: gone"):
        tables_of(Measured(1, "cpu", missing=["memory: gone"]))


def test_devices_are_measured_until_time_is_over() -> None:
    said: list[str] = []
    found = Calibration(jax.devices()[:2], {"x": 2}, 1.0, said.append).run()
    assert said[:2] == ["calls", "bandwidth of memory"] and found.bandwidth > 0
    assert any("there was no time left" in one for one in found.missing)


def test_a_collective_is_measured_on_its_axis(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibrate, "_SIZES", (1 << 12, 1 << 15, 1 << 18))
    measuring = Calibration(jax.devices()[:4], {"a": 2, "b": 2})
    measuring.measured.bandwidth = 1e10
    kinds: dict[str, tuple[float, float]] = {}
    for kind in _COLLECTIVES:
        measuring._collective("b", kind, kinds)
    assert kinds.keys() == _COLLECTIVES.keys() and all(
        bandwidth > 0 <= latency for bandwidth, latency in kinds.values()
    )


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["--mesh", "x"], "an axis is written as NAME=SIZE"),
        (["--mesh", "x=3,y=5"], "--mesh x=3,y=5 has 15 devices, there are"),
        (["--compare", "h1000"], "there is no hardware 'h1000'"),
    ],
)
def test_what_is_wrong_is_said(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert calibrate.main(arguments) == 1
    assert said in capsys.readouterr().err


def test_measured_beside_published() -> None:
    out = io.StringIO()
    found = replace(FOUND, flops={"f32": 5e10, "bf16": 1e11})
    calibrate._compare(pyshardy.hardware(tables_of(found)), pyshardy.hardware("laptop"), out)
    rows = out.getvalue().splitlines()
    assert rows[2].split(maxsplit=3) == ["bf16,", "TFLOP/s", "0.1", "not said"]
    assert rows[0].split() == ["measured", "laptop", "ratio"] and rows[1].split() == [
        "f32,",
        "TFLOP/s",
        "0.05",
        "2.6",
        "0.02",
    ]
