"""Folding: a copy of a program is made without some of its layers.

The layers are left out of the midst of those that are alike. Operations that are kept and read one that is left out
read its counterpart on the other side of the splice point instead. ``Folded`` says what the copies come from.
"""

from __future__ import annotations

from itertools import compress

from pyshardy.dialects.func import function_type, result_attributes, with_entry_attributes
from pyshardy.folding.boundary import LayerBoundary
from pyshardy.folding.detecting.layers import Layers
from pyshardy.folding.folded import Folded, Origin, Provenance
from pyshardy.ir import rewriting
from pyshardy.ir.operation import Block, Operation, OpResult, Region, Use, Value
from pyshardy.ir.types import FunctionType


def fold(module: Operation, layers: Layers, first: int, end: int) -> Folded | None:
    """The folding of ``module`` without layers ``first`` up to (excluding) ``end``; None if operations that are kept
    read a value that is left out and has no counterpart in their place."""
    kept = _Kept(layers, first, end)
    copying = _Copying(kept)
    if not copying.copy_function():
        return None
    made = rewriting.create(
        module.name, (), (), module.properties, module.attributes, (Region([Block()]),), (), module.location
    )
    others = {op for op, _ in kept.other_symbols}
    for op in module.body:
        if op is layers.function:
            rewriting.append(made.body, copying.made)
        elif op in others:
            other = rewriting.clone(op)
            copying.locate(other)
            rewriting.append(made.body, other)
    return Folded(made, copying.made, layers, first, end, kept.provenance())


def folding_of(module: Operation, function: Operation, layers: Layers, first: int, end: int) -> Folded:
    """The folding that ``fold`` makes without layers ``first`` up to (excluding) ``end``, for ``module`` with this
    ``function`` instead of a new copy. The caller guarantees that ``module`` is such a copy, with the locations that
    ``fold`` would give."""
    return Folded(module, function, layers, first, end, _Kept(layers, first, end).provenance())


class _Kept:
    """What a folding keeps of the program of ``layers`` if layers ``first`` up to (excluding) ``end`` are left out."""

    def __init__(self, layers: Layers, first: int, end: int) -> None:
        self.layers = layers
        self.first, self.end = first, end
        self.stays = layers.stays(first, end)
        self.numbers = list(compress(range(len(self.stays)), self.stays))
        """The numbers of the operations of the function that are kept."""
        self.other_symbols = self._found_symbols()
        """The meshes, and the other functions that are kept; a function of a layer with the number of the operation
        that calls it."""
        self.returned = [index for index, one in enumerate(layers.operations[-1].operands) if self.has(one)]
        """The numbers of the results that are kept."""

    def _found_symbols(self) -> list[tuple[Operation, int | None]]:
        function, found = self.layers.function, list[tuple[Operation, int | None]]()
        module = function.parent_op
        assert module is not None
        for op in module.body:
            site = None if op.symbol_name is None else self.layers.layer_functions.call_site(op.symbol_name)
            if op is not function and not (site is not None and self.first <= site.layer < self.end):
                found.append((op, None if site is None else site.caller))
        return found

    def has(self, value: Value) -> bool:
        """Whether ``value``, a result in the function or an argument of it, belongs to no layer that is left out."""
        op = value.defining_op
        if op is None:
            use = self.layers.home_use(value)
            op = None if use is None else use[0]
        return op is None or self.stays[self.layers.numbers[op]] > 0

    def provenance(self) -> Provenance:
        """Where the copy comes from. The origins are in the order in which ``_Copying`` gives locations."""
        layers, origins = self.layers, list[Origin]()
        for number in self.numbers:
            op, home = layers.operations[number], layers.home(number)
            inside = op.operations() if op.regions else (op,)
            origins += [Origin(number, nested, one, None, home) for nested, one in enumerate(inside)]
        origins.append(Origin(None, 0, layers.function, None, None))
        for op, caller in self.other_symbols:
            name, home = None if caller is None else op.symbol_name, layers.home(caller)
            origins += [Origin(caller, nested, one, name, home) for nested, one in enumerate(op.operations())]
        boundary = LayerBoundary(layers, self.first - 1)
        return Provenance(self.returned, origins, boundary, layers.layer_functions.locations())


