"""Programs in binary forms: told by their first bytes, read through jaxlib, refused in one line where that fails."""

from __future__ import annotations

import gzip
import importlib.util
import random
import sys
from pathlib import Path

import pytest

import pyshardy
from pyshardy.reading.exported_blob import program_in_export
from pyshardy.reading.forms import not_a_program
from pyshardy.reading.unreadable import UnreadableInput
from tests.reading.binary_forms import export_blob, exported, forms, lowered

FORMS = ["text", "bytecode", "artifact", "export"]
ALL = [*FORMS, *(f"{name} in gzip" for name in FORMS)]


def arguments_of(module: pyshardy.Module) -> list[str]:
    """Shardings and locations of the arguments."""
    line = next(line for line in module.text(debug_info=True).splitlines() if "@main" in line)
    return [one for one in ('sharding<@mesh, [{}, {"b"}]>', 'sharding<@mesh, [{"a"}, {}]>') if one in line]


@pytest.mark.slow
@pytest.mark.parametrize("form", ALL)
def test_every_form_is_the_same_program(form: str, tmp_path: Path) -> None:
    path = tmp_path / "program"
    path.write_bytes(forms()[form])
    module = pyshardy.load(path)
    assert len(arguments_of(module)) == 2
    assert "stablehlo.tanh" in str(module)
    assert "params['w']" in module.text(debug_info=True)


def test_bytes_are_read_as_a_file_is() -> None:
    assert str(pyshardy.parse(forms()["bytecode"])) == str(pyshardy.parse(forms()["text"]))


@pytest.mark.parametrize(
    "make", [lowered, exported, lambda: lowered().compiler_ir()], ids=["lowered", "exported", "ir"]
)
def test_objects_of_a_running_jax_are_read(make: object) -> None:
    assert callable(make)
    module = pyshardy.parse(make())
    assert len(arguments_of(module)) == 2
    assert "params['w']" in module.text(debug_info=True)


def test_reading_a_file_imports_neither_jax_nor_jaxlib_here(tmp_path: Path) -> None:
    import subprocess

    path = tmp_path / "program"
    path.write_bytes(forms()["artifact"])
    script = f"import sys, pyshardy; pyshardy.load({str(path)!r}); assert not {{'jax', 'jaxlib'}} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", script], check=True, env={"PYTHONPATH": ":".join(sys.path)})


def test_nothing_in_the_current_directory_is_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "jaxlib.py").write_text("open('was_here', 'w')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    pyshardy.parse(forms()["bytecode"])
    assert not (tmp_path / "was_here").exists()


def test_without_locations_none_are_made_up() -> None:
    text = lowered().as_text()
    assert "loc(" not in pyshardy.parse(text).text()


# --- what cannot be read ----------------------------------------------------------------------------------------------


def refusal(data: object) -> str:
    with pytest.raises(UnreadableInput) as error:
        pyshardy.parse(data, "model")
    return str(error.value)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["bytecode", "artifact", "export", "text in gzip", "artifact in gzip"])
def test_a_file_that_is_cut_off_is_one_diagnostic(form: str) -> None:
    data = forms()[form]
    for part in (12, 70, len(data) // 2, len(data) - 20):
        message = refusal(data[:part])
        assert message.startswith("model is ") and "\n" not in message


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_a_damaged_file_is_one_diagnostic_even_if_jaxlib_breaks_down(seed: int) -> None:
    rng = random.Random(seed)
    data = bytearray(forms()["bytecode"])
    for _ in range(20):
        data[rng.randrange(30, len(data))] = rng.randrange(256)
    assert refusal(bytes(data)).startswith("model is MLIR bytecode that ")


def test_a_breakdown_of_jaxlib_is_one_diagnostic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "python"
    script.write_text("#!/bin/sh\nkill -ABRT $$\n")
    script.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(script))
    message = refusal(forms()["bytecode"])
    assert message == "model is MLIR bytecode that is damaged: jaxlib broke down over it (signal 6)"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\0" * 80, "model is no program, or it is cut off: it is neither MLIR text nor bytecode"),
        (b"HloModule jit_f\n", "model is HLO text; pyshardy reads StableHLO"),
        (b"PK\x03\x04rest", "model is a zip archive; unpack it"),
        (b"\x80\x04\x95rest", "model is a Python pickle"),
        ("module {}".encode("utf-16"), "model is text in UTF-16; save it in UTF-8"),
        (gzip.compress(b"HloModule", mtime=0), "model is HLO text"),
        (
            b"# step.py\n\nimport jax\n",
            "model is Python source, which is not run; pyshardy reads what jax.jit(f).lower(",
        ),
        (b'"""A model."""\n', "model is Python source"),
        (b"# mine\n[mesh]\ndata = 8\n", "model is TOML, not a program; a sharding file goes behind"),
        (b'{"a": 1}', "model is JSON"),
        (b"{ lambda ; a:f32[8]. let in (a,) }", "model is a jaxpr"),
        (bytes(range(1, 99)), "model is no program, or it is cut off"),
        (b"\x3c\0\0\0ML\xefR\x0dMLIR\0", "model is no program, or a program of jax.export that is damaged"),
    ],
)
def test_what_is_no_program_is_named(data: bytes, message: str) -> None:
    assert refusal(data).startswith(message)


@pytest.mark.parametrize(
    "text", ["#loc = loc(unknown)\nmodule {}", "#a = []\nmodule {}", "{-# #-}", "// import x\nmodule {}"]
)
def test_the_beginnings_of_programs_are_taken_for_no_other_text(text: str) -> None:
    assert not_a_program(text.encode()) is None


def test_text_that_is_no_program_is_named() -> None:
    assert refusal("HloModule jit_f, entry").startswith("model is HLO text")
    with pytest.raises(UnreadableInput, match=r"^the text is a jaxpr; "):
        pyshardy.parse("{ lambda ; a:f32[8]. let in (a,) }")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (3, "a int"),
        ("runs/model.mlir", "'runs/model.mlir', a path: pyshardy.load(path) reads files"),
        (Path("model.mlir"), "a path: pyshardy.load(path) reads files"),
        (refusal, "a function: lower it for the shapes that it is to run on"),
    ],
)
def test_an_object_that_is_no_program_is_named(given: object, message: str) -> None:
    assert refusal(given).startswith(f"pyshardy.parse was given {message}")


def test_without_jaxlib_the_message_says_what_the_file_is_and_how_to_read_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert refusal(forms()["artifact"]) == (
        "model is a StableHLO portable artifact, which is read through jaxlib, and that is not installed here: install "
        "it (pip install 'pyshardy[jax]'), or save the program as text (jax.jit(f).lower(…).as_text(), or str(module))"
    )
    assert pyshardy.parse(forms()["text in gzip"]).op.name == "builtin.module"


def test_an_empty_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "none").write_text(" \n")
    with pytest.raises(UnreadableInput, match="is empty"):
        pyshardy.load(tmp_path / "none")


def test_the_program_of_an_export_is_a_field_of_its_root_table() -> None:
    program = b"ML\xefR\x0dMLIR"
    assert program_in_export(export_blob(program)) == program
    assert program_in_export(export_blob(b"other bytes")) is None
    assert program_in_export(export_blob(program)[:-2]) is None


def test_a_byte_order_mark_is_no_part_of_a_program() -> None:
    text = "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n  return %a : tensor<2xf32>\n}\n"
    assert str(pyshardy.parse(b"\xef\xbb\xbf" + text.encode())) == str(pyshardy.parse(text))
