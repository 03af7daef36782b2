"""Rewrites a program sharded for GSPMD into one with meshes and shardings of Shardy.

``mhlo.sharding`` on arguments, results and operations becomes ``sdy.sharding``, ``@Sharding`` a constraint,
``shard_as`` a sharding group; ``manual_parts`` makes manual computations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, NoReturn

from pyshardy.dialects.func import (
    arguments_attributes,
    function_type,
    result_attributes,
    set_argument_attributes,
    set_result_attributes,
)
from pyshardy.dialects.sdy import placement
from pyshardy.dialects.sdy.dataflow import SHARDING
from pyshardy.ir import rewriting
from pyshardy.ir.attribute import Attribute, quoted
from pyshardy.ir.attributes import DictionaryAttr, IntegerAttr, StringAttr
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import I64, Type
from pyshardy.ir.verifying.verifier import verify
from pyshardy.module import Module
from pyshardy.reading.gspmd.manual_parts import make_manual_computations
from pyshardy.reading.gspmd.markers import (
    GSPMD_MARKERS,
    GSPMD_SHARDING,
    SHARDING_MARKER,
    gspmd_text,
    is_call_of,
    num_partitions,
    unspecified_dims,
)
from pyshardy.reading.gspmd.mesh_choice import Meshes
from pyshardy.reading.gspmd.named_sharding import NamedSharding
from pyshardy.reading.gspmd.sharding_bytes import is_bytes, parse_bytes
from pyshardy.reading.gspmd.sharding_text import GspmdSharding, parse_gspmd
from pyshardy.reading.gspmd.sharding_tokens import BadSharding
from pyshardy.sharding.axes import AxisRef
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import DimSharding, TensorSharding, TensorShardingPerValue, fully_open

_SHAPES = "indices_of_shape_operands"


def import_gspmd(module: Module) -> None:
    """Converts all GSPMD shardings of ``module``, in place, and adds a note with their number. A program that also has
    shardings of Shardy is not changed, with a warning.

    Raises:
        PyshardyError: a sharding is wrong or has no counterpart; the diagnostic quotes it.
    """
    Conversion(module).run()


class Conversion:
    """The conversion of one program. ``shardings`` maps every text of a sharding in it to the parsed sharding;
    ``meshes`` are the meshes for all."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.context = module.context
        self.shardings: dict[str, GspmdSharding] = {}
        self.counts: Counter[str] = Counter()
        self.meshes = Meshes((), 1)
        self._maximal: set[int] = set()

    def run(self) -> None:
        """Reads, chooses meshes, rewrites, verifies."""
        root = self.module.op
        texts = list(self._texts())
        if not texts:
            return
        if any(op.name == "sdy.mesh" for op in root.body):
            message = f"the program has shardings of Shardy, so those of GSPMD ({GSPMD_SHARDING}) are not read"
            self.context.emit("warning", texts[0][0].location, message)
            return
        for op, text in texts:
            self._read(op, text)
        self._drop_shape_operands()
        self._choose_meshes(texts[0][0])
        for function in list(root.body):
            if function.name == "func.func":
                self._convert_function(function)
        self._convert_operations()
        self._insert_meshes()
        if not verify(root, self.context):
            raise self.context.failure()
        listed = ", ".join(f"{count} {_plural(name, count)}" for name, count in self.counts.items())
        self.module.notes.append(f"shardings of GSPMD ({GSPMD_SHARDING}) were read: {listed}")

    def _drop_shape_operands(self) -> None:
        """Drops the second operand of markers, the dynamic sizes of a value, which are not needed."""
        for op in self.module.op.walk():
            if len(op.operands) > 1 and any(is_call_of(op, target) for target in GSPMD_MARKERS):
                rewriting.set_operands(op, op.operands[:1])
                rewriting.set_properties(op, op.properties.without(_SHAPES))
                rewriting.set_attributes(op, op.attributes.without(_SHAPES))
                rewriting.make_anew(op)

    def fail(self, op: Operation, text: str, why: str) -> NoReturn:
        """Refuses the program because of the sharding ``text`` of ``op``.

        Raises:
            PyshardyError: always.
        """
        self.context.emit("error", op.location, f"the sharding {GSPMD_SHARDING} = {quoted(text)} cannot be read: {why}")
        raise self.context.failure()

    # --- reading ------------------------------------------------------------------------------------------------------

    def _texts(self) -> Iterator[tuple[Operation, str]]:
        """Every operation with the text of a sharding that it, its arguments or its results have."""
        for op in self.module.op.walk():
            found = gspmd_text(op)
            if found is not None:
                yield op, found
            if op.name == "func.func":
                for side in _SIDES:
                    yield from ((op, text) for *_, text in side.shardings(op))

    def _read(self, op: Operation, text: str) -> None:
        if text not in self.shardings:
            try:
                self.shardings[text] = parse_bytes(text) if is_bytes(text) else parse_gspmd(text)
            except BadSharding as error:
                self.fail(op, text, str(error))

    def _choose_meshes(self, op: Operation) -> None:
        members = [one for found in self.shardings.values() for one in (found.elements or (found,))]
        names = {one.symbol_name or "" for one in self.module.op.body}
        try:
            self.meshes = Meshes(members, num_partitions(self.module.op), names)
        except BadSharding as error:
            largest = max(self.shardings, key=lambda text: self.shardings[text].num_devices or 0)
            self.fail(op, largest, str(error))

    # --- one sharding -------------------------------------------------------------------------------------------------

    def sharding(
        self, op: Operation, text: str, given: GspmdSharding, type: Type, unspecified: frozenset[int] = frozenset()
    ) -> TensorSharding | None:
        """The sharding of Shardy for ``given``, parsed from ``text``, for a value of ``type``; None if it gives no
        sharding."""
        rank = placement.rank_of(type)
        if given.kind in ("unknown", "manual"):
            return None
        if given.kind == "tuple":
            self.fail(op, text, f"it is of a tuple, and the value is a {type}")
        if given.kind == "maximal":
            self._maximal.add(given.device)
            return TensorSharding(_maximal_name(given.device), ())
        if given.kind == "tiled" and given.rank != rank:
            self.fail(op, text, f"it is of {given.rank} dimensions, and the value is a {type}")
        if given.named is not None and given.named.dims is not None and len(given.named.dims) != rank:
            self.fail(op, text, f"it is of {len(given.named.dims)} dimensions, and the value is a {type}")
        try:
            placed = self.meshes.placed(given)
        except BadSharding as error:
            self.fail(op, text, str(error))
        if given.named is not None:
            return self._named_sharding(given.named, placed.mesh_name, rank, unspecified)
        dims: tuple[tuple[AxisRef, ...], ...] = placed.dims or ((),) * rank
        listed = [DimSharding(axes, index not in unspecified) for index, axes in enumerate(dims)]
        return TensorSharding(placed.mesh_name, listed, (), placed.unreduced)

    @staticmethod
    def _named_sharding(
        given: NamedSharding, mesh_name: str, rank: int, unspecified: frozenset[int]
    ) -> TensorSharding | None:
        if given.manual and len(given.manual) == len(given.mesh.axes):
            return None
        dims = [
            DimSharding(dim.axes, dim.is_closed and index not in unspecified)
            for index, dim in enumerate(given.dims if given.dims is not None else (DimSharding(),) * rank)
        ]
        return TensorSharding(mesh_name, dims, given.replicated, given.unreduced)

    def constraint(self, op: Operation) -> TensorSharding | None:
        """The sharding of the result of a ``@Sharding`` or ``@SPMDShardToFullShape``; None if it has none."""
        text = gspmd_text(op)
        if text is None:
            return None
        return self.sharding(op, text, self.shardings[text], op.results[0].type, unspecified_dims(op))

    # --- functions and operations -------------------------------------------------------------------------------------

    def _convert_function(self, function: Operation) -> None:
        for side in _SIDES:
            found = {
                index: self.sharding(function, text, self.shardings[text], type)
                for index, type, text in side.shardings(function)
            }
            if found:
                side.set(function, GSPMD_SHARDING, dict.fromkeys(found))
                side.set(function, SHARDING, found)
                self.counts[side.name] += len(found)

    def _convert_operations(self) -> None:
        make_manual_computations(self)
        for op in list(self.module.op.walk()):
            text = gspmd_text(op)
            if text is None:
                continue
            if is_call_of(op, SHARDING_MARKER):
                self._convert_marker(op, text)
            else:
                rewriting.set_attributes(op, op.attributes.without(GSPMD_SHARDING))
                self._convert_operation(op, text)

    def _convert_marker(self, op: Operation, text: str) -> None:
        if len(op.operands) != 1 or len(op.results) != 1:
            self.fail(op, text, "@Sharding has one operand and one result")
        given, value = self.shardings[text], op.operands[0]
        if given.group is not None:
            number = DictionaryAttr({"group_id": IntegerAttr(given.group, I64)})
            rewriting.insert_before(
                op, rewriting.create("sdy.sharding_group", [value], (), number, location=op.location)
            )
            self.counts["member of sharding groups"] += 1
        sharding = self.constraint(op)
        if sharding is not None and (sharding.has_axes or sharding.is_fully_closed):
            properties = DictionaryAttr({"sharding": sharding})
            made = rewriting.create(
                "sdy.sharding_constraint", [value], [op.results[0].type], properties, location=op.location
            )
            rewriting.insert_before(op, made)
            value = made.results[0]
            self.counts["constraint"] += 1
        rewriting.replace_op(op, [value])

    def _convert_operation(self, op: Operation, text: str) -> None:
        given, types = self.shardings[text], [result.type for result in op.results]
        if given.kind == "tuple" and len(given.elements) != len(types):
            self.fail(op, text, f"it is of {len(given.elements)} values, and '{op.name}' has {len(types)} results")
        if given.kind in ("tiled", "named") and len(types) != 1:
            self.fail(op, text, f"it is of one value, and '{op.name}' has {len(types)} results")
        members = given.elements if given.kind == "tuple" else (given,) * len(types)
        found = [self.sharding(op, text, one, type) for one, type in zip(members, types, strict=True)]
        if not types and given.kind == "maximal":
            self._maximal.add(given.device)
            found = [TensorSharding(_maximal_name(given.device), ())]
        mesh = next((one.mesh_or_ref for one in found if one is not None), None)
        if mesh is None:
            return
        ranks = [placement.rank_of(type) for type in types]
        listed = [one if one is not None else fully_open(ranks[index], mesh) for index, one in enumerate(found)]
        rewriting.set_attributes(op, op.attributes.with_(SHARDING, TensorShardingPerValue(listed)))
        self.counts["operation"] += 1

    def _insert_meshes(self) -> None:
        named = dict(self.meshes.named)
        for device in sorted(self._maximal):
            named[_maximal_name(device)] = Mesh((), (device,))
        for name, mesh in reversed(named.items()):
            properties = DictionaryAttr({"sym_name": StringAttr(name), "mesh": mesh})
            op = rewriting.create("sdy.mesh", properties=properties, location=self.module.op.location)
            rewriting.prepend(self.module.op.body, op)


class _Side(NamedTuple):
    """The arguments or the results of a function: their name in messages, their types, and accessors of their
    attributes."""

    name: str
    types: Callable[[Operation], Sequence[Type]]
    attributes: Callable[[Operation, int], DictionaryAttr]
    set: Callable[[Operation, str, Mapping[int, Attribute | None]], None]

    def shardings(self, function: Operation) -> Iterator[tuple[int, Type, str]]:
        """Those that have a sharding of GSPMD: number, type, and its text."""
        for index, type in enumerate(self.types(function)):
            found = self.attributes(function, index).get(GSPMD_SHARDING)
            if isinstance(found, StringAttr):
                yield index, type, found.value


_SIDES = (
    _Side("argument", lambda func: function_type(func).inputs, arguments_attributes, set_argument_attributes),
    _Side("result", lambda func: function_type(func).results, result_attributes, set_result_attributes),
)


def _maximal_name(device: int) -> str:
    return f"maximal_mesh_{device}"


def _plural(name: str, count: int) -> str:
    first, space, rest = name.partition(" of ")
    return name if count == 1 else f"{first}s{space}{rest}"
