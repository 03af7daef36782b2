"""Count: a candidate plan of a folded program, and what it costs with all layers.

A ``FoldedPlan`` is made of what the partitioner has made of a folded program. It certifies that layers near the splice
point are alike there, too: their operations (``Splice``), the versions of their values, the collectives they asked for.
Then it answers as the plan of the whole program would. Bytes and work are those of the folded program plus those of
the template times the number of layers left out; memory is worked out by ``peak``. What needs the operations of all
layers (the text, collectives with their channels and causes, the versions of values) unfolds the program of one device
first, and the propagated program if need be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property

from pyshardy.dialects.func import function_type
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.emitting.collectives import Collective
from pyshardy.emitting.layout import Layout
from pyshardy.emitting.sharded import Sharded
from pyshardy.folding.certifying.constant_copies import add_free_constants
from pyshardy.folding.certifying.fused_alike import are_fused_alike
from pyshardy.folding.certifying.splice import Splice
from pyshardy.folding.certifying.versions import compare_versions
from pyshardy.folding.counting.counted_programs import counted_program
from pyshardy.folding.counting.layer_collectives import CHANNEL, LayerCollectives
from pyshardy.folding.counting.layer_values import LayerValues
from pyshardy.folding.counting.peak import PeakOfLayers, peak_with_all_layers
from pyshardy.folding.detecting.free_constants import splat_in
from pyshardy.folding.folded import Folded, NoCertificate
from pyshardy.folding.program import FoldedProgram
from pyshardy.folding.unfolding import Unfolding
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import FunctionType, Type
from pyshardy.partitioning.account.counted import (
    CountedMemory,
    CountedPlan,
    CountedProgram,
    CountsDiffer,
    counted_collectives,
)
from pyshardy.partitioning.account.memory import memory_of
from pyshardy.partitioning.account.memory_model import IN_PROGRAM_ORDER, MemoryModel
from pyshardy.partitioning.account.work import Work
from pyshardy.partitioning.candidate_plan import (
    CandidatePlan,
    CannotPrice,
    kinds_of_collectives,
    kinds_of_operations,
)
from pyshardy.partitioning.localizing.run import Specialization
from pyshardy.partitioning.partitioner import Partitioner

_IGNORED = frozenset({CHANNEL})
_ROUNDED = 1e-9
"""Bytes of two plans that differ by no more than this share may be equal but for rounding."""


class FoldedPlan(CandidatePlan):
    """The plan that ``partitioner`` has made of ``program``, which is folded. ``_source`` is this propagated program,
    and ``_splice`` the splice point in the program of one device.

    Raises:
        NeedsMoreLayers: there is no certificate, but there might be one if more layers were kept.
        NoCertificate: there is no certificate.
    """

    def __init__(self, program: FoldedProgram, partitioner: Partitioner) -> None:
        super().__init__(partitioner)
        self._source = program
        ((self._name, special),) = partitioner.entries.items()
        self._function = functions_by_name(partitioner.local)[special.name]
        self._folded = folded = program.folded.of(partitioner.local, self._function)
        if not folded.free_splats_left_out().isdisjoint(map(splat_in, partitioner.builder.splats)):
            # With all layers this would be one constant with that of a layer, and stand where it was made first.
            raise NoCertificate("the partitioner has made a constant equal to one of a layer that was left out")
        if not folded.names_left_out.isdisjoint(_symbols(partitioner.local) - _symbols(program.module.op)):
            raise NoCertificate("the partitioner has given a function the name of one of a layer that was left out")
        add_free_constants(folded, self._function.body)
        epilogues = _epilogues(folded, self._function)
        self._splice = Splice(folded, epilogues, _IGNORED)
        self._unfolding: Unfolding | None = None
        compare_versions(program.splice, partitioner.env)
        # A cluster that goes on through all layers would end elsewhere if there were more of them.
        program.splice.check_links(partitioner.cluster_starts)
        self._collectives = LayerCollectives(
            self._splice, partitioner.emitted_collectives, partitioner.program.largest_channel
        )

    # --- what it costs ------------------------------------------------------------------------------------------------

    @cached_property
    def bytes(self) -> float:
        received = self._received()
        if self._unfolding is not None:
            return received.by_function(self._entry)
        layers = self._folded.count * sum(map(received.by_operations, self._splice.template), 0.0)
        return received.by_function(self._entry) + layers

    @cached_property
    def work(self) -> int:
        found = super().work
        if self._unfolding is None:
            work = Work(self.partitioner.local, self.partitioner.rules)
            found += self._folded.count * sum(map(work.of_all, self._splice.template))
        return found

    @cached_property
    def peak(self) -> int:
        found = self._peak_of_layers if self._unfolding is None and self._are_fused_alike else None
        return memory_of(self.local(), self._entry, IN_PROGRAM_ORDER).peak if found is None else found.bytes

    @cached_property
    def _peak_of_layers(self) -> PeakOfLayers | None:
        types = self._result_types()
        return peak_with_all_layers(self._splice, self.partitioner.local, self._function, types, IN_PROGRAM_ORDER)

    def counted_plan(self) -> CountedPlan:
        if self._unfolding is not None:
            return super().counted_plan()
        module = self.partitioner.module
        found = self.counted(lambda: CountedProgram(module, functions_by_name(module)[self._name]))
        if found is None:
            raise CannotPrice
        return found

    def counted(self, source: Callable[[], CountedProgram]) -> CountedPlan | None:
        """The plan in the form in which costs are added up without unfolding it; ``source`` gives the program before
        propagation in this form. None if the plan is unfolded already, or if collectives in the program of one device
        do not count as often as those that were emitted."""
        if self._unfolding is not None or not self._are_fused_alike:
            return None
        splice, partitioner = self._splice, self.partitioner
        series = [*range(len(self._folded.series)), *splice.series.epilogue_series.values()]
        local = counted_program(self._folded, partitioner.local, self._function, splice.parts, series, splice)
        own = [one.op for one in self._collectives.of_template() if one.op.parent is self._function.body]
        if any(local.times(op) != self._folded.multiplicity for op in own):
            return None
        collectives = counted_collectives(local, self._collectives.emitted)
        return CountedPlan(source, local, collectives, self._memory_by, self._result_types())

    @cached_property
    def _are_fused_alike(self) -> bool:
        """Whether values are fused as they would be with all layers."""
        return are_fused_alike(self._splice)

    def _memory_by(self, model: MemoryModel) -> CountedMemory:
        """The memory that the program of one device needs with all layers, by ``model``.

        Raises:
            CountsDiffer: that is not known.
        """
        if self._unfolding is not None:
            raise CountsDiffer
        types, size = self._result_types(), model.boundary_bytes_of
        peak = peak_with_all_layers(self._splice, self.partitioner.local, self._function, types, model)
        parts = None if peak is None else peak.parts
        if peak is None or parts is None:
            raise CountsDiffer
        arguments = sum(size(argument.type) for argument in self._function.body.arguments)
        return CountedMemory(arguments, sum(map(size, types)), peak.bytes, parts)

    def _result_types(self) -> list[Type]:
        """The types of the results that the function has with all layers."""
        returned = [value.type for value in self._function.body.terminator.operands]
        return [returned[self._folded.place_of_result(index)] for index in range(len(self._folded.results))]

    def _moved(self) -> Iterable[tuple[Collective, int]]:
        return ((one, times) for one, times in self._collectives.times() if one.op.parent is not None)

    def is_better_than(self, other: CandidatePlan) -> bool:
        if not (self.bytes.is_integer() and other.bytes.is_integer()):
            for one in (self, other):
                if isinstance(one, FoldedPlan):
                    one._add_up_all_layers()
        return super().is_better_than(other)

    def _add_up_all_layers(self) -> None:
        """Computes ``bytes`` from all layers: products of floats are rounded otherwise than sums."""
        if self._unfolding is None:
            self.local()
            self.__dict__.pop("bytes", None)

    @cached_property
    def _kinds(self) -> tuple[Counter[Hashable], Counter[Hashable]]:
        """Those with all layers: another plan may have been made with other layers kept."""
        operations, collectives = super()._kinds
        if self._unfolding is None:
            (returned,) = kinds_of_operations([self._function.body.terminator])
            template = kinds_of_operations(
                nested for series in self._splice.template for op in series for nested in op.operations()
            )
            repeated = kinds_of_collectives(self._collectives.of_template())
            operations.update({kind: self._folded.count * times for kind, times in template.items()})
            collectives.update({kind: self._folded.count * times for kind, times in repeated.items()})
            # With all layers there are all results.
            operations.subtract([returned])
            operations.update([("func.return", *self._result_types())])
        return +operations, +collectives

    def moves_less_than(self, other: CandidatePlan) -> bool:
        """Whether each device receives less than with ``other``.

        Raises:
            NoCertificate: the two are equal but for rounding, so that the answer may be another one with all layers.
        """
        mine, its = self.bytes, other.bytes
        if not (mine.is_integer() and its.is_integer()) and abs(mine - its) <= _ROUNDED * its:
            raise NoCertificate("two plans move equal bytes but for rounding")
        return mine < its

    # --- with all layers ----------------------------------------------------------------------------------------------

    def local(self) -> Operation:
        if self._unfolding is None:
            attributes = self._source.results_attributes
            self._unfolding = Unfolding(self._splice, self.partitioner.local, None, attributes)
            self._collectives.give_channels(self._unfolding)
        return self.partitioner.local

    def _whole(self) -> Unfolding:
        """The program of one device, unfolded."""
        self.local()
        assert self._unfolding is not None
        return self._unfolding

    def program(self) -> Operation:
        self._source.unfold()
        return self.partitioner.module

    def entries(self) -> Mapping[str, tuple[FunctionType, Specialization]]:
        special = self.partitioner.entries[self._name]
        places = map(self._folded.place_of_result, range(len(self._folded.results)))
        whole = special._replace(results=tuple(special.results[place] for place in places))
        return {self._name: (function_type(self._folded.layers.function), whole)}

    # --- collectives --------------------------------------------------------------------------------------------------

    def emitted(self) -> list[Collective]:
        """The collectives that were emitted; once the program is unfolded those of all layers. Their operations are
        those in the program of one device; cause and tensor are those of the collective that was emitted."""
        unfolding = self._unfolding
        if unfolding is None:
            return self.partitioner.emitted_collectives
        return [
            one if layer is None else one._replace(op=unfolding.counterpart_of(one.op, layer))
            for one, layer in self._collectives.in_order()
            if layer is None or one.op.parent is not None
        ]

    def collectives(self) -> list[Collective]:
        """The collectives of all layers, with their operations in the program of one device, and with their causes and
        tensors in the propagated program."""
        whole, unfolding = self._source.unfold(), self._whole()
        found = []
        for one, layer in self._collectives.in_order():
            if layer is None:
                tensor = one.tensor
                if one.cause is not None and tensor is not None:
                    reference = self._reference_layer_of_cause(one, one.cause)
                    tensor = tensor if reference is None else whole.counterpart(tensor, reference)
                found.append(one if tensor is one.tensor else one._replace(tensor=tensor))
            elif one.op.parent is not None:
                op = unfolding.counterpart_of(one.op, layer)
                cause = None if one.cause is None else whole.counterpart_of(one.cause, layer)
                tensor = None if one.tensor is None else whole.counterpart(one.tensor, layer)
                found.append(one._replace(op=op, cause=cause, tensor=tensor))
        return found

    def _reference_layer_of_cause(self, one: Collective, cause: Operation) -> int | None:
        """The reference layer (``Splice.reference_layer``) for the tensor of ``one``, which was emitted for ``cause``;
        None if it is in no layer near the splice point."""
        if cause is self._source.function.body.terminator:
            # All results have one cause, the terminator. The layer is that of the epilogue the collective is in.
            return self._splice.reference_layer(one.op)
        return self._source.splice.reference_layer(cause)

    # --- values -------------------------------------------------------------------------------------------------------

    def _values(self) -> LayerValues:
        return LayerValues(self._source, self._splice, self.partitioner, self._whole)

    def origins(self) -> Mapping[Value, Value]:
        return self._values().origins()

    def chosen_layouts(self) -> dict[Value, Layout]:
        """The layout in which each value came to be, of a plan whose results are free."""
        return self._values().chosen_layouts()

    def values(self) -> Mapping[Value, Sharded]:
        """What each value has become in the program of one device, in all its versions."""
        return self._values().tensors()


def _symbols(module: Operation) -> set[str | None]:
    return {op.symbol_name for op in module.body}


def _epilogues(folded: Folded, function: Operation) -> dict[int, Sequence[Operation]]:
    """The epilogue of each result that ``function`` returns, by the number of the result in the program: the operations
    that bring it into the layout in which it is returned. They have the location of the terminator. An operation that
    several results need belongs to the first of these."""
    terminator = function.body.terminator
    made = [op for op in function.body if op.location == terminator.location and op is not terminator]
    numbers = {op: number for number, op in enumerate(made)}
    found: dict[int, Sequence[Operation]] = {}
    for index, value in zip(folded.returned, terminator.operands, strict=True):
        pending, own = [value.defining_op], []
        for op in pending:
            number = numbers.pop(op, None) if op is not None else None
            if op is not None and number is not None:
                own.append(number)
                pending += [operand.defining_op for nested in op.operations() for operand in nested.operands]
        found[index] = [made[number] for number in sorted(own)]
    return found
