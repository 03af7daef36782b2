"""Modules, aliases and casts: what is printed for what is written, and what is rejected where."""

from pathlib import Path

import pytest

from tests.ir.tables import Case, cases, diagnostics_of, printed

TABLES = Path(__file__).with_name("tables")


@pytest.mark.parametrize("case", cases(TABLES / "builtin.txt"), ids=lambda case: case.written)
def test_a_program_is_printed_or_rejected_as_in_mlir(case: Case) -> None:
    if case.printed:
        assert printed(case.written) == case.printed
        assert printed(case.written, generic=True) == case.generic
    else:
        assert diagnostics_of(case.written) == case.diagnostics


@pytest.mark.parametrize("case", [case for case in cases(TABLES / "builtin.txt") if case.printed])
def test_what_is_printed_reads_back(case: Case) -> None:
    assert printed(case.printed) == case.printed
    assert printed(case.generic) == case.printed
