"""``pyshardy plot``: four pictures, the same file each time, what is wrong."""

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from pyshardy import hardware, load, partition
from pyshardy.cli import main
from pyshardy.report.plots import _new_figure, _sizes_along, memory_figure
from pyshardy.report.words import size_text
from tests.report.test_mesh_drawing import RESHARD
from tests.report.test_page import HOSTILE

Captured = pytest.CaptureFixture[str]
EXAMPLES = Path(__file__).parents[2] / "examples"
MLP = str(EXAMPLES / "mlp.mlir")
PICTURES = {
    "memory": ["--hardware", "v5e"],
    "communication": ["--hardware", "v5e"],
    "mesh": [],
    "strategies": ["--shardings", str(EXAMPLES / "mlp_shardings.toml"), "--hardware", "h100"],
}


def plot(*arguments: str) -> int:
    return main.run(["plot", *arguments])


@pytest.mark.slow
def test_the_same_plan_makes_the_same_picture_in_another_process(tmp_path: Path) -> None:
    def arguments(what: str, end: str) -> list[str]:
        return ["plot", MLP, "--what", what, *PICTURES[what], "-o", str(tmp_path / f"{what}.{end}")]

    for what in PICTURES:
        assert main.run(arguments(what, "svg")) == 0
    code = "import sys; from pyshardy.cli import main; sys.exit(any(main.run(one) for one in eval(sys.argv[1])))"
    subprocess.run([sys.executable, "-c", code, str([arguments(what, "other.svg") for what in PICTURES])], check=True)
    for what in PICTURES:
        one = (tmp_path / f"{what}.svg").read_bytes()
        assert one == (tmp_path / f"{what}.other.svg").read_bytes() and b"<dc:date>" not in one, what
        assert len(one) < 200_000
        ElementTree.fromstring(one)


@pytest.mark.slow
@pytest.mark.parametrize("format, begin", [("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_the_end_of_the_name_says_the_format(format: str, begin: bytes, tmp_path: Path) -> None:
    out = tmp_path / f"picture.{format.upper()}"
    assert plot(MLP, "--what", "mesh", "--tensor", "params/w_out", "-o", str(out)) == 0
    assert out.read_bytes().startswith(begin)


def test_a_reshard_is_drawn_before_and_after(tmp_path: Path) -> None:
    program, out = tmp_path / "p.mlir", tmp_path / "p.svg"
    program.write_text(RESHARD)
    assert plot(str(program), "--what", "mesh", "--tensor", "%1", "-o", str(out)) == 0
    text = out.read_text()
    assert "<!-- before: " in text and "<!-- after: " in text and "url(#" in text


@pytest.mark.slow
@pytest.mark.parametrize("name", [*HOSTILE.values(), "$\\\\frac{$"], ids=[*HOSTILE, "mathematics"])
def test_whatever_a_program_says_stays_text(name: str, tmp_path: Path) -> None:
    program, out = tmp_path / "p.mlir", tmp_path / "p.svg"
    program.write_text(RESHARD.replace("%a: tensor<14x8xf32>", f'%a: tensor<14x8xf32> loc("{name}")'))
    for what in ("memory", "mesh", "communication"):
        tensor = ["--tensor", "%arg0"] if what == "mesh" else []
        assert plot(str(program), "--what", what, *tensor, "-o", str(out)) == 0
        text = out.read_text()
        tags = {one.tag.rpartition("}")[2] for one in ElementTree.fromstring(text).iter()}
        assert not tags & {"script", "img", "b", "a"} and "\u202e" not in text and len(text) < 300_000


WRONG = {
    "another format": (["--what", "memory", "-o", "x.gif"], "a picture is one of svg, png, pdf"),
    "a tensor without a mesh": (
        ["--what", "memory", "--tensor", "x", "-o", "x.svg"],
        "--tensor belongs to --what mesh",
    ),
    "no strategies": (["--what", "strategies", "-o", "x.svg"], "needs --shardings S.toml"),
    "several tensors": (["--what", "mesh", "--tensor", "params/**", "-o", "x.svg"], "a picture is of one tensor"),
    "hardware that is none": (["--what", "memory", "--hardware", "zx81", "-o", "x.svg"], "zx81"),
    "no directory": (["--what", "mesh", "-o", "no/such/x.svg"], "cannot open output file"),
}


@pytest.mark.parametrize("arguments, message", WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_said_in_a_line(
    arguments: list[str], message: str, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert plot(MLP, *arguments) == 1
    said = capsys.readouterr().err
    assert message in said and said.startswith("pyshardy: ") and said.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_without_matplotlib_it_says_what_to_install(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert plot(MLP, "--what", "memory", "-o", str(tmp_path / "x.svg")) == 1
    assert "pip install 'pyshardy[report]'" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_strategies_on_hardware_have_the_peaks_of_their_costs(tmp_path: Path) -> None:
    shardings, out = EXAMPLES / "mlp_shardings.toml", tmp_path / "p.svg"
    assert plot(MLP, "--what", "strategies", "--shardings", str(shardings), "--hardware", "v5e", "-o", str(out)) == 0
    said = out.read_text()
    for name in ("replicated", "fsdp", "megatron", "both"):
        module = load(MLP)
        module.apply_shardings(shardings, name)
        assert f"<!-- {size_text(partition(module).cost('v5e').peak_bytes)} -->" in said


@pytest.mark.slow
def test_each_kind_of_memory_has_a_colour_of_its_own() -> None:
    figure = memory_figure(partition(load(EXAMPLES / "transformer_fsdp.mlir")), hardware("v5e"))
    colours = [str(one.get_facecolor()) for one in figure.axes[0].collections]
    assert len(colours) > 8 and len(set(colours)) == len(colours)


def test_ticks_of_sizes_are_round() -> None:
    for bytes_ in (3, 700, 1.3 * 2**20, 17 * 2**30, 136 * 2**30, 1023.0 * 2**30):
        for which in ("x", "y"):
            axes = _new_figure(3, 3).add_subplot()
            axes.set_xlim(0, bytes_)
            axes.set_ylim(0, bytes_)
            _sizes_along(axes, which)
            texts = [size_text(one) for one in (axes.get_xticks() if which == "x" else axes.get_yticks())]
            assert 3 <= len(texts) <= 5 and all(re.fullmatch(r"\d+(\.[05])? [KMGT]?i?B", one) for one in texts), texts
