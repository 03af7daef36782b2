"""StableHLO's structured attributes: dimension numbers, channels, algorithms, meshes.

Each is a table of fields (``dialects.structures``); ``attribute_text`` reads them.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.dialects.enumerations import Enumeration
from pyshardy.dialects.structures import DimensionNumbers, Structure
from pyshardy.ir.attribute import Attribute, quoted
from pyshardy.ir.attributes import ArrayAttr, EnumAttr, SymbolRefAttr
from pyshardy.ir.floats import float_text
from pyshardy.ir.types import DYNAMIC, Type


class DotDimensionNumbers(DimensionNumbers, mnemonic="stablehlo.dot", suffix="_dimension"):
    """Which dimensions of a ``dot_general`` are batching and which are contracting."""

    lhs_batching: tuple[int, ...] = ()
    rhs_batching: tuple[int, ...] = ()
    lhs_contracting: tuple[int, ...] = ()
    rhs_contracting: tuple[int, ...] = ()


class GatherDimensionNumbers(DimensionNumbers, mnemonic="stablehlo.gather"):
    """How the dimensions of operand, start indices and result correspond."""

    offset_dims: tuple[int, ...] = ()
    collapsed_slice_dims: tuple[int, ...] = ()
    operand_batching_dims: tuple[int, ...] = ()
    start_indices_batching_dims: tuple[int, ...] = ()
    start_index_map: tuple[int, ...] = ()
    index_vector_dim: int = 0

    def window_dims(self, rank: int) -> list[int]:
        """The dimensions of an operand of ``rank`` that are those at ``offset_dims`` of the result, in order."""
        left_out = {*self.collapsed_slice_dims, *self.operand_batching_dims}
        return [dim for dim in range(rank) if dim not in left_out]


class ScatterDimensionNumbers(DimensionNumbers, mnemonic="stablehlo.scatter"):
    """How the dimensions of inputs, scatter indices and updates correspond."""

    update_window_dims: tuple[int, ...] = ()
    inserted_window_dims: tuple[int, ...] = ()
    input_batching_dims: tuple[int, ...] = ()
    scatter_indices_batching_dims: tuple[int, ...] = ()
    scatter_dims_to_operand_dims: tuple[int, ...] = ()
    index_vector_dim: int = 0

    def window_dims(self, rank: int) -> list[int]:
        """The dimensions of an input of ``rank`` that are those at ``update_window_dims`` of the updates, in order."""
        left_out = {*self.inserted_window_dims, *self.input_batching_dims}
        return [dim for dim in range(rank) if dim not in left_out]

    def window_sizes(self, rank: int, update: Sequence[int]) -> dict[int, int]:
        """The size of the windows of updates of shape ``update`` along each of ``window_dims``."""
        return {dim: update[place] for dim, place in zip(self.window_dims(rank), self.update_window_dims, strict=True)}


class ConvDimensionNumbers(DimensionNumbers, mnemonic="stablehlo.conv", suffix="_dimension"):
    """What each dimension of a convolution's input, kernel and output is.

    ``*_spatial`` lists the dimensions in the order of the window's dimensions.
    """

    input_batch: int
    input_feature: int
    input_spatial: tuple[int, ...]
    kernel_input_feature: int
    kernel_output_feature: int
    kernel_spatial: tuple[int, ...]
    output_batch: int
    output_feature: int
    output_spatial: tuple[int, ...]

    @property
    def dimensions_text(self) -> str:
        """``[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]``, as the pretty form of a convolution has it."""
        input_text = _labelled({"b": self.input_batch, "f": self.input_feature}, self.input_spatial)
        kernel = _labelled({"i": self.kernel_input_feature, "o": self.kernel_output_feature}, self.kernel_spatial)
        output = _labelled({"b": self.output_batch, "f": self.output_feature}, self.output_spatial)
        return f"{input_text}x{kernel}->{output}"

    @property
    def body(self) -> str:
        return f"<{self.dimensions_text}>"


def _labelled(named: dict[str, int], spatial: tuple[int, ...]) -> str:
    # A dimension that nothing names prints as 0, as MLIR does for such a (malformed) attribute.
    labels = ["0"] * (len(named) + len(spatial))
    for label, dimension in (*named.items(), *((str(i), d) for i, d in enumerate(spatial))):
        labels[dimension] = label
    return "[" + ", ".join(labels) + "]"


class ChannelHandle(Structure, mnemonic="stablehlo.channel_handle"):
    """Which channel a collective uses."""

    handle: int
    type: int


class OutputOperandAlias(Structure, mnemonic="stablehlo.output_operand_alias"):
    """A result of a custom call that shares its memory with an operand."""

    output_tuple_indices: tuple[int, ...]
    operand_index: int
    operand_tuple_indices: tuple[int, ...]


class Bounds(Structure, mnemonic="stablehlo.bounds"):
    """``<?, 8>``: upper bounds of a tensor type's dynamic dimensions, None where there is none."""

    bounds: tuple[int | None, ...]

    def misfit(self, shape: tuple[int, ...], tensor: str) -> str | None:
        if len(self.bounds) != len(shape):
            count = len(self.bounds)
            return f"Bounds length is {count}, expected to be equal to rank({len(shape)}) of the tensor '{tensor}'"
        for index, (size, bound) in enumerate(zip(shape, self.bounds, strict=True)):
            if size != DYNAMIC and bound is not None:
                advice = "use ShapedType::kDynamic to indicate a missing bound"
                return f"Static dimension {index} cannot have a bound, {advice} in tensor '{tensor}'"
        return None

    @property
    def body(self) -> str:
        return f"<{', '.join('?' if bound is None else str(bound) for bound in self.bounds)}>"


