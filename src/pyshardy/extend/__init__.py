"""The interface for plugins: rows of foreign dialects, and all that goes with them (docs/dialects.md).

Names are resolved when they are used: a plugin that says how its operations are evaluated loads the interpreter only if
a program runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyshardy.analysis.cost.custom_calls import custom_call_cost
    from pyshardy.analysis.cost.operation_costs import OperationCost, operation_cost
    from pyshardy.dialects.assembly import Assembly
    from pyshardy.dialects.sdy.dataflow import DataFlow, register_data_flow
    from pyshardy.dialects.sdy.region_flow import Body, Branches, Loop, Same
    from pyshardy.dialects.stablehlo.trip_count import constant_integer
    from pyshardy.emitting.layout import Layout
    from pyshardy.emitting.sharded import Sharded
    from pyshardy.extend.evaluating import (
        combine_in_groups,
        constant_value,
        in_groups,
        run_branch,
        run_loop,
        run_region,
        send_in_pairs,
    )
    from pyshardy.extend.properties import number, numbers, with_numbers
    from pyshardy.extend.rows import register_dialect
    from pyshardy.interpreter.element_types import Array
    from pyshardy.interpreter.exact.by_rule import EXACT_CHOICE, EXACT_PRODUCT, EXACT_SUM, exact_as
    from pyshardy.interpreter.frame import Frame
    from pyshardy.interpreter.operations.custom_calls import evaluates_custom_call
    from pyshardy.interpreter.registry import evaluates
    from pyshardy.ir.attribute import Attribute
    from pyshardy.ir.context import Context
    from pyshardy.ir.opdef import (
        COLLECTIVE,
        COMMUTATIVE,
        CONSTANT_LIKE,
        DATA_FLOW,
        DATA_MOVEMENT,
        ELEMENTWISE,
        EXPENSIVE,
        ISOLATED,
        NO_SHARDING_RULE,
        PURE,
        RECURSIVE_EFFECTS,
        SAME_TYPE,
        TERMINATOR,
        CollectiveDef,
        Dialect,
        OpDef,
    )
    from pyshardy.ir.operation import BlockArgument, Operation, Value
    from pyshardy.ir.pass_registry import register_pass_class
    from pyshardy.ir.passes import Pass, option, register_pass
    from pyshardy.ir.verifying.verification import Verification
    from pyshardy.partitioning.families.custom_calls import localizes_target
    from pyshardy.partitioning.localizing.registry import localizes
    from pyshardy.partitioning.localizing.site import Site
    from pyshardy.rules.builder import NULL, RuleBuilder
    from pyshardy.rules.properties import enum_case, integer, integer_elements, integers, string
    from pyshardy.rules.registry import custom_call_rule, sharding_rule
    from pyshardy.sharding.rule import FactorKind, OpShardingRule

_OPDEF = "pyshardy.ir.opdef"
_HOMES = {
    "Array": "pyshardy.interpreter.element_types",
    "Frame": "pyshardy.interpreter.frame",
    "Operation": "pyshardy.ir.operation",
    "Value": "pyshardy.ir.operation",
    "BlockArgument": "pyshardy.ir.operation",
    "Attribute": "pyshardy.ir.attribute",
    "Context": "pyshardy.ir.context",
    "Site": "pyshardy.partitioning.localizing.site",
    "Sharded": "pyshardy.emitting.sharded",
    "Layout": "pyshardy.emitting.layout",
    "Verification": "pyshardy.ir.verifying.verification",
    **dict.fromkeys(
        (
            *("COLLECTIVE", "COMMUTATIVE", "CONSTANT_LIKE", "DATA_FLOW", "DATA_MOVEMENT", "ELEMENTWISE", "EXPENSIVE"),
            *("ISOLATED", "NO_SHARDING_RULE", "PURE", "RECURSIVE_EFFECTS", "SAME_TYPE", "TERMINATOR"),
            *("CollectiveDef", "Dialect", "OpDef"),
        ),
        _OPDEF,
    ),
    **dict.fromkeys(("Body", "Branches", "Loop", "Same"), "pyshardy.dialects.sdy.region_flow"),
    **dict.fromkeys(("DataFlow", "register_data_flow"), "pyshardy.dialects.sdy.dataflow"),
    **dict.fromkeys(("EXACT_CHOICE", "EXACT_PRODUCT", "EXACT_SUM", "exact_as"), "pyshardy.interpreter.exact.by_rule"),
    **dict.fromkeys(("OperationCost", "operation_cost"), "pyshardy.analysis.cost.operation_costs"),
    **dict.fromkeys(("number", "numbers", "with_numbers"), "pyshardy.extend.properties"),
    **dict.fromkeys(("Pass", "option", "register_pass"), "pyshardy.ir.passes"),
    **dict.fromkeys(("NULL", "RuleBuilder"), "pyshardy.rules.builder"),
    **dict.fromkeys(("enum_case", "integer", "integer_elements", "integers", "string"), "pyshardy.rules.properties"),
    **dict.fromkeys(("custom_call_rule", "sharding_rule"), "pyshardy.rules.registry"),
    **dict.fromkeys(("FactorKind", "OpShardingRule"), "pyshardy.sharding.rule"),
    **dict.fromkeys(
        (
            *("combine_in_groups", "constant_value", "in_groups", "run_branch", "run_loop", "run_region"),
            "send_in_pairs",
        ),
        "pyshardy.extend.evaluating",
    ),
    "constant_integer": "pyshardy.dialects.stablehlo.trip_count",
    "Assembly": "pyshardy.dialects.assembly",
    "custom_call_cost": "pyshardy.analysis.cost.custom_calls",
    "evaluates": "pyshardy.interpreter.registry",
    "evaluates_custom_call": "pyshardy.interpreter.operations.custom_calls",
    "localizes": "pyshardy.partitioning.localizing.registry",
    "localizes_target": "pyshardy.partitioning.families.custom_calls",
    "register_dialect": "pyshardy.extend.rows",
    "register_pass_class": "pyshardy.ir.pass_registry",
}


__all__ = [
    "COLLECTIVE",
    "COMMUTATIVE",
    "CONSTANT_LIKE",
    "DATA_FLOW",
    "DATA_MOVEMENT",
    "ELEMENTWISE",
    "EXACT_CHOICE",
    "EXACT_PRODUCT",
    "EXACT_SUM",
    "EXPENSIVE",
    "ISOLATED",
    "NO_SHARDING_RULE",
    "NULL",
    "PURE",
    "RECURSIVE_EFFECTS",
    "SAME_TYPE",
    "TERMINATOR",
    "Array",
    "Assembly",
    "Attribute",
    "BlockArgument",
    "Body",
    "Branches",
    "CollectiveDef",
    "Context",
    "DataFlow",
    "Dialect",
    "FactorKind",
    "Frame",
    "Layout",
    "Loop",
    "OpDef",
    "OpShardingRule",
    "Operation",
    "OperationCost",
    "Pass",
    "RuleBuilder",
    "Same",
    "Sharded",
    "Site",
    "Value",
    "Verification",
    "combine_in_groups",
    "constant_integer",
    "constant_value",
    "custom_call_cost",
    "custom_call_rule",
    "enum_case",
    "evaluates",
    "evaluates_custom_call",
    "exact_as",
    "in_groups",
    "integer",
    "integer_elements",
    "integers",
    "load_plugin",
    "localizes",
    "localizes_target",
    "number",
    "numbers",
    "operation_cost",
    "option",
    "register_data_flow",
    "register_dialect",
    "register_pass",
    "register_pass_class",
    "run_branch",
    "run_loop",
    "run_region",
    "send_in_pairs",
    "sharding_rule",
    "string",
    "with_numbers",
]


def load_plugin(path: str) -> None:
    """Runs the Python file at ``path``, a plugin, as ``--plugin`` does.

    Raises:
        PluginProblem: there is no such file, it raises an error, or registers a name that is taken.
    """
    from pyshardy.plugins import load_plugin_file

    load_plugin_file(path)


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'pyshardy.extend' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
