"""StableHLO's structured attributes: dimension numbers, channels, algorithms, meshes.

Each is an immutable interned value with named fields and prints its canonical text; ``attribute_text`` reads them.
Sharding rules, verifiers and the interpreter stand right of this file and look at the fields.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Self

from pyshardy.dialects.enumerations import Enumeration
from pyshardy.ir.attribute import Attribute, quoted
from pyshardy.ir.attributes import ArrayAttr, EnumAttr, SymbolRefAttr
from pyshardy.ir.floats import float_text
from pyshardy.ir.types import DYNAMIC, Type


class Structure(Attribute):
    """Base of attributes with named fields: interned by class and fields, which are hashable values."""

    __slots__ = ()
    _known: ClassVar[dict[tuple[Any, ...], Any]] = {}

    @classmethod
    def _of(cls, **fields: Any) -> Self:
        key = (cls, *fields.values())
        self: Self | None = Structure._known.get(key)
        if self is None:
            self = object.__new__(cls)
            for name, value in fields.items():
                setattr(self, name, value)
            Structure._known[key] = self
        return self


def list_text(values: Iterable[int]) -> str:
    """``[1, 2]``."""
    return "[" + ", ".join(map(str, values)) + "]"


def _nonempty_lists(lists: dict[str, tuple[int, ...]]) -> list[str]:
    return [f"{name} = {list_text(values)}" for name, values in lists.items() if values]


class DotDimensionNumbers(Structure):
    """``#stablehlo.dot<...>``: which dimensions of a ``dot_general`` are batching and which are contracting."""

    __slots__ = ("lhs_batching", "lhs_contracting", "rhs_batching", "rhs_contracting")
    lhs_batching: tuple[int, ...]
    rhs_batching: tuple[int, ...]
    lhs_contracting: tuple[int, ...]
    rhs_contracting: tuple[int, ...]

    def __new__(
        cls,
        lhs_batching: Iterable[int] = (),
        rhs_batching: Iterable[int] = (),
        lhs_contracting: Iterable[int] = (),
        rhs_contracting: Iterable[int] = (),
    ) -> Self:
        return cls._of(
            lhs_batching=tuple(lhs_batching),
            rhs_batching=tuple(rhs_batching),
            lhs_contracting=tuple(lhs_contracting),
            rhs_contracting=tuple(rhs_contracting),
        )

    def _render(self) -> str:
        lists = {
            "lhs_batching_dimensions": self.lhs_batching,
            "rhs_batching_dimensions": self.rhs_batching,
            "lhs_contracting_dimensions": self.lhs_contracting,
            "rhs_contracting_dimensions": self.rhs_contracting,
        }
        return f"#stablehlo.dot<{', '.join(_nonempty_lists(lists))}>"


class GatherDimensionNumbers(Structure):
    """``#stablehlo.gather<...>``: how the dimensions of operand, start indices and result correspond."""

    __slots__ = (
        "collapsed_slice_dims",
        "index_vector_dim",
        "offset_dims",
        "operand_batching_dims",
        "start_index_map",
        "start_indices_batching_dims",
    )
    offset_dims: tuple[int, ...]
    collapsed_slice_dims: tuple[int, ...]
    operand_batching_dims: tuple[int, ...]
    start_indices_batching_dims: tuple[int, ...]
    start_index_map: tuple[int, ...]
    index_vector_dim: int

    def __new__(
        cls,
        offset_dims: Iterable[int] = (),
        collapsed_slice_dims: Iterable[int] = (),
        operand_batching_dims: Iterable[int] = (),
        start_indices_batching_dims: Iterable[int] = (),
        start_index_map: Iterable[int] = (),
        index_vector_dim: int = 0,
    ) -> Self:
        return cls._of(
            offset_dims=tuple(offset_dims),
            collapsed_slice_dims=tuple(collapsed_slice_dims),
            operand_batching_dims=tuple(operand_batching_dims),
            start_indices_batching_dims=tuple(start_indices_batching_dims),
            start_index_map=tuple(start_index_map),
            index_vector_dim=index_vector_dim,
        )

    def _render(self) -> str:
        entries = _nonempty_lists(
            {
                "offset_dims": self.offset_dims,
                "collapsed_slice_dims": self.collapsed_slice_dims,
                "operand_batching_dims": self.operand_batching_dims,
                "start_indices_batching_dims": self.start_indices_batching_dims,
                "start_index_map": self.start_index_map,
            }
        )
        if self.index_vector_dim:
            entries.append(f"index_vector_dim = {self.index_vector_dim}")
        return f"#stablehlo.gather<{', '.join(entries)}>"


