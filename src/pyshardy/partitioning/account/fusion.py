"""Which values of a program are fused into the operations that read them, and so never stand in memory.

An elementwise operation, or one that broadcasts its operand, needs no buffer for its result if every reader is
elementwise or a reduction. A cheap operation is computed again in each kernel that reads it; an expensive one (an
exponential) is fused only if one kernel reads it. The same holds for operations that move elements (slice, transpose,
pad): they are fused, but into one kernel only. Matrix products read a transposed operand from the buffer of the tensor
before the transpose; a product that sums over nothing is elementwise. Functions count as if they were inlined. An
alias of an operand (``buffer_aliases``) is fused.

XLA's CPU backend fuses less. It does not fuse a concatenation to long rows, but copies rows from buffers to a buffer
(rotary embeddings, ``jnp.roll``). A library computes sums and maxima of many floats: elementwise operations are fused
into these, but no selections, no operations that move elements, and no values that other kernels read, too; and matrix
products (``library_kernels``). Other reductions of long dimensions run in two steps and read buffers. A value that some
readers need in memory may be computed again by others (``duplicated_uses``).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from pyshardy.dialects.func import callee, is_declaration
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.ir.opdef import ELEMENTWISE, TERMINATOR
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Value
from pyshardy.ir.types import Type, element_count
from pyshardy.partitioning.account.added_scatters import added_scatter
from pyshardy.partitioning.account.buffer_aliases import ALIASES, has_tensors_inside, invariant_indices
from pyshardy.partitioning.account.fusible import (
    ALL_TO_ALL,
    BROADCASTING,
    CONCATENATE,
    DIVIDE,
    MAY_BE_ELEMENTWISE,
    MOVING,
    PRODUCT,
    REDUCTION,
    TRANSPOSE,
    divides_by_broadcast,
    has_several_non_broadcasts,
    is_cheap,
    is_elementwise_here,
    makes_elements,
    makes_long_rows,
    reads_elements,
    roles_by_name,
)
from pyshardy.partitioning.account.library_kernels import is_in_windows, is_of_library, library_kernels

_CALL, _MODULE = "func.call", "builtin.module"
_FAR = 256
"""How many operations are followed backwards to find out whether one value is computed from another."""
_GATHER = "stablehlo.gather"
_NOT_SUMMED = frozenset({_GATHER})
"""Operations that are not fused into reductions."""
_NOT_SUMMED_ON_CPUS = (MOVING - {"stablehlo.pad"}) | frozenset(
    f"stablehlo.{name}" for name in ("and", "clamp", "compare", "cosine", "not", "or", "select", "sine", "xor")
)


def fused_values(operations: Sequence[Operation], *, on_cpus: bool = False, in_library: bool = False) -> set[Value]:
    """The results of ``operations``, all of one block in order, that are fused into their readers. Functions count as
    if they were inlined. With ``on_cpus`` they are fused as XLA's CPU backend does it; if also ``in_library``, products
    are fused into reductions by its library (``library_kernels``)."""
    return _FusedValues(operations, InlinedCalls(operations, on_cpus=on_cpus), in_library=in_library).values


fused_values_on_cpus = partial(fused_values, on_cpus=True, in_library=True)
"""The values that XLA's CPU backend fuses into their readers."""
fused_values_without_library = partial(fused_values, on_cpus=True)
"""The values that XLA's CPU backend fuses into their readers, without those that only its library fuses."""


def values_without_derived_readers(operations: Sequence[Operation], *, on_cpus: bool) -> set[Value]:
    """The results of ``operations`` that several kernels could compute from several values, and that none reads
    together with something computed from them. The operations between two readers are searched for that, up to a
    limit, so the answer may be another one if layers are added: it has to be checked again there."""
    return _FusedValues(operations, InlinedCalls(operations, on_cpus=on_cpus), in_library=False).without_derived_readers


