"""A module as a short text and as HTML: ``repr(module)`` and its ``_repr_html_``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pyshardy.dialects.main_function import find_main_function
from pyshardy.dialects.sdy import placement
from pyshardy.report.boundary_row import BoundaryRow
from pyshardy.report.html_table import html_lines, html_table
from pyshardy.report.sharding_summary import boundaries
from pyshardy.report.sharding_tables import boundary_cells, boundary_groups
from pyshardy.report.words import counted, mesh_text

if TYPE_CHECKING:
    from pyshardy.module import Module


def module_words(module: Module) -> str:
    """The name of the program, its main function, its size and its meshes."""
    name = f"@{module.op.symbol_name}: " if module.op.symbol_name else ""
    main = find_main_function(module.op)
    function = "no main function"
    if main is not None:
        arguments, results = boundaries(module)
        count = f"{counted(len(arguments), 'argument')}, {counted(len(results), 'result')}"
        function = f"@{main.symbol_name} with {count}"
    operations = counted(len(module.op.operations()) - 1, "operation")
    return ", ".join(
        [f"{name}{function}", operations, *(mesh_text(*one) for one in placement.meshes(module.op).items())]
    )


def module_page(module: Module) -> str:
    """The meshes, arguments and results of a program, the largest first; those that differ in an index alone are one
    row."""
    arguments, results = boundaries(module)
    return "".join(
        [
            html_lines(module_words(module), ()),
            _boundary_table("arguments", arguments),
            _boundary_table("results", results),
        ]
    )


def _boundary_table(title: str, rows: Sequence[BoundaryRow]) -> str:
    headings = ("", "", "type", "sharding", "on a device", "bytes on a device")
    return html_table(title, headings, map(boundary_cells, boundary_groups(rows)))