class ScatterDimensionNumbers(Structure):
    """``#stablehlo.scatter<...>``: how the dimensions of inputs, scatter indices and updates correspond."""

    __slots__ = (
        "index_vector_dim",
        "input_batching_dims",
        "inserted_window_dims",
        "scatter_dims_to_operand_dims",
        "scatter_indices_batching_dims",
        "update_window_dims",
    )
    update_window_dims: tuple[int, ...]
    inserted_window_dims: tuple[int, ...]
    input_batching_dims: tuple[int, ...]
    scatter_indices_batching_dims: tuple[int, ...]
    scatter_dims_to_operand_dims: tuple[int, ...]
    index_vector_dim: int

    def __new__(
        cls,
        update_window_dims: Iterable[int] = (),
        inserted_window_dims: Iterable[int] = (),
        input_batching_dims: Iterable[int] = (),
        scatter_indices_batching_dims: Iterable[int] = (),
        scatter_dims_to_operand_dims: Iterable[int] = (),
        index_vector_dim: int = 0,
    ) -> Self:
        return cls._of(
            update_window_dims=tuple(update_window_dims),
            inserted_window_dims=tuple(inserted_window_dims),
            input_batching_dims=tuple(input_batching_dims),
            scatter_indices_batching_dims=tuple(scatter_indices_batching_dims),
            scatter_dims_to_operand_dims=tuple(scatter_dims_to_operand_dims),
            index_vector_dim=index_vector_dim,
        )

    def _render(self) -> str:
        entries = _nonempty_lists(
            {
                "update_window_dims": self.update_window_dims,
                "inserted_window_dims": self.inserted_window_dims,
                "input_batching_dims": self.input_batching_dims,
                "scatter_indices_batching_dims": self.scatter_indices_batching_dims,
                "scatter_dims_to_operand_dims": self.scatter_dims_to_operand_dims,
            }
        )
        if self.index_vector_dim:
            entries.append(f"index_vector_dim = {self.index_vector_dim}")
        return f"#stablehlo.scatter<{', '.join(entries)}>"


class ConvDimensionNumbers(Structure):
    """``#stablehlo.conv<...>``: what each dimension of a convolution's input, kernel and output is.

    ``*_spatial`` lists the dimensions in the order of the window's dimensions.
    """

    __slots__ = (
        "input_batch",
        "input_feature",
        "input_spatial",
        "kernel_input_feature",
        "kernel_output_feature",
        "kernel_spatial",
        "output_batch",
        "output_feature",
        "output_spatial",
    )
    input_batch: int
    input_feature: int
    input_spatial: tuple[int, ...]
    kernel_input_feature: int
    kernel_output_feature: int
    kernel_spatial: tuple[int, ...]
    output_batch: int
    output_feature: int
    output_spatial: tuple[int, ...]

    def __new__(
        cls,
        input_batch: int,
        input_feature: int,
        input_spatial: Iterable[int],
        kernel_input_feature: int,
        kernel_output_feature: int,
        kernel_spatial: Iterable[int],
        output_batch: int,
        output_feature: int,
        output_spatial: Iterable[int],
    ) -> Self:
        return cls._of(
            input_batch=input_batch,
            input_feature=input_feature,
            input_spatial=tuple(input_spatial),
            kernel_input_feature=kernel_input_feature,
            kernel_output_feature=kernel_output_feature,
            kernel_spatial=tuple(kernel_spatial),
            output_batch=output_batch,
            output_feature=output_feature,
            output_spatial=tuple(output_spatial),
        )

    @property
    def dimensions_text(self) -> str:
        """``[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]``, as the pretty form of a convolution has it."""
        input_text = _labelled({"b": self.input_batch, "f": self.input_feature}, self.input_spatial)
        kernel = _labelled({"i": self.kernel_input_feature, "o": self.kernel_output_feature}, self.kernel_spatial)
        output = _labelled({"b": self.output_batch, "f": self.output_feature}, self.output_spatial)
        return f"{input_text}x{kernel}->{output}"

    def _render(self) -> str:
        return f"#stablehlo.conv<{self.dimensions_text}>"