class InlinedCall(NamedTuple):
    """How a function uses its arguments and computes its results. For each argument: whether it is read element by
    element only (``reads_elementwise``), and by one kernel only (``read_by_one_kernel``). For each result: whether a
    reader of the call can compute it (``is_fusible``), whether several readers can, each again (``is_recomputable``),
    the arguments and other results that it is computed from (``from_arguments``, ``from_results``), and the types of
    the values inside the function that get buffers instead of it, because readers compute it from them (``kept``;
    ``is_fusible`` and ``is_recomputable`` are false then)."""

    reads_elementwise: tuple[bool, ...]
    read_by_one_kernel: tuple[bool, ...]
    is_fusible: tuple[bool, ...]
    is_recomputable: tuple[bool, ...]
    from_arguments: tuple[frozenset[int], ...]
    from_results: tuple[frozenset[int], ...]
    kept: tuple[tuple[Type, ...], ...]


class _FusibleResult(NamedTuple):
    """A result of a function that readers of the call can compute: from which arguments and other results of the
    function, and the types of the values inside that are ``kept`` for it."""

    is_cheap: bool
    has_one_reader: bool
    arguments: set[int]
    results: set[int]
    kept: list[Type]


_NONE: frozenset[int] = frozenset()


class InlinedCalls:
    """The functions that ``operations`` call, directly or through others: compilers inline them."""

    def __init__(self, operations: Sequence[Operation], *, on_cpus: bool) -> None:
        self.on_cpus = on_cpus
        call = next((op for op in operations if op.name == _CALL), None)
        module = None if call is None else next((one for one in call.ancestors() if one.name == _MODULE), None)
        self.functions = {} if module is None else functions_by_name(module)
        self._known: dict[str, InlinedCall | None] = {}

    def of(self, call: Operation) -> InlinedCall | None:
        """What the function does that ``call`` calls; None if ``call`` is no call, or its function is unknown or
        recursive."""
        if not self.functions or call.name != _CALL:
            return None
        name = callee(call)
        if name not in self._known:
            # Until the function has been looked at: a recursive function is not known.
            self._known[name] = None
            function = self.functions.get(name)
            if function is not None and not is_declaration(function):
                self._known[name] = self._summary_of(function)
        return self._known[name]

    def works_element_by_element(self, call: Operation) -> bool:
        """Whether readers of the only result of ``call`` can compute it from the arguments alone."""
        inlined = self.of(call)
        return inlined is not None and inlined.is_fusible == (True,) and not inlined.from_results[0]

    def is_duplicated(self, result: OpResult) -> bool:
        """Whether every elementwise reader of ``result`` computes it again, from one tensor, even if ``result`` has a
        buffer for other readers (``duplicated_uses``)."""
        op = result.owner
        inlined = self.of(op)
        if inlined is None:
            return len(op.results) == 1 and is_cheap(op) and not has_several_non_broadcasts(op.operands)
        if not inlined.is_recomputable[result.index] or inlined.from_results[result.index]:
            return False
        return not has_several_non_broadcasts([op.operands[number] for number in inlined.from_arguments[result.index]])

    def reads_elementwise(self, op: Operation, number: int) -> bool:
        """Whether ``op`` reads its operand ``number`` element by element and computes it again, if that is cheap."""
        inlined = self.of(op)
        if inlined is not None:
            return inlined.reads_elementwise[number]
        return op.name == _GATHER or (bool(op.traits & ELEMENTWISE) and not op.traits & TERMINATOR)

    def _summary_of(self, function: Operation) -> InlinedCall:
        """How ``function`` uses its arguments and computes its results."""
        operations, arguments = function.body.operations(), function.body.arguments
        fused = _FusedValues(operations, self)
        returned = operations[-1].operands
        made = [self._fusible_result(value, fused, returned) for value in returned]
        kept = [() if one is None else tuple(one.kept) for one in made]
        made = [None if one is None or one.kept else one for one in made]
        return InlinedCall(
            tuple([fused.readable.get(one, True) for one in arguments]),
            tuple([one not in fused.reader_kernels or fused.reader_kernels[one] is not None for one in arguments]),
            tuple([one is not None and (one.is_cheap or one.has_one_reader) for one in made]),
            tuple([one is not None and one.is_cheap for one in made]),
            tuple([_NONE if one is None else frozenset(one.arguments) for one in made]),
            tuple([_NONE if one is None else frozenset(one.results) for one in made]),
            tuple(kept),
        )

    def _fusible_result(self, value: Value, fused: _FusedValues, returned: Sequence[Value]) -> _FusibleResult | None:
        """How readers of the call can compute the returned ``value``: from arguments, from other returned values, from
        values that have at most half as many elements, from those that readers compute again, or else, each again,
        from values that are kept instead; None if they cannot."""
        is_recomputable, reads_large, waiting, size = True, False, [value], element_count(value.type)
        arguments: set[int] = set()
        results: set[int] = set()
        kept: list[Type] = []
        # A generator of random numbers reads values through many paths: each value is looked at once.
        seen: set[Value] = set()
        while waiting:
            one = waiting.pop()
            if one in seen:
                continue
            seen.add(one)
            made = one.defining_op
            if isinstance(one, BlockArgument):
                if one is value:
                    return None
                arguments.add(one.index)
                reads_large = reads_large or 2 * element_count(one.type) > size
            if made is None:
                continue
            if one is not value and one not in fused.values:
                if one in returned:
                    results.add(returned.index(one))
                    continue
                if 2 * element_count(one.type) <= size:
                    continue
                if not self.on_cpus or not isinstance(one, OpResult):
                    return None
                if not self.is_duplicated(one):
                    kept += self._kept_for(one)
                    continue
            inlined = self.of(made)
            if inlined is not None and isinstance(one, OpResult):
                makes, cheap = inlined.is_fusible[one.index], inlined.is_recomputable[one.index]
            else:
                makes, cheap = makes_elements(made), is_cheap(made)
                if made.name in ALIASES or is_elementwise_here(made):
                    makes = cheap = True
            if not makes:
                return None
            is_recomputable = is_recomputable and cheap
            waiting += made.operands
        if kept and (results or reads_large or not is_recomputable):
            return None
        return _FusibleResult(is_recomputable, value.has_one_use, arguments, results, kept)

    def _kept_for(self, value: OpResult) -> Sequence[Type]:
        """The types of the values in memory from which readers of ``value`` compute it: its own, if they do not."""
        inlined = self.of(value.owner)
        return (() if inlined is None else inlined.kept[value.index]) or (value.type,)


