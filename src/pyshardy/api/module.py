"""The public class of a program, which ``parse``, ``load`` and others return.

Each method calls a function of another package, and imports that package only when it is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Self

from pyshardy import module
from pyshardy.propagation.default_partitioner import set_default_auto_partitioner

if TYPE_CHECKING:
    from pyshardy.ir.operation import Operation, Value
    from pyshardy.ir.passes import Pass, Pipeline
    from pyshardy.ir.source_location import SourceLocation
    from pyshardy.reading.sharding_files.strategies import Shardings, Source
    from pyshardy.reading.tensors import Tensor
    from pyshardy.searching.dimensions import Dimension
    from pyshardy.sharding.mesh import Mesh
    from pyshardy.sharding.plain import Spec
    from pyshardy.sharding.tensor import TensorSharding


def _search(items: list[Pass | Pipeline]) -> None:
    from pyshardy.searching.auto_partitioning import add_search

    add_search(items)


# Automatic partitioning without a registered callback runs the search.
set_default_auto_partitioner(_search)


class Module(module.Module):
    """A program: the ``builtin.module`` operation ``op`` and the ``context`` of its run; ``str(module)`` its text.

    ``notes`` are sentences on how the input was interpreted, for summaries: shardings of GSPMD, sizes that were bound.
    """

    __slots__ = ()

    # --- tensors and shardings ----------------------------------------------------------------------------------------

    @property
    def meshes(self) -> dict[str, Mesh]:
        """The meshes of the program by name."""
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
        """Every tensor of every function in the order of the program: arguments, results of operations, results of
        functions."""
        from pyshardy.reading.tensors import all_tensors

        return all_tensors(self)

    def tensor(self, name: str) -> Tensor:
        """The tensor of the main function with the name ``name`` (``params['w']``), or with that symbol in the printed
        program (``%3``).

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

        ``spec`` has one entry for each dimension, as a ``PartitionSpec`` (``pyshardy.tensor_sharding`` describes the
        entries); ``mesh`` is the name of a mesh, needed where the program has several. Dimensions of arguments and
        results must divide, unless ``even`` is false.

        Raises:
            ValueError: there is no such tensor, mesh or axis, or the sharding does not fit the tensor.
            TypeError: ``spec`` is no sharding.

        >>> from pyshardy import parse
        >>> module = parse('''
        ... sdy.mesh @mesh = <["data"=4]>
        ... func.func @main(%a: tensor<8x2xf32> loc("x")) -> tensor<8x2xf32> { return %a : tensor<8x2xf32> }''')
        >>> module.set_sharding("x", ("data", None))
        >>> module.arguments()
        [<Tensor x: tensor<8x2xf32>, <@mesh, [{"data"}, {}]>, 16 bytes on a device>]
        """
        from pyshardy.reading.tensors import set_sharding

        set_sharding(self, tensor, spec, mesh, even)

    def apply_shardings(
        self,
        shardings: Source | Shardings,
        strategy: str | None = None,
        *,
        mesh: Mesh | Mapping[str, int] | None = None,
        even: bool = True,
    ) -> None:
        """Shards the program by a sharding file, or by ``strategy`` in it: a path, a dict, or the result of
        ``pyshardy.load_shardings`` (docs/shardings.md). ``mesh`` replaces the one in the file. Dimensions of arguments
        and results must divide, unless ``even`` is false.

        Raises:
            ValueError: the file is wrong, a pattern means nothing in the program, a sharding does not fit; the program
                stays as it was.
            PyshardyError: the program with these shardings is illegal; it stays as it was, too.
            OSError: the file cannot be read.

        >>> from pyshardy import parse
        >>> module = parse('''
        ... func.func @main(%a: tensor<8xf32> loc("x['image']")) -> tensor<8xf32> { return %a : tensor<8xf32> }''')
        >>> module.apply_shardings({"mesh": {"data": 4}, "shardings": {"x/*": ["data"]}})
        >>> module.arguments()
        [<Tensor x['image']: tensor<8xf32>, <@mesh, [{"data"}]>, 8 bytes on a device>]
        """
        from pyshardy.reading.sharding_files.applying import apply_shardings
        from pyshardy.reading.sharding_files.strategies import load_shardings

        apply_shardings(self, load_shardings(shardings, strategy, mesh=mesh), even=even)

    def dimensions(self) -> list[Dimension]:
        """The dimensions of the model: groups of dimensions of arguments and results that are sharded together by
        propagation. Each has a name (``batch``, ``sequence``, ``heads``, or an argument that has it), the other
        dimensions that are in one tensor with it, and whether a loop takes slices of it. They are sorted by the number
        of elements of all tensors that have them.

        Raises:
            ValueError: there is no main function.

        >>> from pyshardy import parse
        >>> module = parse('''
        ... func.func @main(%x: tensor<8x16xf32> loc("x"), %w: tensor<16x4xf32> loc("w")) -> tensor<8x4xf32> {
        ...   %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
        ...       : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
        ...   return %0 : tensor<8x4xf32>
        ... }''')
        >>> for one in module.dimensions():
        ...     print(one.name, one.size, one.tensors)
        x.1 16 ('x.1', 'w.0')
        batch 8 ('x.0', 'result/0.0')
        w.1 4 ('w.1', 'result/0.1')
        """
        from pyshardy.searching.dimensions import dimensions_of

        return dimensions_of(self)

    def made_small(self) -> Self:
        """A copy of the program with the smallest shapes that its shardings allow, for a check of a program that is too
        large to run: operations, names and layers stay, so that the same sharding files fit (docs/check.md).

        Raises:
            ValueError: nothing of it can be made smaller, or it has manual computations, or is not static.

        >>> from pyshardy import parse
        >>> module = parse('func.func @main(%x: tensor<4096x512xf32> loc("x")) -> tensor<4096x512xf32> {'
        ...                '  %0 = stablehlo.tanh %x : tensor<4096x512xf32> return %0 : tensor<4096x512xf32> }')
        >>> module.made_small().arguments()
        [<Tensor x: tensor<4x4xf32>, no sharding, 64 bytes on a device>]
        """
        from pyshardy.checking.small_program import small_program

        return small_program(self)

    def shardings_file(self, *, everything: bool = False) -> str:
        """The text of a sharding file with the mesh of the program and the shardings that it has, ready for
        ``apply_shardings``, which changes nothing then. With ``everything`` arguments and results without a sharding
        have lines too, which leave them open.

        Raises:
            ValueError: there is no main function.
        """
        from pyshardy.reading.sharding_files.writing import shardings_text

        return shardings_text(self, everything=everything)

    def to_xla(self) -> Self:
        """A copy of the program in the form in which JAX and XLA exchange it (docs/reading.md): without operations of
        ``sdy``, with shardings in ``mhlo.frontend_attributes``.

        Raises:
            PyshardyError: the program has an operation that the form has no counterpart for.
        """
        from pyshardy.reading.exchange.exporting import exported

        return exported(self)

    def location_of(self, what: Operation | Value | Tensor) -> SourceLocation:
        """The source location of an operation, a value or a row of ``tensors``: ``file``, ``line``, ``scope`` and
        more.

        Raises:
            TypeError: ``what`` is something else.
        """
        from pyshardy.reading.tensors import Tensor, location_of

        return what.location if isinstance(what, Tensor) else location_of(self, what)

    def report(self, *, everything: bool = False) -> str:
        """The summary that ``pyshardy propagate`` prints for a propagated program: arguments and results by name with
        their parts on a device, and conflicts. Rows that differ in an index alone are one row, unless ``everything`` is
        true."""
        from pyshardy.report.console import printed
        from pyshardy.report.sharding_summary import summarize
        from pyshardy.report.sharding_tables import print_summary

        return printed(lambda out: print_summary(summarize(self), out, everything=everything))

    def __repr__(self) -> str:
        from pyshardy.report.module_page import module_words

        return f"<Module {module_words(self)}>" if self.is_made else super().__repr__()

    def _repr_html_(self) -> str:
        """The program's arguments and results, for a notebook."""
        from pyshardy.report.module_page import module_page

        return module_page(self)