def _labelled(named: dict[str, int], spatial: tuple[int, ...]) -> str:
    # A dimension that nothing names prints as 0, as MLIR does for such a (malformed) attribute.
    labels = ["0"] * (len(named) + len(spatial))
    for label, dimension in (*named.items(), *((str(i), d) for i, d in enumerate(spatial))):
        labels[dimension] = label
    return "[" + ", ".join(labels) + "]"


class ChannelHandle(Structure):
    """``#stablehlo.channel_handle<handle = 1, type = 1>``."""

    __slots__ = ("handle", "type")
    handle: int
    type: int

    def __new__(cls, handle: int, type: int) -> Self:
        return cls._of(handle=handle, type=type)

    def _render(self) -> str:
        return f"#stablehlo.channel_handle<handle = {self.handle}, type = {self.type}>"


class OutputOperandAlias(Structure):
    """``#stablehlo.output_operand_alias<...>``: a result of a custom call that shares its memory with an operand."""

    __slots__ = ("operand_index", "operand_tuple_indices", "output_tuple_indices")
    output_tuple_indices: tuple[int, ...]
    operand_index: int
    operand_tuple_indices: tuple[int, ...]

    def __new__(
        cls, output_tuple_indices: Iterable[int], operand_index: int, operand_tuple_indices: Iterable[int]
    ) -> Self:
        return cls._of(
            output_tuple_indices=tuple(output_tuple_indices),
            operand_index=operand_index,
            operand_tuple_indices=tuple(operand_tuple_indices),
        )

    def _render(self) -> str:
        return (
            f"#stablehlo.output_operand_alias<output_tuple_indices = {list_text(self.output_tuple_indices)}, "
            f"operand_index = {self.operand_index}, operand_tuple_indices = {list_text(self.operand_tuple_indices)}>"
        )


class Bounds(Structure):
    """``#stablehlo.bounds<?, 8>``: upper bounds of a tensor type's dynamic dimensions, None where there is none."""

    __slots__ = ("bounds",)
    bounds: tuple[int | None, ...]

    def __new__(cls, bounds: Iterable[int | None]) -> Self:
        return cls._of(bounds=tuple(bounds))

    def misfit(self, shape: tuple[int, ...], tensor: str) -> str | None:
        if len(self.bounds) != len(shape):
            count = len(self.bounds)
            return f"Bounds length is {count}, expected to be equal to rank({len(shape)}) of the tensor '{tensor}'"
        for index, (size, bound) in enumerate(zip(shape, self.bounds, strict=True)):
            if size != DYNAMIC and bound is not None:
                advice = "use ShapedType::kDynamic to indicate a missing bound"
                return f"Static dimension {index} cannot have a bound, {advice} in tensor '{tensor}'"
        return None

    def _render(self) -> str:
        return "#stablehlo.bounds<" + ", ".join("?" if bound is None else str(bound) for bound in self.bounds) + ">"


