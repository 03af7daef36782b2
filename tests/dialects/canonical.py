"""What the text tests of the dialects share: canonical programs, and reading and printing without verification.

`programs/NAME.mlir` is a program as MLIR prints it, `programs/NAME.generic.mlir` the same one in generic form.
"""

from __future__ import annotations

from pathlib import Path

from pyshardy.ir.context import Context
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.operation import Operation
from pyshardy.ir.parsing.parser import parse_module
from pyshardy.ir.printing.program_text import operation_text
from pyshardy.ir.source_text import SourceText

PROGRAMS = Path(__file__).with_name("programs")


def canonical(name: str) -> str:
    """The canonical program `name`."""
    return (PROGRAMS / f"{name}.mlir").read_text()


def read(text: str) -> Operation:
    """The module in `text`."""
    return parse_module(Context(SourceText(text))).op


def printed(text: str, *, generic: bool = False) -> str:
    """What we print after reading `text`."""
    return operation_text(read(text), generic=generic) + "\n"


_HEADER = """func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %s: tensor<f32>, %i: tensor<i32>,
 %p: tensor<4x8xi1>, %c: tensor<4x8xcomplex<f32>>, %v: tensor<2xi64>) {
"""


def line_printed(line: str, *, generic: bool = False) -> str:
    """What becomes of one operation on the values %a, %b (4x8 f32), %s, %i (f32 and i32 scalars), %p, %c and %v."""
    lines = printed(f"{_HEADER}{line}\nreturn }}", generic=generic).rstrip("\n").split("\n")
    first = 3 if generic else 2
    return "\n".join(one[4:] for one in lines[first:-3])


def first_error(line: str) -> str:
    """The first error about one operation as `COLUMN: MESSAGE`, the column counted in its line."""
    try:
        read(f"{_HEADER}{line}\nreturn }}")
    except PyshardyError as error:
        first = error.diagnostics[0]
        return f"{first.position.column}: {first.message}"
    return "no error"
