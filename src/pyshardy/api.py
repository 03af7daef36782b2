"""What ``import pyshardy`` offers: programs in, passes over them, programs out.

Everything here is a short way through the rooms behind: ``ir`` reads and prints, ``passes`` change.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pyshardy.choices import LEVELS, STRATEGIES
from pyshardy.ir.collector import paused_collector
from pyshardy.ir.context import Context, SourceText
from pyshardy.ir.operation import Operation
from pyshardy.ir.parser import parse_module
from pyshardy.ir.passes import Pipeline, parse_pipeline
from pyshardy.ir.pipeline_run import PassObserver, run_pipeline
from pyshardy.ir.printer import PLAIN, Style, operation_text
from pyshardy.ir.verifier import verify

if TYPE_CHECKING:
    from pyshardy.ir.operation import Value
    from pyshardy.ir.source_location import SourceLocation
    from pyshardy.reading.tensors import Tensor
    from pyshardy.sharding.mesh import Mesh
    from pyshardy.sharding.plain import Spec
    from pyshardy.sharding.tensor import TensorSharding


class Module:
    """A program: the ``builtin.module`` operation ``op`` and the ``context`` of its run; ``str(module)`` its text.

    ``notes`` are sentences on what reading made of the input, for summaries: shardings of GSPMD, sizes that were bound.
    """

    __slots__ = ("context", "notes", "op", "resources")

    def __init__(self, op: Operation, context: Context, resources: dict[str, str] | None = None) -> None:
        self.op = op
        self.context = context
        self.resources = resources or {}
        self.notes: list[str] = []

    def text(self, *, generic: bool = False, debug_info: bool = False, style: Style = PLAIN) -> str:
        """The program as MLIR prints it, pretty or generic, with a final newline; ``debug_info`` adds locations, and
        ``style`` says what else is wanted."""
        from pyshardy.ir.resources import resources_text

        source = self.context.source if debug_info else None
        with paused_collector():
            text = operation_text(self.op, generic=generic, debug_info=source, style=style)
        return text + "\n" + resources_text(self.op, self.resources)

    def __str__(self) -> str:
        return self.text()

    @property
    def has_locations(self) -> bool:
        """Whether the program was given with locations; ``text(debug_info=True)`` keeps them."""
        return self.context.source.has_locations

    # --- tensors and shardings ----------------------------------------------------------------------------------------

    @property
    def meshes(self) -> dict[str, Mesh]:
        """The meshes that the program names."""
        from pyshardy.dialects.sdy import placement

        return placement.meshes(self.op)

    def add_mesh(self, axes: Mesh | Mapping[str, int], name: str = "mesh") -> None:
        """Names a mesh, for example ``{"data": 4, "model": 2}``.

        Raises:
            ValueError: the name is taken, or it is no mesh.
        """
        from pyshardy.reading.tensors import add_mesh
        from pyshardy.sharding.mesh import Mesh

        add_mesh(self, axes if isinstance(axes, Mesh) else Mesh(axes), name)

    def arguments(self) -> list[Tensor]:
        """The arguments of the main function (the only one, or ``main``).

        Raises:
            ValueError: there is no main function.
        """
        from pyshardy.reading.tensors import main_arguments

        return main_arguments(self)

    def results(self) -> list[Tensor]:
        """The results of the main function.

        Raises:
            ValueError: there is no main function.
        """
        from pyshardy.reading.tensors import main_results

        return main_results(self)

    def tensors(self) -> list[Tensor]:
        """Every tensor of every function in the order of the program: arguments, what operations make, results."""
        from pyshardy.reading.tensors import all_tensors

        return all_tensors(self)

    def tensor(self, name: str) -> Tensor:
        """The tensor of the main function that is called ``name`` (``params['w']``), or ``%3`` in the printed program.

        Raises:
            ValueError: there is none.
        """
        from pyshardy.reading.tensors import find_tensor

        return find_tensor(self, name)

    def sharding(self, tensor: Tensor | Value | str) -> TensorSharding | None:
        """The sharding of a tensor, given by name, as a row of ``tensors``, or as a value; None if it has none.

        Raises:
            ValueError: there is no such tensor.
        """
        from pyshardy.reading.tensors import sharding_now

        return sharding_now(self, tensor)

    def set_sharding(
        self, tensor: Tensor | Value | str, spec: Spec, mesh: str | None = None, *, even: bool = True
    ) -> None:
        """Shards a tensor: ``module.set_sharding("params['w']", ("data", None))``.

        ``spec`` has an entry a dimension, as a ``PartitionSpec`` (``pyshardy.tensor_sharding`` says what is allowed);
        ``mesh`` is the name of a mesh, needed where the program has several. Dimensions of arguments and results must
        divide, unless ``even`` is false.

        Raises:
            ValueError: there is no such tensor, mesh or axis, or the sharding does not fit the tensor.
            TypeError: ``spec`` is no sharding.

        >>> module = parse('''
        ... sdy.mesh @mesh = <["data"=4]>
        ... func.func @main(%a: tensor<8x2xf32> loc("x")) -> tensor<8x2xf32> { return %a : tensor<8x2xf32> }''')
        >>> module.set_sharding("x", ("data", None))
        >>> module.arguments()
        [<Tensor x: tensor<8x2xf32>, <@mesh, [{"data"}, {}]>, 16 bytes on a device>]
        """
        from pyshardy.reading.tensors import set_sharding

        set_sharding(self, tensor, spec, mesh, even)

    def location_of(self, what: Operation | Value | Tensor) -> SourceLocation:
        """Where an operation, a value or a row of ``tensors`` comes from: ``file``, ``line``, ``scope`` and more."""
        from pyshardy.reading.tensors import Tensor, location_of

        return what.location if isinstance(what, Tensor) else location_of(self, what)

    def report(self, *, everything: bool = False) -> str:
        """What ``pyshardy propagate`` says of a propagated program: arguments and results by name with what a device
        holds of them, and conflicts. Rows that differ in an index alone are one, unless you want ``everything``."""
        from pyshardy.report.console import printed
        from pyshardy.report.sharding_summary import summarize
        from pyshardy.report.sharding_tables import print_summary

        return printed(lambda out: print_summary(summarize(self), out, everything=everything))

    def __repr__(self) -> str:
        from pyshardy.report.page import module_words

        return f"<Module {module_words(self)}>"

    def _repr_html_(self) -> str:
        """The program's arguments and results, for a notebook."""
        from pyshardy.report.page import module_page

        return module_page(self)