class DotAlgorithm(Structure):
    """``#stablehlo.dot_algorithm<...>``: the precision types and component counts of a ``dot_general``."""

    __slots__ = (
        "accumulation_type",
        "allow_imprecise_accumulation",
        "lhs_component_count",
        "lhs_precision_type",
        "num_primitive_operations",
        "rhs_component_count",
        "rhs_precision_type",
    )
    lhs_precision_type: Type
    rhs_precision_type: Type
    accumulation_type: Type
    lhs_component_count: int
    rhs_component_count: int
    num_primitive_operations: int
    allow_imprecise_accumulation: bool

    def __new__(
        cls,
        lhs_precision_type: Type,
        rhs_precision_type: Type,
        accumulation_type: Type,
        lhs_component_count: int,
        rhs_component_count: int,
        num_primitive_operations: int,
        allow_imprecise_accumulation: bool,
    ) -> Self:
        return cls._of(
            lhs_precision_type=lhs_precision_type,
            rhs_precision_type=rhs_precision_type,
            accumulation_type=accumulation_type,
            lhs_component_count=lhs_component_count,
            rhs_component_count=rhs_component_count,
            num_primitive_operations=num_primitive_operations,
            allow_imprecise_accumulation=allow_imprecise_accumulation,
        )

    @property
    def body(self) -> str:
        """``<lhs_precision_type = tf32, ...>``, as the pretty form of ``dot_general`` has it."""
        imprecise = "true" if self.allow_imprecise_accumulation else "false"
        return (
            f"<lhs_precision_type = {self.lhs_precision_type}, rhs_precision_type = {self.rhs_precision_type}, "
            f"accumulation_type = {self.accumulation_type}, lhs_component_count = {self.lhs_component_count}, "
            f"rhs_component_count = {self.rhs_component_count}, "
            f"num_primitive_operations = {self.num_primitive_operations}, allow_imprecise_accumulation = {imprecise}>"
        )

    def children(self) -> Iterable[Attribute]:
        return self.lhs_precision_type, self.rhs_precision_type, self.accumulation_type

    def _render(self) -> str:
        return "#stablehlo.dot_algorithm" + self.body


class ResultAccuracy(Structure):
    """``#stablehlo.result_accuracy<...>``: how exact a function's result must be; tolerances are f64 bit patterns."""

    __slots__ = ("atol_bits", "mode", "rtol_bits", "ulps")
    atol_bits: int
    rtol_bits: int
    ulps: int
    mode: EnumAttr

    def __new__(cls, atol_bits: int, rtol_bits: int, ulps: int, mode: EnumAttr) -> Self:
        return cls._of(atol_bits=atol_bits, rtol_bits=rtol_bits, ulps=ulps, mode=mode)

    @property
    def is_default(self) -> bool:
        """Whether this is what an operation without the attribute has."""
        return self.mode.case == "DEFAULT" and not (self.ulps or _is_nonzero(self.atol_bits, self.rtol_bits))

    def children(self) -> Iterable[Attribute]:
        return (self.mode,)

    def _render(self) -> str:
        tolerances = [
            f"{name} = {float_text(bits, 'f64')}"
            for name, bits in (("atol", self.atol_bits), ("rtol", self.rtol_bits))
            if _is_nonzero(bits)
        ]
        if self.ulps:
            tolerances.append(f"ulps = {self.ulps}")
        return f"#stablehlo.result_accuracy<{', '.join([*tolerances, f'mode = {self.mode}'])}>"


def _is_nonzero(*float_bits: int) -> bool:
    sign = 1 << 63
    return any(bits & ~sign for bits in float_bits)


class MeshAxis(Structure):
    """``#stablehlo.mesh_axis<name = "x", size = 2>``."""

    __slots__ = ("name", "size")
    name: str
    size: int

    def __new__(cls, name: str, size: int) -> Self:
        return cls._of(name=name, size=size)

    @property
    def body(self) -> str:
        """``<name = "x", size = 2>``."""
        return f"<name = {quoted(self.name)}, size = {self.size}>"

    def _render(self) -> str:
        return "#stablehlo.mesh_axis" + self.body


