"""Reading and printing alone: the text of every program, pretty and generic, with and without locations, equals what
MLIR prints, byte for byte.

The programs are the committed examples, the canonical programs of the dialects, and JAX's with and without its
locations. Each is read as it stands, and again from MLIR's generic text.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pyshardy.ir.context import Context
from pyshardy.ir.parsing.parser import parse_module
from pyshardy.ir.printing.program_text import operation_text
from pyshardy.ir.source_text import SourceText
from tests.differential.jax_lowering import text_with_locations
from tests.differential.jax_programs import PROGRAMS
from tests.differential.reference import ReferenceResult, run_reference
from tests.generator import Features, random_program
from tests.sampling import sampled

_ROOT = Path(__file__).parents[2]
_FILES = [*(_ROOT / "examples").glob("*.mlir"), *(_ROOT / "tests" / "dialects" / "programs").glob("*.mlir")]
_TEXTS: dict[str, Callable[[], str]] = {path.name: path.read_text for path in sorted(_FILES)} | PROGRAMS
_RANDOM_PROGRAMS = 100


def _printed_alike(source: str) -> ReferenceResult:
    """What MLIR makes of ``source``, which is what we make of it."""
    reference = run_reference(source, "builtin.module()", debug_info=True)
    assert reference.ok, reference.diagnostics
    context = Context(SourceText(source))
    module = parse_module(context).op
    assert operation_text(module) == reference.pretty.rstrip("\n")
    assert operation_text(module, generic=True) == reference.text.rstrip("\n")
    pretty = operation_text(module, debug_info=context.source)
    assert pretty == reference.pretty_with_locations.rstrip("\n")
    generic = operation_text(module, generic=True, debug_info=context.source)
    assert generic == reference.text_with_locations.rstrip("\n")
    return reference


@pytest.mark.parametrize("name", _TEXTS)
def test_a_program_prints_as_mlir_prints_it(name: str) -> None:
    reference = _printed_alike(_TEXTS[name]())
    _printed_alike(reference.text)


@pytest.mark.parametrize("name", sampled(PROGRAMS, 2))
def test_a_program_with_locations_of_jax_prints_as_mlir_prints_it(name: str) -> None:
    reference = _printed_alike(text_with_locations(PROGRAMS[name]))
    _printed_alike(reference.text_with_locations)


def test_random_programs_print_as_mlir_prints_them() -> None:
    for seed in range(_RANDOM_PROGRAMS):
        _printed_alike(random_program(seed, Features()))