def parse(
    program: object,
    filename: str = "-",
    *,
    allow_unregistered: bool = False,
    bind: Mapping[str, int] | None = None,
) -> Module:
    """Reads a program and verifies it.

    ``program`` is text; bytes (text, MLIR bytecode, a StableHLO artifact, a serialized ``jax.export.Exported``, gzip of
    these); or an object: a ``jax.stages.Lowered``, a ``jax.export.Exported``, an MLIR module of jaxlib. ``filename`` is
    what diagnostics call it; ``allow_unregistered`` admits operations of unknown dialects. Shardings of GSPMD
    (``mhlo.sharding``) become those of Shardy; ``bind`` gives sizes to dynamic dimensions (docs/reading.md).

    Raises:
        PyshardyError: a syntax error, or an illegal program; a sharding without counterpart; no program at all.

    >>> print(parse("func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> { return %a : tensor<8xf32> }"), end="")
    module {
      func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
        return %arg0 : tensor<8xf32>
      }
    }
    """
    symbolic: list[list[str]] = []
    if isinstance(program, str):
        text = program
    elif isinstance(program, bytes | bytearray | memoryview):
        from pyshardy.reading.binary import program_text

        text = program_text(bytes(program), filename, allow_unregistered=allow_unregistered)
    else:
        from pyshardy.reading.live_objects import name_of, symbolic_shapes, text_of

        text, symbolic = text_of(program), symbolic_shapes(program)
        filename = name_of(program) if filename == "-" else filename
    context = Context(SourceText(text, filename), allow_unregistered=allow_unregistered, suggests=True)
    module = parse_in(context)
    if "mhlo.sharding" in text:
        from pyshardy.reading.gspmd.conversion import import_gspmd

        import_gspmd(module)
    if bind:
        from pyshardy.reading.dynamic.binding import bind_sizes

        bind_sizes(module, bind, symbolic)
    return module


