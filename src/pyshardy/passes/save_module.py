"""The pass ``sdy-save-module``: writes the program to a file and leaves it as it is.

Pipelines put it between their passes when asked for dumps; it cannot be named in a pipeline's text.
"""

from __future__ import annotations

from pyshardy.ir.context import Context
from pyshardy.ir.dump import dump_module
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Pass, register_pass


@register_pass("sdy-save-module", on="builtin.module", class_name="mlir::sdy::(anonymous namespace)::SaveModuleOpPass")
class SaveModule(Pass):
    """Writes the program to ``directory/<index>.<file_name>.mlir``; nothing if ``directory`` is empty."""

    directory: str
    file_name: str
    index: int | None = None

    def apply(self, op: Operation, context: Context) -> bool:
        if self.directory:
            dump_module(op, context, self.directory, self.file_name, self.index)
        return False
