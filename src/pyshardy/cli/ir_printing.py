"""The dumps of ``--mlir-print-ir-…``: the program before and after passes, with MLIR's header lines.

An observer of ``ir.pipeline_run`` that writes to standard error, or to files below a directory.
"""

from __future__ import annotations

import os
import sys

from pyshardy.cli.files import InputProblem, write_text
from pyshardy.cli.sdy_opt_flags import Options
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Pass
from pyshardy.ir.pipeline_run import PassObserver, operation_title
from pyshardy.ir.printing.program_text import operation_text
from pyshardy.ir.verifying.verifier import is_legal


class DumpTree:
    """Files of dumps below a directory: a directory for each operation, named after it and its symbol; a file's name
    has the numbers of the dumps of all operations around, and the pass."""

    def __init__(self, directory: str) -> None:
        self._directory = directory
        self._counts: dict[Operation, int] = {}

    def write(self, one: Pass, op: Operation, text: str) -> None:
        """Writes a dump of ``op`` at ``one``.

        Raises:
            InputProblem: it cannot be written.
        """
        self._counts[op] = self._counts.get(op, -1) + 1
        around = [op, *op.ancestors()][::-1]
        numbers = "_".join(str(self._counts.setdefault(each, 0)) for each in around)
        folder = os.path.join(self._directory, *map(_folder_name, around))
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as error:
            raise InputProblem(f"cannot make directory '{folder}': {error.strerror}") from None
        write_text(os.path.join(folder, f"{numbers}_{one.name}.mlir"), text)


def _folder_name(op: Operation) -> str:
    name = (op.symbol_name or "no-symbol-name").replace("/", "_").replace("\0", "_")
    return f"{op.name.replace('.', '_')}_{name}"


class IrPrinting(PassObserver):
    """Prints what the options ask for."""

    def __init__(self, options: Options, context: Context) -> None:
        self.options = options
        self.context = context
        self._before: list[str] = []
        self._tree = DumpTree(options.print_tree_directory) if options.print_tree_directory else None

    def before_pass(self, one: Pass, op: Operation) -> None:
        options = self.options
        if options.print_before_all or one.name in options.print_before:
            self._dump("Before", one, op)
        if options.print_after_change:
            self._before.append(operation_text(op, generic=True))

    def after_pass(self, one: Pass, op: Operation) -> None:
        before = self._before.pop() if self._before else None
        if self.options.print_after_failure or not self._prints_after(one):
            return
        if before is None or before != operation_text(op, generic=True):
            self._dump("After", one, op)

    def after_failed_pass(self, one: Pass, op: Operation) -> None:
        if self._before:
            self._before.pop()
        if self._prints_after(one):
            self._dump("After", one, op, " Failed")

    def _prints_after(self, one: Pass) -> bool:
        options = self.options
        if options.print_after:
            return options.print_after_all or one.name in options.print_after
        return options.print_after_all or options.print_after_change or options.print_after_failure

    def _dump(self, when: str, one: Pass, op: Operation, outcome: str = "") -> None:
        options = self.options
        printed, scope = op, ""
        if options.print_module_scope:
            scope = f" ({operation_title(op)})"
            *_, printed = op, *op.ancestors()
        generic = options.generic
        if outcome or not options.verify_each:
            # What the verifier rejects may not fit its pretty form.
            generic = generic or not is_legal(printed, self.context)
        style = options.style._replace(local_scope=options.local_scope or printed.parent_op is not None)
        locations = self.context.source if options.debug_info else None
        text = operation_text(printed, generic=generic, debug_info=locations, style=style)
        end = "\n" if printed.parent_op is None else ""
        header = f"// -----// IR Dump {when} {one.class_name}{outcome}: {one.text()}{scope} //----- //"
        dump = f"{header}\n{text}\n{end}\n"
        if self._tree is not None:
            self._tree.write(one, op, dump)
        else:
            sys.stderr.write(dump)