class Mesh(Structure):
    """``#stablehlo.mesh<axes=[...]>``: named axes and, if not in order, the devices."""

    __slots__ = ("axes", "device_ids")
    axes: tuple[MeshAxis, ...]
    device_ids: Attribute | None

    def __new__(cls, axes: Iterable[MeshAxis], device_ids: Attribute | None = None) -> Self:
        return cls._of(axes=tuple(axes), device_ids=device_ids)

    def children(self) -> Iterable[Attribute]:
        return self.axes if self.device_ids is None else (*self.axes, self.device_ids)

    def _render(self) -> str:
        devices = "" if self.device_ids is None else f", device_ids={self.device_ids}"
        return f"#stablehlo.mesh<axes=[{', '.join(axis.body for axis in self.axes)}]{devices}>"


class SubAxisInfo(Structure):
    """``#stablehlo<sub_axis_info(1)2>``: the part of an axis that starts after ``pre_size`` and has ``size``."""

    __slots__ = ("pre_size", "size")
    pre_size: int
    size: int

    def __new__(cls, pre_size: int, size: int) -> Self:
        return cls._of(pre_size=pre_size, size=size)

    def _render(self) -> str:
        return f"#stablehlo<sub_axis_info({self.pre_size}){self.size}>"


class AxisRef(Structure):
    """``#stablehlo.axis_ref<name = "x">``: a mesh axis, or a part of one."""

    __slots__ = ("name", "sub_axis")
    name: str
    sub_axis: SubAxisInfo | None

    def __new__(cls, name: str, sub_axis: SubAxisInfo | None = None) -> Self:
        return cls._of(name=name, sub_axis=sub_axis)

    def children(self) -> Iterable[Attribute]:
        return () if self.sub_axis is None else (self.sub_axis,)

    def _render(self) -> str:
        part = "" if self.sub_axis is None else f", sub_axis_info = ({self.sub_axis.pre_size}){self.sub_axis.size}"
        return f"#stablehlo.axis_ref<name = {quoted(self.name)}{part}>"


class ReplicaGroupMeshAxes(Structure):
    """``#stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [...]>``: replica groups along axes of a mesh."""

    __slots__ = ("axes", "mesh")
    mesh: SymbolRefAttr | Mesh
    axes: ArrayAttr

    def __new__(cls, mesh: SymbolRefAttr | Mesh, axes: ArrayAttr) -> Self:
        return cls._of(mesh=mesh, axes=axes)

    def children(self) -> Iterable[Attribute]:
        return self.mesh, self.axes

    def _render(self) -> str:
        return f"#stablehlo.replica_group_mesh_axes<mesh = {self.mesh}, axes = {self.axes}>"


COMPARISON_DIRECTION = Enumeration(
    "stablehlo", "comparison_direction", "ComparisonDirection", ("EQ", "NE", "GE", "GT", "LE", "LT")
)
COMPARISON_TYPE = Enumeration(
    "stablehlo", "comparison_type", "ComparisonType", ("NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED")
)
FFT_TYPE = Enumeration("stablehlo", "fft_type", "FftType", ("FFT", "IFFT", "RFFT", "IRFFT"))
PRECISION = Enumeration("stablehlo", "precision", "Precision", ("DEFAULT", "HIGH", "HIGHEST"))
RESULT_ACCURACY_MODE = Enumeration(
    "stablehlo", "result_accuracy_mode", "ResultAccuracyMode", ("DEFAULT", "HIGHEST", "TOLERANCE"), dotted=True
)
RNG_ALGORITHM = Enumeration("stablehlo", "rng_algorithm", "RngAlgorithm", ("DEFAULT", "THREE_FRY", "PHILOX"))
RNG_DISTRIBUTION = Enumeration("stablehlo", "rng_distribution", "RngDistribution", ("UNIFORM", "NORMAL"))
TRANSPOSE = Enumeration(
    "stablehlo", "transpose", "Transpose", ("TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT")
)