def load(
    path: str | os.PathLike[str], *, allow_unregistered: bool = False, bind: Mapping[str, int] | None = None
) -> Module:
    """Reads the program in a file, as ``parse`` does: text or any binary form, told by its first bytes.

    Raises:
        PyshardyError: what ``parse`` raises; the file is empty.
        OSError: the file cannot be read.
    """
    from pathlib import Path

    from pyshardy.reading.unreadable import UnreadableInput

    data = Path(path).read_bytes()
    if not data.strip():
        raise UnreadableInput(f"{os.fspath(path)} is empty")
    return parse(data, os.fspath(path), allow_unregistered=allow_unregistered, bind=bind)


def parse_in(context: Context) -> Module:
    """Reads and verifies the source text of ``context``."""
    with paused_collector():
        parsed = parse_module(context)
        if not verify(parsed.op, context, in_order=parsed.in_order):
            raise context.failure()
    return Module(parsed.op, context, parsed.resources)


def run_passes(
    module: Module, pipeline: str | Pipeline, *, verify_each: bool = True, observers: Sequence[PassObserver] = ()
) -> Module:
    """Runs a pipeline (MLIR's text, or a list of module passes) on ``module``, in place, and returns it.

    ``observers`` are told before and after each pass.

    Raises:
        PyshardyError: the pipeline's text is wrong, a pass failed, or left an illegal program behind.

    >>> module = parse("func.func private @unused(tensor<8xf32>)")
    >>> print(run_passes(module, "builtin.module(symbol-dce)"), end="")
    module {
    }
    """
    parsed = parse_pipeline(pipeline) if isinstance(pipeline, str) else pipeline
    with paused_collector():
        run_pipeline(parsed, module.op, module.context, verify_each=verify_each, observers=observers)
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
) -> Module:
    """Shards every tensor of ``module`` from the shardings it has, in place, and returns it.

    This is ``sdy-propagation-pipeline``: calls, loops and constants are prepared first and restored afterwards, the
    final shardings are closed, and reshards are inserted where a tensor is needed in another sharding. ``strategy`` is
    the layer of the hierarchy to run (a key of ``STRATEGIES``; below ``user-priority`` priorities are ignored),
    ``conservative`` never splits an axis, ``stop_after`` is the last user priority to propagate, ``dump_directory`` is
    where the program is written at several stages.

    ``level`` says what becomes explicit (one of ``LEVELS``): at ``reshards`` every operation gets its operands as it
    needs them, at ``collectives`` the reshards are collectives of the ``sdy`` dialect. Which ones is up to
    ``axis_choice`` (``reference``, ``fewest-reshards`` or ``fewest-bytes``), ``reshard_strategy`` (``reference`` or
    ``optimal``) and ``reshard_custom_rules`` (whether operations with a custom rule take part). At both levels
    all-reduces say by what they reduce, which the reference's do not.

    Shardings propagate through operations of CHLO, ``chlo.square`` for example, as they do where XLA has legalized them
    before; without ``chlo_rules`` they stop there, as in Shardy's own passes.

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
    from pyshardy.passes.propagation_pipeline import PropagationPipeline
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
        return run_passes(module, Pipeline("builtin.module", pipeline.items("builtin.module")))


@contextmanager
def chlo_rules_of(context: Context, wanted: bool) -> Iterator[None]:
    """While this lasts, whether operations of CHLO have sharding rules."""
    before = context.chlo_rules
    context.chlo_rules = wanted
    try:
        yield
    finally:
        context.chlo_rules = before
