"""``pyshardy report``: what it writes, and what it says when it cannot."""

from __future__ import annotations

import builtins
import json
import re
from pathlib import Path

import pytest

import pyshardy
from pyshardy.cli.main import run

_PROGRAM = """
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %b: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.mlir"
    path.write_text(_PROGRAM)
    return path


def page_data(page: str) -> dict[str, object]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    data: dict[str, object] = json.loads(found[1])
    return data


def test_the_page_has_what_the_plan_has(program: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    assert run(["report", str(program), "--hardware", "v5e", "-o", str(out)]) == 0
    plan = pyshardy.partition(pyshardy.load(program))
    page = out.read_text("utf-8")
    data = page_data(page)
    collectives, memory, texts = data["collectives"], data["memory"], data["texts"]
    assert isinstance(collectives, dict) and isinstance(memory, dict) and isinstance(texts, list)
    assert collectives["bytes"] == [round(one.bytes) for one in plan.collectives]
    assert memory["peak"] == plan.cost("v5e").peak_bytes
    assert any("two things at once" in texts[number] for number in collectives["reason"])
    assert "two things at once" in page[: page.index("<main>")]


def test_a_plan_writes_its_page(program: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    page = pyshardy.partition(pyshardy.load(program)).report(out, hardware="h100")
    assert out.read_text("utf-8") == page and "H100" in page
    assert "collectives" in pyshardy.partition(pyshardy.load(program)).report()


def test_without_hardware_there_are_no_times(program: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    assert run(["report", str(program), "-o", str(out)]) == 0
    page = out.read_text("utf-8")
    assert "A step takes" not in page and "--hardware" in page


def test_two_programs_are_set_side_by_side(program: Path, tmp_path: Path) -> None:
    other, out = tmp_path / "other.mlir", tmp_path / "report.html"
    other.write_text(_PROGRAM.replace('[{}, {"x"}]', '[{}, {"y"}]'))
    assert run(["report", str(program), str(other), "-o", str(out)]) == 0
    differences = page_data(out.read_text("utf-8"))["differences"]
    assert isinstance(differences, dict)
    row = ["%arg1", "×1", '<@mesh, [{}, {"x"}]>', '<@mesh, [{}, {"y"}]>', ["%arg1"]]
    assert row in differences["tensors"]


def _own_shardings(given: list[str]) -> list[str]:
    """The sharding file of the first plan, with its strategy."""
    if given[0] != "--shardings":
        return []
    return ["--shardings", f"{given[1]}:{given[3]}" if given[2] == "--strategy" else given[1]]


def test_two_strategies_are_called_by_their_names(program: Path, tmp_path: Path) -> None:
    shardings, out = tmp_path / "s.toml", tmp_path / "report.html"
    shardings.write_text('[strategy.one.shardings]\n"arg1" = ["x"]\n[strategy.two.shardings]\n"arg1" = ["y"]\n')
    own = tmp_path / "own.toml"
    own.write_text('[shardings]\n"arg1" = ["y"]\n')
    for given, names in [
        (["--shardings", f"{shardings}:one", "--against", f"{shardings}:two"], ["one", "two"]),
        (["--shardings", str(shardings), "--strategy", "one", "--against", f"{shardings}:two"], ["one", "two"]),
        (["--against", f"{shardings}:two"], ["as the program is", f"{shardings}:two"]),
        (["--shardings", f"{shardings}:one", "--against", str(own)], [f"{shardings}:one", str(own)]),
    ]:
        assert run(["report", str(program), *given, "-o", str(out)]) == 0
        page = out.read_text("utf-8")
        differences = page_data(page)["differences"]
        assert isinstance(differences, dict) and differences["names"] == names
        # What the page says to ask further is about the same plan.
        assert page_data(page)["given"] == " ".join([str(program), *_own_shardings(given)])
        assert ("shardings of" in page) == ("--shardings" in given)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--hardware", "h10"], "did you mean"),
        (["--hardware", "missing.toml"], "missing.toml"),
        (["other.mlir", "--against", "s.toml"], "one is wanted"),
    ],
)
def test_what_is_wrong_is_a_line_and_no_file(
    program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    out = tmp_path / "report.html"
    assert run(["report", str(program), *arguments, "-o", str(out)]) == 1
    said = capsys.readouterr().err
    assert says in said and "Traceback" not in said and not out.exists()


def test_a_missing_package_is_a_sentence(
    program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    importing = builtins.__import__

    def without_svg(name: str, *rest: object, **more: object) -> object:
        if name == "svg":
            raise ImportError("No module named 'svg'")
        return importing(name, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", without_svg)
    assert run(["report", str(program), "-o", str(tmp_path / "report.html")]) == 1
    assert "pip install 'pyshardy[report]'" in capsys.readouterr().err