class _FusedValues:
    """The values of ``operations``, all of one block in order, that are fused into their readers (``values``). For each
    value that is read: whether all readers read it element by element (``readable``), and the operation that ends the
    kernel of its readers, None if they belong to several kernels (``reader_kernels``)."""

    def __init__(self, operations: Sequence[Operation], calls: InlinedCalls, *, in_library: bool = False) -> None:
        self.values: set[Value] = set()
        self.readable: dict[Value, bool] = {}
        self.reader_kernels: dict[Value, Operation | None] = {}
        self.without_derived_readers: set[Value] = set()
        """Results that ``_has_reader_of_derived_value`` has looked for such a reader of, and found none."""
        self._roles = roles_by_name()
        self._on_cpus = calls.on_cpus
        self._calls = calls
        self._not_summed = _NOT_SUMMED_ON_CPUS if self._on_cpus else _NOT_SUMMED
        self._scattered_into: dict[Operation, Operation] = {}
        """For each scatter that is done in the buffer of another value the addition of the two."""
        self._sums: set[Operation] = set()
        """The reductions of the library."""
        self._in_sums: set[Value] = set()
        """The values that such reductions read, and those that are fused into them."""
        self._library = library_kernels(operations, calls.works_element_by_element) if in_library else {}
        self._operations = operations
        self._numbers: dict[Operation, int] | None = None
        """The places of the operations, once somebody has asked for one."""
        for op in reversed(operations):
            if self._library and op in self._library:
                self._visit_in_library(op, self._library[op])
                continue
            inlined = calls.of(op) if op.name == _CALL else None
            if inlined is None:
                self._visit(op)
            else:
                self._visit_call(op, inlined)

    def _visit(self, op: Operation) -> None:
        """Decides whether the result of ``op``, all of whose readers have been visited, is fused into them, and notes
        how ``op`` reads its operands. A fused operation reads them in the kernel of its readers."""
        fused, readable, reader_kernels, name = self.values, self.readable, self.reader_kernels, op.name
        roles = self._roles.get(name)
        if roles is None:
            roles = self._roles[name] = reads_elements(op), makes_elements(op), is_cheap(op)
        kernel: Operation | None = op
        reads, makes, cheap = roles
        if name in MAY_BE_ELEMENTWISE and is_elementwise_here(op):
            reads = makes = cheap = True
        elif name == DIVIDE:
            cheap = divides_by_broadcast(op)
        if self._on_cpus:
            if op in self._scattered_into:
                self._visit_scatter(op)
                return
            if name == REDUCTION and is_of_library(op):
                self._sums.add(op)
            elif name == REDUCTION and is_in_windows(op):
                self._read_from_buffers(op)
                return
            elif name == ALL_TO_ALL:
                reads, kernel = True, None
            elif (name == CONCATENATE and makes_long_rows(op)) or self._is_scatter(op):
                reads = makes = False
        results = op.results
        if len(results) == 1:
            result = results[0]
            if name == TRANSPOSE and result._uses and all(user.name == PRODUCT for user in result.users):
                fused.add(result)
                reads = False
            elif name in ALIASES:
                reads = readable.get(result, False)
                kernel = reader_kernels.get(result)
                fused.add(result)
            elif makes and readable.get(result, False) and self._is_made_by_readers(op, result, cheap):
                kernel = reader_kernels[result]
                fused.add(result)
                if result in self._in_sums:
                    self._in_sums.update(op.operands)
            elif cheap and self._on_cpus and self._is_computed_again(result):
                kernel = None
        if self._sums and op in self._sums:
            self._in_sums.update(op.operands)
        for value in op.operands:
            if value not in reader_kernels:
                readable[value], reader_kernels[value] = reads and readable.get(value, True), kernel
                continue
            if not reads:
                readable[value] = False
            if reader_kernels[value] is not kernel:
                reader_kernels[value] = None
        if op.regions and has_tensors_inside(op):
            # Operations in regions read values from their buffers.
            fused.update(op.results[index] for index in invariant_indices(op))
            for inner in op.walk():
                for value in inner.operands:
                    readable[value] = False

    def _is_made_by_readers(self, op: Operation, result: OpResult, cheap: bool) -> bool:
        """Whether the readers of ``result``, all of which could compute what ``op`` does, do so."""
        kernel = self.reader_kernels[result]
        if op.name in self._not_summed and self._is_sum(kernel):
            return False
        return kernel is not None or (cheap and not self._is_kept_for_several(result, op.operands))

    def _is_computed_again(self, result: OpResult) -> bool:
        """Whether some readers of ``result`` compute it again, and others read it from a buffer (``duplicated_uses``):
        then several kernels read what it is computed from."""
        if len(result._uses) < 2 or not self._calls.is_duplicated(result):
            return False
        again = [self._calls.reads_elementwise(*use) and not self._is_summed(use[0]) for use in result._uses]
        return any(again) and not all(again)

    def _is_summed(self, op: Operation) -> bool:
        """Whether ``op`` belongs to a kernel of the library."""
        if op in self._sums or op in self._library:
            return True
        return any(one in self._in_sums and one in self.values for one in op.results)

    def _is_scatter(self, op: Operation) -> bool:
        """Whether ``op`` is an addition that is done by a scatter, which is noted."""
        scatter = added_scatter(op)
        if scatter is not None:
            self._scattered_into[scatter] = op
        return scatter is not None

    def _visit_scatter(self, op: Operation) -> None:
        """Fuses the scatter ``op`` into the addition that reads it, and notes how that kernel reads the operands. It
        does not read the zeros."""
        add = self._scattered_into[op]
        self.values.update(op.results)
        for number, value in enumerate(op.operands):
            self.readable[value] = number == 0 and self.readable.get(value, True)
            self.reader_kernels[value] = add if self.reader_kernels.get(value, add) is add else None

    def _visit_in_library(self, op: Operation, root: Operation) -> None:
        """Fuses ``op`` into the library's kernel that ends with ``root``, and notes how the kernel reads the operands:
        from buffers."""
        if op is not root:
            self.values.update(op.results)
        for value in op.operands:
            made = value.defining_op
            # The library broadcasts tensors itself, numbers not.
            reads = made is not None and made.name in BROADCASTING and element_count(made.operands[0].type) > 1
            self.readable[value] = reads and self.readable.get(value, True)
            self.reader_kernels[value] = root if self.reader_kernels.get(value, root) is root else None

    def _is_sum(self, op: Operation | None) -> bool:
        """Whether ``op`` is a reduction that is not fused with operations in ``_not_summed``."""
        return op in self._sums if self._on_cpus else op is not None and op.name == REDUCTION

    def _read_from_buffers(self, op: Operation) -> None:
        """Notes that the reduction ``op`` reads its operands from buffers."""
        for value in op.operands:
            self.readable[value] = False
            self.reader_kernels[value] = op if self.reader_kernels.get(value, op) is op else None

    def _is_kept_for_several(self, result: OpResult, made_of: Sequence[Value]) -> bool:
        """Whether ``result``, which several kernels read and could compute from ``made_of``, has a buffer for them."""
        is_summed = result in self._in_sums and element_count(result.type) > 1
        if is_summed and result.owner.name not in BROADCASTING:
            return True
        return self._has_reader_of_derived_value(result, made_of)

    def _has_reader_of_derived_value(self, result: OpResult, made_of: Sequence[Value]) -> bool:
        """Whether ``result``, computed from the several values ``made_of``, has a reader that also reads a value that
        has a buffer and is computed from ``result`` (as a normalisation reads a tensor and its mean). Such a reader
        waits for the derived value. ``result`` has to be kept until then, so it gets a buffer, and the values that it
        is computed from need none."""
        if not has_several_non_broadcasts(made_of):
            return False
        found = any(
            value is not result and self._is_derived_from(value, result)
            for user in result.users
            for value in user.operands
        )
        if not found:
            self.without_derived_readers.add(result)
        return found

    def _is_derived_from(self, value: Value, other: Value) -> bool:
        """Whether ``value`` is computed from ``other`` through a value that has a buffer. True, too, if more than
        ``_FAR`` values would have to be looked at."""
        if self._numbers is None:
            self._numbers = {op: number for number, op in enumerate(self._operations)}
        numbers = self._numbers
        begin = numbers[other.owner] if isinstance(other, OpResult) else -1
        waiting, seen = [(value, False)], set[tuple[Value, bool]]()
        while waiting:
            one, has_buffer = waiting.pop()
            made = one.defining_op
            if made is None or (one, has_buffer) in seen or numbers.get(made, -1) <= begin:
                continue
            seen.add((one, has_buffer))
            if len(seen) > _FAR:
                return True
            has_buffer = has_buffer or one not in self.values
            if has_buffer and other in made.operands:
                return True
            waiting += [(operand, has_buffer) for operand in made.operands if operand is not other]
        return False

    def _visit_call(self, op: Operation, inlined: InlinedCall) -> None:
        """Decides which results of the call ``op`` are fused into their readers, and notes how ``op`` reads its
        operands, as if its function were inlined."""
        readable, reader_kernels = self.readable, self.reader_kernels
        kernel: Operation | None = op
        for result in op.results:
            makes = inlined.is_fusible[result.index] and readable.get(result, False)
            if makes and reader_kernels[result] is None:
                made_of = [op.operands[number] for number in inlined.from_arguments[result.index]]
                makes = inlined.is_recomputable[result.index] and not self._is_kept_for_several(result, made_of)
            if makes:
                kernel = reader_kernels[result] if len(op.results) == 1 else None
                self.values.add(result)
                if result in self._in_sums:
                    self._in_sums.update(op.operands[number] for number in inlined.from_arguments[result.index])
        for value, reads, alone in zip(op.operands, inlined.reads_elementwise, inlined.read_by_one_kernel, strict=True):
            its = kernel if alone else None
            readable[value] = reads and readable.get(value, True)
            reader_kernels[value] = its if value not in reader_kernels or reader_kernels[value] is its else None
