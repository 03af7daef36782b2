"""``pyshardy compare --store`` and ``--against``: a gate that fails where a plan has grown."""

import json
from pathlib import Path

import pytest

from pyshardy.cli import main

EXAMPLE = str(Path(__file__).parents[2] / "examples" / "mlp.mlir")
STRATEGIES = str(Path(__file__).parents[2] / "examples" / "mlp_shardings.toml")
Captured = pytest.CaptureFixture[str]


@pytest.fixture
def stored(tmp_path: Path, capsys: Captured) -> Path:
    """The figures of the example as it is, on hardware."""
    path = tmp_path / "figures.json"
    assert main.run(["compare", EXAMPLE, "--store", str(path), "--hardware", "v5e"]) == 0
    capsys.readouterr()
    return path


def change(path: Path, figure: str, factor: float) -> None:
    stored = json.loads(path.read_text())
    stored["plans"]["as given"][figure] *= factor
    path.write_text(json.dumps(stored))


def against(path: Path, capsys: Captured, *more: str) -> tuple[int, str]:
    """The exit code and the last line."""
    code = main.run(["compare", EXAMPLE, "--against", str(path), *more])
    return code, capsys.readouterr().out.splitlines()[-1]


def test_a_plan_as_it_was_stored_passes(stored: Path, capsys: Captured) -> None:
    assert against(stored, capsys) == (0, f"as in {stored}: nothing differs by more than 1%")
    assert json.loads(stored.read_text())["hardware"] == "v5e"


@pytest.mark.parametrize(
    ("figure", "said"),
    [
        ("bytes", "received in collectives 98.6 KiB instead of 78.9 KiB (+25.0%)"),
        ("peak", "peak of memory 412.1 KiB instead of 329.7 KiB (+25.0%)"),
        ("seconds", "expected time 22.7 µs instead of 18.2 µs (+25.0%)"),
    ],
)
def test_what_has_grown_fails_in_a_line_that_says_by_how_much(
    figure: str, said: str, stored: Path, capsys: Captured
) -> None:
    change(stored, figure, 0.8)
    assert against(stored, capsys) == (1, f"more than in {stored}: {said}")
    assert against(stored, capsys, "--tolerance", "26%")[0] == 0
    assert main.run(["compare", EXAMPLE, "--against", str(stored), "--json"]) == 1
    assert [one["figure"] for one in json.loads(capsys.readouterr().out)["grown"]] == [figure]


def test_what_has_shrunk_passes_and_may_be_stored(stored: Path, capsys: Captured) -> None:
    change(stored, "bytes", 2)
    code, said = against(stored, capsys)
    assert code == 0 and "(-50.0%)" in said and said.endswith("--store keeps the new figures")


def test_strategies_are_stored_by_name(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "figures.json"
    assert main.run(["compare", EXAMPLE, f"{STRATEGIES}:fsdp", f"{STRATEGIES}:both", "--store", str(path)]) == 0
    stored = json.loads(path.read_text())
    assert list(stored["plans"]) == ["fsdp", "both"] and "seconds" not in stored["plans"]["fsdp"]
    stored["plans"]["both"]["peak"] = 1000
    path.write_text(json.dumps(stored))
    capsys.readouterr()
    assert main.run(["compare", EXAMPLE, f"{STRATEGIES}:fsdp", f"{STRATEGIES}:both", "--against", str(path)]) == 1
    assert ": both: peak of memory 187.1 KiB instead of 1000 B" in capsys.readouterr().out
    assert main.run(["compare", EXAMPLE, f"{STRATEGIES}:megatron", "--against", str(path)]) == 1
    assert capsys.readouterr().err == f"pyshardy: {path} has no figures of 'megatron', only of fsdp, both\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "is no file of figures, as --store writes it"),
        ("x", "is no file of figures, as --store writes it"),
        ('{"format": "pyshardy figures 9"}', "has the format 'pyshardy figures 9', this version reads"),
        ('{"format": "pyshardy figures 1", "hardware": 3, "plans": {}}', "is no file of figures"),
        ('{"format": "pyshardy figures 1", "hardware": null, "plans": {"a": {"peak": 1}}}', "is no file of figures"),
        ('{"format": ' + "9" * 5000 + "}", "a number has too many digits to be a figure"),
        ("\udcff\udcfe", "this is no text, and no file of figures, as --store writes it"),
    ],
)
def test_a_file_of_something_else_is_one_sentence(text: str, said: str, tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "figures.json"
    path.write_text(text, errors="surrogateescape")
    assert main.run(["compare", EXAMPLE, "--against", str(path)]) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"pyshardy: {path}: ") and said in error and error.count("\n") == 1


@pytest.mark.parametrize("value", ["NaN", "Infinity", "1e999", "-1", '"1"', "true", "[1]", "9" * 400])
@pytest.mark.parametrize("figure", ["bytes", "peak", "seconds"])
def test_a_figure_that_is_no_number_is_one_sentence(figure: str, value: str, tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "figures.json"
    figures = ", ".join(f'"{one}": {value if one == figure else 1}' for one in ("bytes", "peak", "seconds"))
    path.write_text('{"format": "pyshardy figures 1", "hardware": "v5e", "plans": {"as given": {' + figures + "}}}")
    assert main.run(["compare", EXAMPLE, "--against", str(path)]) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"pyshardy: {path}: {figure} of plan 'as given' is ") and error.count("\n") == 1
    assert error.endswith(", and a finite number, 0 or more, is expected\n") and len(error) < len(str(path)) + 200


def test_a_command_line_that_compares_nothing_is_refused(capsys: Captured) -> None:
    assert main.run(["compare", EXAMPLE]) == 1
    assert "there is nothing to compare with" in capsys.readouterr().err
    assert main.run(["compare", EXAMPLE, "--against", "f.json", "--tolerance", "-1"]) == 1
    assert "'-1' is not a percentage" in capsys.readouterr().err
