"""The public functions that read and propagate programs.

``reading`` and ``ir`` read programs, ``passes`` change them.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from pyshardy.api.module import Module
from pyshardy.choices import LEVELS, STRATEGIES
from pyshardy.ir.context import Context
from pyshardy.ir.progress import Report
from pyshardy.ir.source_text import SourceText
from pyshardy.module import check_is_module, parse_in
from pyshardy.plugins import load_installed_plugins

_PROGRAMS_BEGIN = ("module {", "module @", "module attributes", "#loc")
"""Texts that begin like this are programs, so the checks for other kinds of text need not be imported."""


def parse(
    program: object,
    filename: str = "-",
    *,
    allow_unregistered: bool = False,
    bind: Mapping[str, int] | None = None,
    progress: Report | None = None,
) -> Module:
    """Reads a program and verifies it.

    ``program`` is text; bytes (text, MLIR bytecode, a StableHLO artifact, a serialized ``jax.export.Exported``, gzip of
    these); or an object: a ``jax.stages.Lowered``, a ``jax.export.Exported``, an MLIR module or operation of jaxlib.
    ``filename`` is its name in diagnostics; ``allow_unregistered`` admits operations of unknown dialects. Shardings of
    GSPMD (``mhlo.sharding``) become those of Shardy; ``bind`` gives sizes to dynamic dimensions (docs/reading.md).
    ``progress(what, done, total)`` is called with the number of characters that have been read, and when verification
    begins.

    Raises:
        PyshardyError: a syntax error, or an illegal program; a sharding without counterpart; no program at all.

    >>> print(parse("func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> { return %a : tensor<8xf32> }"), end="")
    module {
      func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
        return %arg0 : tensor<8xf32>
      }
    }
    """
    _load_plugins()
    symbolic: list[list[str]] = []
    if isinstance(program, str):
        text = program
        if not text.startswith(_PROGRAMS_BEGIN):
            from pyshardy.reading.binary import refuse_other_text

            refuse_other_text(text, "the text" if filename == "-" else filename)
    elif isinstance(program, bytes | bytearray | memoryview):
        from pyshardy.reading.binary import program_text

        text = program_text(bytes(program), filename, allow_unregistered=allow_unregistered)
    else:
        from pyshardy.reading.live_objects import name_of, symbolic_shapes, text_of

        text, symbolic = text_of(program), symbolic_shapes(program)
        filename = name_of(program) if filename == "-" else filename
    context = Context(
        SourceText(text, filename), allow_unregistered=allow_unregistered, suggests=True, progress=progress
    )
    module = parse_in(context, Module)
    reads_gspmd = "mhlo.sharding" in text
    if "xla.sdy." in text:
        from pyshardy.reading.exchange.importing import import_exchange

        reads_gspmd = import_exchange(module) and reads_gspmd
    if reads_gspmd:
        from pyshardy.reading.gspmd.conversion import import_gspmd

        import_gspmd(module)
    if bind:
        from pyshardy.reading.dynamic.binding import bind_sizes

        bind_sizes(module, bind, symbolic)
    return module


def _load_plugins() -> None:
    """Loads the plugins of installed packages, at the first call; warns about one that cannot be loaded."""
    problems = load_installed_plugins()
    if problems:
        import warnings

        for problem in problems:
            warnings.warn(problem, stacklevel=3)


def load(
    path: str | os.PathLike[str],
    *,
    allow_unregistered: bool = False,
    bind: Mapping[str, int] | None = None,
    progress: Report | None = None,
) -> Module:
    """Reads the program in a file, as ``parse`` does: text or any binary form, recognised by its first bytes. Names of
    its arguments that PyTorch/XLA saved in a file beside it are read, too.

    Raises:
        PyshardyError: what ``parse`` raises; the file is empty.
        InputFileError: the file cannot be read; a ``FileNotFoundError``, too, if there is none.
    """
    from pyshardy.ir.input_files import read_input
    from pyshardy.reading.pytorch_names import name_arguments
    from pyshardy.reading.unreadable import UnreadableInput

    data = read_input(path, "a program")
    if not data.strip():
        raise UnreadableInput(f"{os.fspath(path)} is empty")
    module = parse(data, os.fspath(path), allow_unregistered=allow_unregistered, bind=bind, progress=progress)
    name_arguments(module, path)
    return module


def _check_choice(what: str, given: str, known: tuple[str, ...]) -> None:
    if given not in known:
        raise ValueError(f"unknown {what} {given!r}, one of {', '.join(known)} is expected")


def propagate(
    module: Module,
    *,
    strategy: str = "user-priority",
    conservative: bool = False,
    stop_after: int | None = None,
    dump_directory: str = "",
    level: str = "shardings",
    axis_choice: str = "reference",
    reshard_strategy: str = "reference",
    reshard_custom_rules: bool = False,
    chlo_rules: bool = True,
    progress: Report | None = None,
) -> Module:
    """Shards every tensor of ``module`` from the shardings it has, in place, and returns it.

    This is ``sdy-propagation-pipeline``: calls, loops and constants are prepared first and restored afterwards, the
    final shardings are closed, and reshards are inserted where a tensor is needed in another sharding. ``strategy`` is
    the layer of the hierarchy to run (a key of ``STRATEGIES``; below ``user-priority`` priorities are ignored),
    ``conservative`` never splits an axis, ``stop_after`` is the last user priority to propagate, ``dump_directory`` is
    where the program is written at several stages.

    ``level`` says what becomes explicit (one of ``LEVELS``): at ``reshards`` every operation gets operands with
    compatible shardings, at ``collectives`` the reshards are collectives of the ``sdy`` dialect. Which ones depends on
    ``axis_choice`` (``reference``, ``fewest-reshards`` or ``fewest-bytes``), ``reshard_strategy`` (``reference`` or
    ``optimal``) and ``reshard_custom_rules`` (whether operations with a custom rule take part). At both levels
    all-reduces have their kind of reduction, which the reference's do not.

    Shardings propagate through operations of CHLO, ``chlo.square`` for example, as they do where XLA has legalized them
    before; without ``chlo_rules`` they stop there, as in Shardy's own passes. ``progress(name, number, total)`` is
    called when a pass begins.

    Raises:
        PyshardyError: a pass refuses the program, for example for a dynamic shape.
        ValueError: there is no such strategy, level or choice.

    >>> module = parse('''
    ... sdy.mesh @mesh = <["x"=2]>
    ... func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x8xf32> {
    ...   %0 = stablehlo.tanh %a : tensor<8x8xf32>
    ...   return %0 : tensor<8x8xf32>
    ... }''')
    >>> print("\\n".join(line for line in str(propagate(module)).splitlines() if "tanh" in line))
        %0 = stablehlo.tanh %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x8xf32>
    """
    check_is_module(module, "propagate")
    from pyshardy.folding.passes import run_passes
    from pyshardy.ir.pipeline_text import expanded
    from pyshardy.passes.propagation_pipeline import PropagationPipeline, chlo_rules_of
    from pyshardy.resharding.options import AXIS_CHOICES, RESHARD_STRATEGIES

    _check_choice("strategy", strategy, tuple(STRATEGIES))
    _check_choice("level", level, LEVELS)
    _check_choice("axis choice", axis_choice, AXIS_CHOICES)
    _check_choice("reshard strategy", reshard_strategy, RESHARD_STRATEGIES)
    factor_strategy, op_priorities, user_priorities = STRATEGIES[strategy]
    pipeline = PropagationPipeline(
        conservative_propagation=conservative,
        dump_directory=dump_directory,
        propagation_strategy=factor_strategy,
        run_op_priority_propagation=op_priorities,
        user_priorities=user_priorities,
        stop_after=stop_after,
        axis_choice=axis_choice,
        enable_insert_explicit_collectives=level == "collectives",
        insert_all_reshards=level == "reshards",
        reduction_kinds=level != "shardings",
        reshard_custom_rules=reshard_custom_rules,
        reshard_strategy=reshard_strategy,
    )
    with chlo_rules_of(module.context, chlo_rules):
        return run_passes(module, expanded(pipeline), progress=progress)
