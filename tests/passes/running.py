"""Runs passes on a program: what comes out, or what is said against it."""

from __future__ import annotations

from textwrap import dedent

import pytest

import pyshardy


def body_after(passes: str, program: str) -> str:
    """The lines between `module {` and its `}` after running a list of module passes on `program`, not indented."""
    module = pyshardy.parse(program)
    pyshardy.run_passes(module, passes)
    lines = str(module).splitlines()
    return dedent("\n".join(lines[1:-1]))


def same_body(passes: str, program: str, expected: str) -> None:
    """Asserts that the module after `passes` is `expected`, up to what surrounds and indents it."""
    assert body_after(passes, program) == dedent(expected).strip()


def first_error(passes: str, program: str) -> str:
    """The text of the first error that running `passes` on `program` gives."""
    module = pyshardy.parse(program)
    with pytest.raises(pyshardy.PyshardyError) as failure:
        pyshardy.run_passes(module, passes)
    return failure.value.diagnostics[0].message
