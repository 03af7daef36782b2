"""The pass ``sdy-propagate-to-func-results``: gives the results of functions the shardings of the returned values.

The main function keeps the shardings that the user gave it. The pass runs after propagation and
``export_named_computations``, which makes functions without result shardings.
"""

from __future__ import annotations

from pyshardy.dialects.func import is_declaration, set_result_attributes
from pyshardy.dialects.main_function import functions, main_function
from pyshardy.dialects.sdy.dataflow import SHARDING
from pyshardy.dialects.sdy.placement import sharding_of
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Pass, register_pass


def propagate_to_func_results(module: Operation, context: Context) -> bool:
    """Gives each result of every function but the main one the sharding of the value returned, or none.

    Returns:
        Whether any result had another one.

    Raises:
        PassFailure: ``module`` has no main function.
    """
    changed = False
    main = main_function(module, context)
    for func in functions(module):
        if func is not main and not is_declaration(func):
            before = func.properties
            returned = func.body.terminator.operands
            if returned:
                found = {index: sharding_of(value) for index, value in enumerate(returned)}
                set_result_attributes(func, SHARDING, found)
            changed = changed or func.properties is not before
    return changed


@register_pass("sdy-propagate-to-func-results", on="builtin.module", notes_changes=True)
class PropagateToFuncResults(Pass):
    """Shards the results of all functions but the main one as the values that they return."""

    def apply(self, op: Operation, context: Context) -> bool:
        return propagate_to_func_results(op, context)
