"""The pass ``sdy-unflatten-call-graph``: lets calls share a function again if their copies have equal shardings.

The counterpart of ``importing.flatten_call_graph``, after propagation. Functions with one original name have one body,
so only shardings are compared; ``symbol-dce`` then removes the copies that are not called any more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from pyshardy.dialects.main_function import functions
from pyshardy.dialects.sdy.placement import function_argument_shardings, function_result_shardings, meshes
from pyshardy.ir import rewriting
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.operation_index import operation_index
from pyshardy.ir.passes import Pass, option, register_pass
from pyshardy.passes.call_graph import ORIGINAL_FUNC_NAME, SymbolTable, original_name, set_callee
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorShardingPerValue

FUNC_MANUAL_AXES = "sdy.func_manual_axes"
"""On a copy of a function: the manual axes of the computations around its call."""


def _origin(func: Operation) -> tuple[str, Attribute | None]:
    return original_name(func), func.attributes.get(FUNC_MANUAL_AXES)


_Key = tuple[str, Attribute | None, TensorShardingPerValue | None, TensorShardingPerValue | None]


class _Copies:
    """The functions of one module that calls may share."""

    def __init__(self, module: Operation, calls: list[Operation]) -> None:
        symbols = SymbolTable(module)
        called = ((call, symbols.called_function(call)) for call in calls)
        self.calls = [(call, func) for call, func in called if func is not None]
        self._known_meshes: Mapping[str, Mesh] = meshes(module)
        self._keys: dict[Operation, _Key] = {}

    def key(self, func: Operation) -> _Key:
        """What two copies have in common that are sharded alike."""
        found = self._keys.get(func)
        if found is None:
            arguments = function_argument_shardings(func, self._known_meshes)
            found = (*_origin(func), arguments, function_result_shardings(func, self._known_meshes))
            self._keys[func] = found
        return found

    def share_equal(self) -> None:
        """Makes each call call the first called copy that is sharded alike."""
        self._share(self.key, self._first_of_each(self.key))

    def share_most_frequent(self) -> None:
        """Makes all calls of copies of one function call the copy whose shardings most of them have."""
        chosen = self._first_of_each(_origin)
        counts: Counter[_Key] = Counter()
        for _, func in self.calls:
            key = self.key(func)
            counts[key] += 1
            if counts[key] > counts[self.key(chosen[_origin(func)])]:
                chosen[_origin(func)] = func
        self._share(_origin, chosen)

    def _first_of_each(self, key: Callable[[Operation], object]) -> dict[object, Operation]:
        first: dict[object, Operation] = {}
        for _, func in self.calls:
            first.setdefault(key(func), func)
        return first

    def _share(self, key: Callable[[Operation], object], chosen: Mapping[object, Operation]) -> None:
        for call, func in self.calls:
            name = chosen[key(func)].symbol_name
            assert name is not None
            set_callee(call, name)


@register_pass("sdy-unflatten-call-graph", on="builtin.module", notes_changes=True)
class UnflattenCallGraph(Pass):
    """Lets calls share a function again where its copies are sharded alike."""

    dedup_functions_fully: bool = option(
        False, "share one copy among all calls, the one with the most frequent shardings"
    )

    def apply(self, op: Operation, context: Context) -> bool:
        copies = _Copies(op, operation_index(op, context).named("func.call"))
        before = _dictionaries(op, copies)
        if self.dedup_functions_fully:
            copies.share_most_frequent()
        else:
            copies.share_equal()
        for func in functions(op):
            rewriting.set_attributes(func, func.attributes.without(ORIGINAL_FUNC_NAME, FUNC_MANUAL_AXES))
        return _dictionaries(op, copies) != before


def _dictionaries(module: Operation, copies: _Copies) -> list[DictionaryAttr]:
    """What the pass may change."""
    return [*(call.properties for call, _ in copies.calls), *(func.attributes for func in functions(module))]