class DotAlgorithm(Structure, mnemonic="stablehlo.dot_algorithm"):
    """The precision types and component counts of a ``dot_general``."""

    lhs_precision_type: Type
    rhs_precision_type: Type
    accumulation_type: Type
    lhs_component_count: int
    rhs_component_count: int
    num_primitive_operations: int
    allow_imprecise_accumulation: bool


class ResultAccuracy(Structure, mnemonic="stablehlo.result_accuracy"):
    """How exact a function's result must be; tolerances are f64 bit patterns."""

    atol_bits: int
    rtol_bits: int
    ulps: int
    mode: EnumAttr

    @property
    def is_default(self) -> bool:
        """Whether this is what an operation without the attribute has."""
        return self.mode.case == "DEFAULT" and not (self.ulps or _is_nonzero(self.atol_bits, self.rtol_bits))

    @property
    def body(self) -> str:
        tolerances = [
            f"{name} = {float_text(bits, 'f64')}"
            for name, bits in (("atol", self.atol_bits), ("rtol", self.rtol_bits))
            if _is_nonzero(bits)
        ]
        if self.ulps:
            tolerances.append(f"ulps = {self.ulps}")
        return f"<{', '.join([*tolerances, f'mode = {self.mode}'])}>"


def _is_nonzero(*float_bits: int) -> bool:
    sign = 1 << 63
    return any(bits & ~sign for bits in float_bits)


class MeshAxis(Structure, mnemonic="stablehlo.mesh_axis"):
    """One axis of a mesh."""

    name: str
    size: int


class Mesh(Structure, mnemonic="stablehlo.mesh"):
    """Named axes and, if not in order, the devices."""

    axes: tuple[MeshAxis, ...]
    device_ids: Attribute | None = None

    @property
    def body(self) -> str:
        devices = "" if self.device_ids is None else f", device_ids={self.device_ids}"
        return f"<axes=[{', '.join(axis.body for axis in self.axes)}]{devices}>"


class SubAxisInfo(Structure):
    """``#stablehlo<sub_axis_info(1)2>``: the part of an axis that starts after ``pre_size`` and has ``size``."""

    pre_size: int
    size: int

    def _render(self) -> str:
        return f"#stablehlo<sub_axis_info({self.pre_size}){self.size}>"


class AxisRef(Structure, mnemonic="stablehlo.axis_ref"):
    """A mesh axis, or a part of one."""

    name: str
    sub_axis: SubAxisInfo | None = None

    @property
    def body(self) -> str:
        part = "" if self.sub_axis is None else f", sub_axis_info = ({self.sub_axis.pre_size}){self.sub_axis.size}"
        return f"<name = {quoted(self.name)}{part}>"


class ReplicaGroupMeshAxes(Structure, mnemonic="stablehlo.replica_group_mesh_axes"):
    """Replica groups along axes of a mesh."""

    mesh: SymbolRefAttr | Mesh
    axes: ArrayAttr


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
ENUMERATIONS = (COMPARISON_DIRECTION, COMPARISON_TYPE, FFT_TYPE, PRECISION, RNG_ALGORITHM, RNG_DISTRIBUTION, TRANSPOSE)
"""Those that are written ``#stablehlo<mnemonic CASE>``."""