class _Copying:
    """Copies the function that has ``kept`` to ``made``."""

    made: Operation

    def __init__(self, kept: _Kept) -> None:
        self._kept = kept
        self._layers = kept.layers
        self._first, self._end = kept.first, kept.end
        self._stays = kept.stays
        self.copies: dict[Operation, Operation] = {}
        self._mapping: dict[Value, Value] = {}
        self._located = 0
        """How many operations have a location."""

    def locate(self, copy: Operation) -> None:
        """Gives ``copy``, and the operations in it, the next locations, by which their origins are found."""
        for one in copy.operations() if copy.regions else (copy,):
            self._located += 1
            one.location = -self._located

    def copy_function(self) -> bool:
        """Makes the copy of the function. False if operations that are kept read a value that is left out and has no
        counterpart in their place."""
        layers, mapping = self._layers, self._mapping
        original = layers.function
        block = Block()
        for argument in original.body.arguments:
            new = block.add_argument(argument.type, argument.location)
            if self._kept.has(argument):
                mapping[argument] = new
        terminator = layers.operations[-1]
        copies = self.copies
        for number in self._kept.numbers[:-1]:
            op = layers.operations[number]
            try:
                operands = [mapping[value] for value in op.operands]
            except KeyError:
                operands = None
            if operands is not None and not op.regions and not op.successors:
                self._located += 1
                made = rewriting.made_alike(op, operands, -self._located)
                for result, new_result in zip(op.results, made.results, strict=True):
                    mapping[result] = new_result
            else:
                substitutes = self._substitutes(op, number)
                if substitutes is None:
                    return False
                mapping.update(substitutes)
                made = rewriting.clone(op, mapping)
                self.locate(made)
                for value in substitutes:
                    del mapping[value]
            copies[op] = made
            rewriting.append(block, made)
        returned = self._kept.returned
        end = rewriting.create(
            terminator.name,
            [mapping[terminator.operands[index]] for index in returned],
            (),
            terminator.properties,
            terminator.attributes,
        )
        self.locate(end)
        rewriting.append(block, end)
        self.copies[terminator] = end
        places = {index: place for place, index in enumerate(returned)}
        for value, other in mapping.items():
            if len(other._uses) > 1 and not self._order_uses(value, other, places):
                return False
        type = function_type(original)
        results = [type.results[index] for index in returned]
        attributes = [result_attributes(original, index) for index in returned]
        properties = original.properties.with_("function_type", FunctionType(type.inputs, results))
        properties = with_entry_attributes(properties, "res_attrs", attributes)
        self.made = rewriting.create(original.name, (), (), properties, original.attributes, (Region([block]),))
        self._located += 1
        self.made.location = -self._located
        return True

    def _substitutes(self, op: Operation, number: int) -> dict[Value, Value] | None:
        """For operands of ``op``, operation ``number``, that are left out, the copies that it reads instead: those of
        the counterparts on the other side of the splice point. None if an operand has no such counterpart."""
        mapping, layers = self._mapping, self._layers
        found: dict[Value, Value] = {}
        for value in op.operands:
            if value not in mapping:
                # Layers 2 to 9 are left out: layer 10 reads layer 1 instead of 9, and layer 1 reads 10 instead of 2.
                layer = layers.layer(number)
                is_above = layer is not None and layer >= self._end
                distance = self._first - self._end if is_above else self._end - self._first
                substitute: Value | None
                if isinstance(value, OpResult) and value in layers.carried:
                    substitute = layers.carried_from(value, self._stays)
                else:
                    substitute = None if layer is None else layers.counterpart_of_value(value, distance)
                if substitute is None or substitute not in mapping:
                    return None
                found[value] = mapping[substitute]
        if op.regions:
            own = layers.function.body
            read = (value for one in op.walk() if one is not op for value in one.operands)
            if any(value.parent_block is own and value not in mapping for value in read):
                return None
        return found

    def _order_uses(self, value: Value, copy: Value, places: dict[int, int]) -> bool:
        """Brings the uses of ``copy``, the copy of ``value``, into the order of those of ``value``; False if that is
        not possible. Propagation goes through uses in their order, so it has to be that of the whole program."""
        layers, copies = self._layers, self.copies
        if value.parent_block is not layers.function.body:
            return True
        numbers = [layers.numbers.get(user, -1) for user, _ in value._uses]
        if numbers[0] >= 0 and numbers == sorted(numbers):
            # The uses of ``value`` stand in the order of the text, and so do those of ``copy``, as they were made.
            return True
        uses: list[Use] = []
        for user, index in value._uses:
            number = layers.numbers.get(user)
            if number is None:
                return False
            if user is layers.operations[-1]:
                uses.append((copies[user], places[index]))
                continue
            if self._stays[number]:
                uses.append((copies[user], index))
                continue
            layer = layers.layer(number)
            if layer is None or self._first + layers.reach <= layer < self._end - layers.reach:
                continue
            # Its counterpart on the other side of the splice point may read ``copy`` in its place.
            for distance in (self._first - self._end, self._end - self._first):
                other = layers.counterpart(number, distance)
                made = None if other is None else copies.get(other)
                if other is None or made is None or other.operands[index] is value:
                    continue
                if made.operands[index] is copy:
                    uses.append((made, index))
        if len(uses) != len(copy._uses) or any(use not in copy._uses for use in uses):
            return False
        rewriting.order_uses(copy, uses)
        return True
