"""Where to find things by name: dialect → module and pass → module, loaded on first use.

Importing the package loads no dialect and no pass. A user's package adds its own through ``register_dialect`` and
``register_pass_class``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from pyshardy.ir.opdef import Dialect, OpDef

if TYPE_CHECKING:
    from pyshardy.ir.passes import NamedPipeline, Pass

DIALECT_MODULES = {
    "arith": "pyshardy.dialects.arith",
    "builtin": "pyshardy.dialects.builtin",
    "cf": "pyshardy.dialects.cf",
    "chlo": "pyshardy.dialects.chlo",
    "func": "pyshardy.dialects.func",
    "sdy": "pyshardy.dialects.sdy.operations",
    "shape": "pyshardy.dialects.shape",
    "stablehlo": "pyshardy.dialects.stablehlo.operations",
    "tensor": "pyshardy.dialects.tensor",
}
"""The module that defines each dialect, as its variable ``DIALECT``."""

PASS_MODULES = {
    "canonicalize": "passes.exporting.canonicalize:Canonicalize",
    "cse": "passes.cse:Cse",
    "inline": "passes.inline:Inline",
    "sdy-add-data-flow-edges": "passes.importing.add_data_flow_edges:AddDataFlowEdges",
    "sdy-add-func-data-flow-edges": "passes.importing.add_func_data_flow_edges:AddFuncDataFlowEdges",
    "sdy-aggressive-propagate": "passes.propagating.aggressive_propagate:AggressivePropagate",
    "sdy-apply-sharding-constraints": "passes.importing.apply_sharding_constraints:ApplyShardingConstraints",
    "sdy-basic-propagate": "passes.propagating.basic_propagate:BasicPropagate",
    "sdy-close-shardings": "passes.exporting.close_shardings:CloseShardings",
    "sdy-constant-merger": "passes.exporting.constant_or_scalar_merger:ConstantOrScalarMerger",
    "sdy-constant-or-scalar-merger": "passes.exporting.constant_or_scalar_merger:ConstantOrScalarMerger",
    "sdy-constant-or-scalar-splitter": "passes.importing.constant_or_scalar_splitter:ConstantOrScalarSplitter",
    "sdy-convert-global-to-local": "passes.partitioning.convert_global_to_local:ConvertGlobalToLocal",
    "sdy-drop-sharding-and-mesh": "passes.exporting.drop_sharding_and_mesh:DropShardingAndMesh",
    "sdy-drop-sharding-rules": "passes.exporting.drop_sharding_rules:DropShardingRules",
    "sdy-explicit-gather-scatter-batching": "passes.importing.explicit_gather_scatter_batching:"
    "ExplicitGatherScatterBatching",
    "sdy-export-named-computations": "passes.exporting.export_named_computations:ExportNamedComputations",
    "sdy-flatten-call-graph": "passes.importing.flatten_call_graph:FlattenCallGraph",
    "sdy-import-func-calls": "passes.importing.import_func_calls:ImportFuncCalls",
    "sdy-inline-meshes": "passes.importing.inline_meshes:InlineMeshes",
    "sdy-insert-explicit-reshards": "passes.exporting.insert_explicit_reshards:InsertExplicitReshards",
    "sdy-insert-func-call-reshards": "passes.exporting.insert_func_call_reshards:InsertFuncCallReshards",
    "sdy-lift-inlined-meshes": "passes.importing.lift_inlined_meshes:LiftInlinedMeshes",
    "sdy-manual-axes-cleanup": "passes.importing.manual_axes_cleanup:ManualAxesCleanup",
    "sdy-op-priority-propagate": "passes.propagating.op_priority_propagate:OpPriorityPropagate",
    "sdy-pad-for-divisibility": "passes.partitioning.pad_for_divisibility:PadForDivisibility",
    "sdy-per-instruction-partitioning": "passes.partitioning.per_instruction_partitioning:PerInstructionPartitioning",
    "sdy-populate-op-sharding-rules": "passes.importing.populate_op_sharding_rules:PopulateOpShardingRules",
    "sdy-pre-order-funcs": "passes.importing.pre_order_funcs:PreOrderFuncs",
    "sdy-propagate-sharding-from-func-to-call": "passes.importing.propagate_sharding_from_func_to_call:"
    "PropagateShardingFromFuncToCall",
    "sdy-propagate-to-func-results": "passes.exporting.propagate_to_func_results:PropagateToFuncResults",
    "sdy-remove-all-gather-reduce-scatter-for-cmv1": "passes.exporting.remove_all_gather_reduce_scatter_for_cmv1:"
    "RemoveAllGatherReduceScatterForCmv1",
    "sdy-remove-propagation-debug-info": "passes.exporting.remove_propagation_debug_info:RemovePropagationDebugInfo",
    "sdy-remove-sharding-groups": "passes.exporting.remove_sharding_groups:RemoveShardingGroups",
    "sdy-remove-size-one-axes": "passes.importing.remove_size_one_axes:RemoveSizeOneAxes",
    "sdy-remove-sub-axes-in-input-output-shardings": "passes.exporting.remove_sub_axes_in_input_output_shardings:"
    "RemoveSubAxesInInputOutputShardings",
    "sdy-reshard-to-collectives": "passes.exporting.reshard_to_collectives:ReshardToCollectives",
    "sdy-resolve-permutation-factors": "passes.partitioning.resolve_permutation_factors:ResolvePermutationFactors",
    "sdy-resolve-single-device-sharding": "passes.partitioning.resolve_single_device_sharding:"
    "ResolveSingleDeviceSharding",
    "sdy-sharding-constraint-to-reshard": "passes.exporting.sharding_constraint_to_reshard:ShardingConstraintToReshard",
    "sdy-sharding-group-import": "passes.importing.sharding_group_import:ShardingGroupImport",
    "sdy-sink-data-flow-edges": "passes.exporting.sink_data_flow_edges:SinkDataFlowEdges",
    "sdy-sink-func-data-flow-edges": "passes.exporting.sink_func_data_flow_edges:SinkFuncDataFlowEdges",
    "sdy-unflatten-call-graph": "passes.exporting.unflatten_call_graph:UnflattenCallGraph",
    "sdy-update-non-divisible-input-output-shardings": "passes.exporting.update_non_divisible_input_output_shardings:"
    "UpdateNonDivisibleInputOutputShardings",
    "sdy-user-priority-propagate": "passes.propagating.user_priority_propagate:UserPriorityPropagate",
    "sdy-verify-unreduced-axes": "passes.exporting.verify_unreduced_axes:VerifyUnreducedAxes",
    "symbol-dce": "passes.importing.symbol_dce:SymbolDce",
    "view-op-graph": "passes.view_op_graph:ViewOpGraph",
}
"""Pass → file:class below ``pyshardy``."""

PIPELINE_MODULES = {
    "sdy-export-pipeline": "passes.export_pipeline:ExportPipeline",
    "sdy-import-pipeline": "passes.import_pipeline:ImportPipeline",
    "sdy-partitioner": "passes.partitioning.partitioner_pipeline:PartitionerPipeline",
    "sdy-propagation-pipeline": "passes.propagation_pipeline:PropagationPipeline",
}
"""Pipeline → file:class below ``pyshardy``."""

_passes: dict[str, type[Pass] | type[NamedPipeline]] = {}
_generation = 0
_dialects: dict[str, Dialect | None] = {}
_definitions: dict[str, OpDef | None] = {}


def dialect(name: str) -> Dialect | None:
    """The dialect called ``name``, or None if nobody knows it."""
    try:
        return _dialects[name]
    except KeyError:
        path = DIALECT_MODULES.get(name)
        found = import_module(path).DIALECT if path is not None else None
        _dialects[name] = found
        return found


def op_definition(name: str) -> OpDef | None:
    """The definition of the operation ``dialect.op``, or None if it is not registered."""
    try:
        return _definitions[name]
    except KeyError:
        home = dialect(name.partition(".")[0])
        found = home.definitions.get(name) if home is not None else None
        _definitions[name] = found
        return found


def generation() -> int:
    """A number that grows whenever a dialect is registered, for caches of what definitions made."""
    return _generation


def register_dialect(new: Dialect) -> None:
    """Adds a dialect (or replaces the one of that name).

    Operations that exist already keep the definition they were made with.
    """
    global _generation
    _generation += 1
    _dialects[new.name] = new
    for name in [name for name in _definitions if name.startswith(new.name + ".")]:
        del _definitions[name]


def pass_or_pipeline(name: str) -> type[Pass] | type[NamedPipeline] | None:
    """The class of the pass or pipeline called ``name``, or None."""
    if name not in _passes:
        path = PASS_MODULES.get(name) or PIPELINE_MODULES.get(name)
        if path is None:
            return None
        module, _, attribute = path.partition(":")
        _passes[name] = getattr(import_module(f"pyshardy.{module}"), attribute)
    return _passes[name]


def register_pass_class(new: type[Pass]) -> None:
    """Adds a pass (or replaces the one of that name)."""
    _passes[new.name] = new


def pass_names() -> list[str]:
    """Every pass and pipeline that can be named in a pipeline, alphabetically."""
    return sorted({*PASS_MODULES, *PIPELINE_MODULES, *_passes})
