"""Failures name the page that explains them, where one does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pyshardy.cli import explaining_pages, main
from pyshardy.cli.explaining_pages import PAGES, address, page_for
from pyshardy.ir.limits import set_limit

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLE = str(DOCS.parent / "examples" / "mlp.mlir")
Captured = pytest.CaptureFixture[str]
MESH = 'sdy.mesh @mesh = <["x"=2]>\n'
X = "tensor<4x4xf32>"


def program(sharding: str, body: str = "") -> str:
    annotated = f"%x: {X} {{sdy.sharding = #sdy.sharding<@mesh, {sharding}>}}"
    return f"{MESH}func.func @main({annotated}) -> {X} {{ {body} return %x : {X} }}"


MANUAL = f"""%0 = sdy.manual_computation(%x)
    in_shardings=[<@mesh, [{{}}, {{}}]>] out_shardings=[<@mesh, [{{"x"}}, {{}}]>] manual_axes={{"x"}}
    (%y: {X}) {{ sdy.return %y : {X} }} : ({X}) -> {X}"""
DYNAMIC = """func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
    %0 = stablehlo.tanh %x : tensor<?xf32>
    return %0 : tensor<?xf32>
}"""
FAILURES = {
    "limits.md": (program("[{}, {}]"), ["check", "--limit", "checked-devices=1"]),
    "concepts/manual.md#rules": (program("[{}, {}]", MANUAL), ["propagate"]),
    "concepts/meshes.md": (program('[{"x"}, {"x"}]'), ["propagate"]),
    "how-to/own-operation.md": (program("[{}, {}]", f'%0 = "foo.bar"(%x) : ({X}) -> {X}'), ["propagate"]),
    "how-to/own-operation.md#what-it-computes": (
        program("[{}, {}]", f"%0 = stablehlo.custom_call @foo(%x) : ({X}) -> {X}").replace("return %x", "return %0"),
        ["check"],
    ),
    "reading.md#sizes-left-open": (MESH + DYNAMIC, ["propagate"]),
    "reading.md": ("HloModule jit_f", ["propagate"]),
    "cost.md#hardware": (program("[{}, {}]"), ["cost", "--hardware", "H"]),
    "explain.md#how-to-name-things": (program("[{}, {}]"), ["explain", "nothing"]),
    "shardings.md": (program("[{}, {}]"), ["partition", "--shardings", "S"]),
}


def test_each_page_is_tried_and_there_with_its_heading() -> None:
    assert set(PAGES.values()) == set(FAILURES)
    for page in FAILURES:
        path, _, anchor = page.partition("#")
        headings = re.findall(r"^#+ (.*)$", (DOCS / path).read_text(), re.MULTILINE)
        assert not anchor or anchor in [re.sub(r"[^\w -]", "", one).lower().replace(" ", "-") for one in headings]


@pytest.fixture
def limits() -> Iterator[None]:
    """Limits that a command sets hold for the whole process: those are taken back."""
    yield
    set_limit("checked-devices", None)


@pytest.mark.usefixtures("limits")
@pytest.mark.parametrize("page", FAILURES)
def test_a_failure_names_its_page_in_the_last_line(page: str, tmp_path: Path, capsys: Captured) -> None:
    text, (command, *options) = FAILURES[page]
    path, shardings, hardware = tmp_path / "program.mlir", tmp_path / "s.toml", tmp_path / "h.toml"
    path.write_text(text)
    shardings.write_text('[shardings]\n"nothing" = ["x"]\n')
    hardware.write_text('name = "mine"\n[chip]\nmemory = 1e9\n')
    files = {"S": str(shardings), "H": str(hardware)}
    assert main.run([command, str(path), *(files.get(one, one) for one in options)]) == 1
    assert capsys.readouterr().err.splitlines()[-1] == f"pyshardy: see pyshardy docs {page.replace('.md', '')}"


def test_what_needs_no_page_names_none(capsys: Captured) -> None:
    assert main.run(["partition", "missing.mlir"]) == 1
    assert "pyshardy docs" not in capsys.readouterr().err
    assert page_for(["unknown axis name"]) is None


def test_a_package_with_a_site_names_that(monkeypatch: pytest.MonkeyPatch) -> None:
    from email.message import Message

    found = Message()
    found["Project-URL"] = "Documentation, https://example.org/pyshardy/"
    monkeypatch.setattr("importlib.metadata.metadata", lambda name: found)
    assert address("cost.md#hardware") == "https://example.org/pyshardy/cost.html#hardware"
    assert explaining_pages.address("limits.md") == "https://example.org/pyshardy/limits.html"
