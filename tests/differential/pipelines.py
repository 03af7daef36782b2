"""The named pipelines that random programs are put through, each with the features that its programs need."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pyshardy.ir.passes import Pipeline
from pyshardy.ir.pipeline_text import parse_pipeline
from tests.generator import Features


@dataclass(frozen=True)
class NamedPipeline:
    """A pipeline of passes, and what may stand in the programs that it is tried on."""

    name: str
    passes: str
    features: Features

    @property
    def text(self) -> str:
        """The pipeline in MLIR's textual form."""
        return f"builtin.module({self.passes})"


_ANY = Features()
_PLAIN_EDGES = "sdy-add-data-flow-edges"
# Import adds the edges of named computations itself, so the user's own may not stand in the program.
_IMPORTABLE = Features(named_computations=0.0, calls=1.0)
_IMPORT = "sdy-add-data-flow-edges,sdy-flatten-call-graph,symbol-dce,sdy-import-func-calls,symbol-dce"
_CLOSABLE = Features(priorities=0.0)
_POPULATED = replace(
    _ANY,
    shapes=4.0,
    contractions=3.0,
    reductions=3.0,
    indexing=3.0,
    linear_algebra=2.0,
    custom_calls=1.5,
    sharding_rules=0.05,
)
_BARRED = replace(_ANY, propagation_barriers=0.4)
_CROWDED = replace(_ANY, operations=24, operation_shardings=0.3, priorities=0.7, sub_axes=0.4, divisible=0.4)
_REGIONS = replace(
    _ANY,
    loops=1.0,
    branches=0.8,
    optimization_barriers=0.6,
    named_computations=0.6,
    manual_computations=0.8,
    forgotten_manual_axes=0.15,
)
_ODD = replace(
    _CROWDED, odd_meshes=0.4, second_mesh=0.5, device_ids=0.4, unreduced_axes=0.2, sharding_rules=0.25, custom_calls=2.0
)
_CONSTANTS = replace(_ANY, constants=4.0, shapes=3.0, named_computations=0.5)
_CONSTRAINED = replace(_ANY, constraints=4.0, manual_computations=0.8)
_CALLING = Features(calls=3.0, named_computations=0.2, uncalled_functions=0.5)
_MESHES = replace(
    _ANY,
    equal_meshes=0.4,
    inlined_meshes=0.4,
    size_one_axes=0.4,
    odd_meshes=0.3,
    second_mesh=0.3,
    mesh_axes_groups=0.5,
    collectives=1.0,
    manual_computations=0.6,
    operation_shardings=0.3,
    uncalled_functions=0.3,
)
_NAMED_MESHES = replace(_MESHES, mesh_axes_groups=0.0)
_MANUAL = replace(
    _ANY,
    manual_computations=2.0,
    shuffled_manual_axes=0.5,
    forgotten_manual_axes=0.3,
    size_one_axes=0.4,
    equal_meshes=0.3,
    inlined_meshes=0.2,
    odd_meshes=0.2,
)
_GROUPED = replace(_ANY, sharding_groups=2.0, tangled_groups=0.8, manual_computations=0.5, calls=0.5)
_COUNTED = replace(_ANY, iota_indexing=2.5, dead_operations=0.4, constants=1.5)
_FUNCTIONS = replace(
    _ANY,
    calls=3.0,
    result_shardings=0.5,
    operation_shardings=0.3,
    second_mesh=0.3,
    equal_meshes=0.2,
    inlined_meshes=0.05,
    odd_meshes=0.1,
    unreduced_axes=0.1,
    uncalled_functions=0.4,
    shuffled_functions=0.5,
)
_COPIES = replace(_FUNCTIONS, copied_functions=0.5)
_WHOLE = replace(
    _FUNCTIONS,
    named_computations=0.0,
    sharding_groups=0.3,
    tangled_groups=0.5,
    size_one_axes=0.2,
    manual_computations=0.4,
    forgotten_manual_axes=0.2,
    shuffled_manual_axes=0.3,
    constraints=1.0,
)
_SHARED = replace(_WHOLE, named_computations=0.3)
_EXPORTED = replace(_WHOLE, unreduced_axes=0.01)
_WITHOUT_OPERATIONS = replace(
    _NAMED_MESHES, constraints=0.0, reshards=0.0, named_computations=0.0, manual_computations=0.0
)
_UNEVEN = replace(
    _FUNCTIONS, divisible=0.3, sub_axes=0.5, inlined_meshes=0.2, size_one_axes=0.3, manual_computations=0.6
)
_FOLDABLE = replace(
    _ANY,
    constants=2.0,
    reshards=1.5,
    constraints=0.3,
    sharding_collectives=2.0,
    dead_operations=0.4,
    manual_computations=0.0,
)
_RESHARDED = replace(
    _FUNCTIONS,
    priorities=0.0,
    inlined_meshes=0.0,
    operation_shardings=0.8,
    contractions=3.0,
    shapes=3.0,
    calls=1.0,
    sharding_groups=0.2,
    manual_computations=0.4,
    propagation_barriers=0.3,
    device_ids=0.3,
    replicated_axes=0.0,
    unreduced_axes=0.0,
)
_FULLY_RESHARDED = replace(_RESHARDED, odd_meshes=0.0)
# With axes that are no powers of two, and two names of a mesh, the reference loses its way: see `test_collectives`.
_COLLECTED = replace(
    _FULLY_RESHARDED, binary_meshes=1.0, crowded_dimensions=0.3, sub_axes=0.4, divisible=0.5, equal_meshes=0.0
)
_CONVERTED = replace(_COLLECTED, reshards=6.0, operation_shardings=0.5, constraints=1.0)
_UNREDUCED = replace(_RESHARDED, unreduced_axes=0.05, second_mesh=0.0, reshards=1.5)
_SPLIT = "sdy-constant-or-scalar-splitter"
_SINK = "func.func(sdy-sink-data-flow-edges)"
_USER = "sdy-user-priority-propagate"
_SINK_CALLS = "func.func(sdy-sink-func-data-flow-edges)"
_BATCHING = "func.func(sdy-explicit-gather-scatter-batching)"
_CANONICALIZE = "canonicalize{{enable-patterns={} region-simplify=aggressive top-down=false}}"
_RESHARD = "func.func(sdy-insert-explicit-reshards)"
_RESHARD_FULLY = "func.func(sdy-insert-explicit-reshards{enable-full-version=true})"
_COLLECT = "func.func(sdy-reshard-to-collectives)"
_COLLECT_KEEPING = "func.func(sdy-reshard-to-collectives{keep-redundant-reshards=true})"
_EXPORT_COLLECTIVES = "sdy-export-pipeline{enable-insert-explicit-collectives=true}"
_AROUND_COPIES = (
    "sdy-import-pipeline,sdy-flatten-call-graph,symbol-dce,sdy-import-func-calls,symbol-dce,"
    f"sdy-apply-sharding-constraints,sdy-sharding-group-import,sdy-pre-order-funcs,{_USER}{{keep-sharding-rules=true}},"
    "sdy-export-named-computations,sdy-propagate-to-func-results,sdy-unflatten-call-graph,symbol-dce,"
    f"sdy-insert-func-call-reshards,{_SINK}"
)
_AROUND_SHARED = (
    "sdy-import-pipeline{dedup-functions-fully=true},sdy-add-func-data-flow-edges,sdy-pre-order-funcs,"
    f"{_USER}{{keep-sharding-rules=true}},sdy-propagate-to-func-results,{_SINK_CALLS},sdy-unflatten-call-graph,"
    f"symbol-dce,sdy-insert-func-call-reshards,{_SINK}"
)

_ORIGINS, _EDGES = "debug-sharding-origins=true", "debug-propagation-edge-sharding=true"
_BOTH = f"{_ORIGINS} {_EDGES}"
_KEEP_ORIGINS, _KEEP_EDGES = "sink-debug-sharding-origins=true", "sink-debug-propagation-edge-sharding=true"
# The reference often reads freed memory where an axis comes from a sharding that has no name.
_TRACED = replace(_ANY, operation_shardings=0.0, named_computations=0.0, reshards=0.0)
# It refuses what it writes on the edges of loops and branches.
_STRAIGHT = replace(_TRACED, loops=0.0, branches=0.0)

_MIXED = replace(_ANY, named_computations=0.0, calls=1.0, sharding_groups=0.2, propagation_barriers=0.2)


def _spelled_out(pipeline: str) -> str:
    """The passes that a named pipeline stands for, without dumps: the reference lacks most of its options."""
    return ",".join(_texts(parse_pipeline(pipeline)))


def _texts(pipeline: Pipeline) -> Iterator[str]:
    for item in pipeline.items:
        if isinstance(item, Pipeline):
            yield f"{item.anchor}({','.join(_texts(item))})"
        elif item.name != "sdy-save-module":
            yield item.text()


def _whole(name: str, options: str, features: Features) -> NamedPipeline:
    return NamedPipeline(name, _spelled_out(f"sdy-propagation-pipeline{{{options}}}"), features)


def _propagation(name: str, propagate: str, features: Features = _ANY) -> NamedPipeline:
    return NamedPipeline(name, f"{_PLAIN_EDGES},{propagate}", features)


PIPELINES: dict[str, NamedPipeline] = {
    pipeline.name: pipeline
    for pipeline in (
        NamedPipeline("nothing", "", _ANY),
        _propagation("basic", "sdy-basic-propagate"),
        _propagation("basic-keeping-rules", "sdy-basic-propagate{keep-sharding-rules=true}", _POPULATED),
        _propagation("basic-conservative", "sdy-basic-propagate{conservative-propagation=true}", _POPULATED),
        _propagation("aggressive", "sdy-aggressive-propagate"),
        _propagation("aggressive-basic-strategy", "sdy-aggressive-propagate{propagation-strategy=basic}", _CROWDED),
        _propagation(
            "aggressive-both", "sdy-aggressive-propagate{propagation-strategy=basic-then-aggressive}", _CROWDED
        ),
        _propagation("operation-priority", "sdy-op-priority-propagate", _BARRED),
        _propagation(
            "operation-priority-off",
            "sdy-op-priority-propagate{run-op-priority-propagation=false keep-sharding-rules=true}",
            _CROWDED,
        ),
        _propagation("user-priority", _USER),
        _propagation("user-priority-crowded", _USER, _CROWDED),
        _propagation("user-priority-regions", _USER, _REGIONS),
        _propagation("user-priority-odd", _USER, _ODD),
        _propagation("basic-odd", "sdy-basic-propagate{keep-sharding-rules=true}", replace(_ODD, operations=6)),
        _propagation(
            "user-priority-conservative", f"{_USER}{{conservative-propagation=true keep-sharding-rules=true}}", _BARRED
        ),
        NamedPipeline("user-priority-without-edges", _USER, replace(_ANY, manual_computations=0.0)),
        NamedPipeline("populate", "func.func(sdy-populate-op-sharding-rules)", _POPULATED),
        NamedPipeline(
            "populate-conservative",
            "func.func(sdy-populate-op-sharding-rules{conservative-propagation=true})",
            _POPULATED,
        ),
        NamedPipeline("symbol-dce", "symbol-dce", _CALLING),
        NamedPipeline("add-edges", _PLAIN_EDGES, _REGIONS),
        NamedPipeline("flatten", "sdy-flatten-call-graph", _CALLING),
        NamedPipeline("import-calls", "sdy-flatten-call-graph,sdy-import-func-calls", _CALLING),
        NamedPipeline("import-calls-after-edges", _IMPORT, _IMPORTABLE),
        NamedPipeline("export-named", "sdy-export-named-computations", replace(_ANY, named_computations=1.5)),
        NamedPipeline(
            "import-and-export",
            "sdy-flatten-call-graph,symbol-dce,"
            "sdy-import-func-calls{add-data-flow-edges-on-named-computations=false},symbol-dce,"
            "sdy-export-named-computations",
            _CALLING,
        ),
        NamedPipeline("sink-edges", f"{_PLAIN_EDGES},{_SINK}", _REGIONS),
        NamedPipeline("propagate-and-sink", f"{_PLAIN_EDGES},{_USER},{_SINK}", _REGIONS),
        NamedPipeline("close", "sdy-close-shardings", _CLOSABLE),
        NamedPipeline("close-with-priorities", "sdy-close-shardings", _ANY),
        NamedPipeline("split-constants", _SPLIT, _CONSTANTS),
        NamedPipeline("merge-constants", "func.func(sdy-constant-or-scalar-merger)", _CONSTANTS),
        NamedPipeline(
            "split-propagate-merge",
            f"{_SPLIT},symbol-dce,{_PLAIN_EDGES},{_USER},func.func(sdy-constant-or-scalar-merger),{_SINK}",
            _CONSTANTS,
        ),
        NamedPipeline("apply-constraints", "sdy-apply-sharding-constraints", _CONSTRAINED),
        NamedPipeline(
            "everything",
            f"symbol-dce,{_SPLIT},symbol-dce,{_IMPORT},sdy-apply-sharding-constraints,"
            f"{_USER}{{keep-sharding-rules=true}},sdy-export-named-computations,symbol-dce,"
            f"func.func(sdy-constant-or-scalar-merger),{_SINK}",
            _IMPORTABLE,
        ),
        NamedPipeline(
            "everything-closed",
            f"symbol-dce,{_SPLIT},symbol-dce,{_IMPORT},sdy-apply-sharding-constraints,{_USER},"
            f"sdy-export-named-computations,symbol-dce,func.func(sdy-constant-or-scalar-merger),{_SINK},"
            "sdy-close-shardings",
            replace(_IMPORTABLE, priorities=0.0, constraints=1.5),
        ),
        _propagation("groups", _USER, replace(_ANY, sharding_groups=0.5)),
        _propagation("groups-basic", "sdy-basic-propagate", replace(_ANY, sharding_groups=0.5)),
        # The reference often crashes on these: it keeps references to what it has erased.
        _propagation("dead-operations-with-priorities", _USER, replace(_ANY, dead_operations=0.6)),
        NamedPipeline("lift-meshes", "sdy-lift-inlined-meshes", _MESHES),
        NamedPipeline("lift-meshes-twice", "sdy-lift-inlined-meshes,sdy-lift-inlined-meshes", _MESHES),
        NamedPipeline("inline-meshes", "sdy-inline-meshes", _NAMED_MESHES),
        NamedPipeline("inline-and-lift-meshes", "sdy-inline-meshes,sdy-lift-inlined-meshes", _NAMED_MESHES),
        NamedPipeline("size-one-axes", "sdy-remove-size-one-axes", _MESHES),
        NamedPipeline("manual-axes", "sdy-manual-axes-cleanup", _MANUAL),
        NamedPipeline(
            "clean-meshes-and-propagate",
            "sdy-lift-inlined-meshes,sdy-remove-size-one-axes,sdy-manual-axes-cleanup,"
            f"{_PLAIN_EDGES},sdy-apply-sharding-constraints,{_USER}",
            _MANUAL,
        ),
        NamedPipeline("func-to-call", "sdy-propagate-sharding-from-func-to-call", _FUNCTIONS),
        NamedPipeline("pre-order", "sdy-pre-order-funcs", _FUNCTIONS),
        NamedPipeline("func-edges", "sdy-add-func-data-flow-edges", _FUNCTIONS),
        NamedPipeline("sink-func-edges", f"sdy-add-func-data-flow-edges,{_SINK_CALLS}", _FUNCTIONS),
        NamedPipeline(
            "propagate-through-calls",
            f"sdy-lift-inlined-meshes,{_PLAIN_EDGES},sdy-add-func-data-flow-edges,sdy-pre-order-funcs,{_USER},"
            f"sdy-propagate-to-func-results,{_SINK_CALLS}",
            _FUNCTIONS,
        ),
        NamedPipeline("import-groups", "sdy-sharding-group-import", _GROUPED),
        NamedPipeline("import-groups-twice", "sdy-sharding-group-import,sdy-sharding-group-import", _GROUPED),
        NamedPipeline("import-groups-and-propagate", f"{_PLAIN_EDGES},sdy-sharding-group-import,{_USER}", _GROUPED),
        NamedPipeline("gather-batching", _BATCHING, _COUNTED),
        NamedPipeline("gather-batching-and-propagate", f"{_BATCHING},{_PLAIN_EDGES},{_USER}", _COUNTED),
        NamedPipeline("unflatten", "sdy-unflatten-call-graph", _COPIES),
        NamedPipeline("flatten-and-unflatten", "sdy-flatten-call-graph,sdy-unflatten-call-graph,symbol-dce", _COPIES),
        NamedPipeline(
            "flatten-and-unflatten-fully",
            "sdy-flatten-call-graph,sdy-unflatten-call-graph{dedup-functions-fully=true},symbol-dce",
            _COPIES,
        ),
        NamedPipeline("func-results", "sdy-propagate-to-func-results", _FUNCTIONS),
        NamedPipeline("call-reshards", "sdy-insert-func-call-reshards", _FUNCTIONS),
        NamedPipeline("import", "sdy-import-pipeline", _WHOLE),
        NamedPipeline("import-deduplicating", "sdy-import-pipeline{dedup-functions-fully=true}", _SHARED),
        NamedPipeline("propagation-around-copies", _AROUND_COPIES, _WHOLE),
        NamedPipeline("propagation-around-copies-again", f"{_AROUND_COPIES},{_AROUND_COPIES}", _WHOLE),
        NamedPipeline(
            "propagation-around-copies-sharing-fully",
            _AROUND_COPIES.replace("unflatten-call-graph", "unflatten-call-graph{dedup-functions-fully=true}"),
            replace(_WHOLE, calls=6.0, sharding_groups=0.0, constraints=2.0),
        ),
        NamedPipeline("propagation-around-shared", _AROUND_SHARED, _SHARED),
        NamedPipeline("whole", "sdy-propagation-pipeline", _EXPORTED),
        NamedPipeline("whole-mixed", "sdy-propagation-pipeline", _MIXED),
        _whole("whole-conservative", "conservative-propagation=true keep-sharding-rules=true", _EXPORTED),
        _whole("whole-basic", "propagation-strategy=basic run-op-priority-propagation=false", _EXPORTED),
        _whole("whole-both", "propagation-strategy=basic-then-aggressive", _EXPORTED),
        _whole(
            "whole-for-later",
            "avoid-export-for-partitioning=true update-non-divisible-input-output-shardings=false",
            _WHOLE,
        ),
        _whole("whole-batching", "enable-explicit-gather-scatter-batching=true", replace(_EXPORTED, iota_indexing=2.0)),
        _whole(
            "whole-deduplicating-for-later", "dedup-functions-fully=true avoid-export-for-partitioning=true", _WHOLE
        ),
        NamedPipeline("whole-deduplicating", "sdy-propagation-pipeline{dedup-functions-fully=true}", _EXPORTED),
        _propagation("dead-operations", _USER, replace(_ANY, dead_operations=0.6, priorities=0.0)),
        NamedPipeline("remove-groups", "sdy-remove-sharding-groups", _GROUPED),
        NamedPipeline("constraints-to-reshards", "func.func(sdy-sharding-constraint-to-reshard)", _CONSTRAINED),
        NamedPipeline("even-boundary", "sdy-update-non-divisible-input-output-shardings", _UNEVEN),
        NamedPipeline("full-axes-boundary", "sdy-remove-sub-axes-in-input-output-shardings", _UNEVEN),
        NamedPipeline("drop-shardings", "sdy-drop-sharding-and-mesh", _WITHOUT_OPERATIONS),
        NamedPipeline("drop-inlined-shardings", "sdy-inline-meshes,sdy-drop-sharding-and-mesh", _NAMED_MESHES),
        NamedPipeline("canonicalize", "canonicalize", _FOLDABLE),
        NamedPipeline("canonicalize-bottom-up", "canonicalize{top-down=false region-simplify=aggressive}", _FOLDABLE),
        NamedPipeline("canonicalize-merging", "canonicalize{cse-between-iterations=true}", _FOLDABLE),
        NamedPipeline("canonicalize-reshards", _CANONICALIZE.format("sdy-reshard"), _FOLDABLE),
        NamedPipeline("canonicalize-collectives", _CANONICALIZE.format("sdy-collective"), _FOLDABLE),
        NamedPipeline(
            "export-calls", "sdy-export-pipeline{avoid-reshards-on-calls=true}", replace(_RESHARDED, calls=3.0)
        ),
        NamedPipeline(
            "export-with-debug-info",
            f"{_PLAIN_EDGES},{_USER}{{{_BOTH}}},"
            "sdy-export-pipeline{dump-propagation-edges=true dump-sharding-origins=true keep-sharding-rules=true}",
            replace(_STRAIGHT, unreduced_axes=0.0),
        ),
        NamedPipeline(
            "remove-debug-info",
            f"{_PLAIN_EDGES},{_USER}{{{_BOTH}}},{_SINK},sdy-remove-propagation-debug-info",
            replace(_STRAIGHT, manual_computations=0.6),
        ),
        NamedPipeline("drop-rules", "func.func(sdy-drop-sharding-rules)", replace(_POPULATED, sharding_rules=0.5)),
        NamedPipeline(
            "populate-and-drop-rules",
            "func.func(sdy-populate-op-sharding-rules,sdy-drop-sharding-rules)",
            replace(_POPULATED, sharding_rules=0.3),
        ),
        NamedPipeline(
            "import-calls-without-edges",
            "sdy-flatten-call-graph,sdy-import-func-calls{add-data-flow-edges-on-named-computations=false}",
            _FUNCTIONS,
        ),
        NamedPipeline(
            "split-batch-and-clean",
            f"{_SPLIT},{_BATCHING},symbol-dce,sdy-manual-axes-cleanup",
            replace(_COUNTED, calls=0.5),
        ),
        NamedPipeline("explicit-reshards", _RESHARD, replace(_RESHARDED, manual_computations=0.0)),
        NamedPipeline("explicit-reshards-unreduced", f"sdy-close-shardings,{_RESHARD}", _UNREDUCED),
        NamedPipeline(
            "closed-and-resharded", f"sdy-close-shardings,{_RESHARD},{_CANONICALIZE.format('sdy-reshard')}", _RESHARDED
        ),
        NamedPipeline("export", "sdy-export-pipeline", _RESHARDED),
        NamedPipeline("export-again", "sdy-export-pipeline,sdy-export-pipeline", _RESHARDED),
        NamedPipeline("export-for-later", "sdy-export-pipeline{avoid-export-for-partitioning=true}", _RESHARDED),
        NamedPipeline(
            "export-with-rules",
            "sdy-export-pipeline{keep-sharding-rules=true update-non-divisible-input-output-shardings=false}",
            _RESHARDED,
        ),
        NamedPipeline("propagate-and-export", f"{_AROUND_COPIES},sdy-export-pipeline", _EXPORTED),
        NamedPipeline(
            "propagate-shared-and-export",
            f"{_AROUND_SHARED},sdy-export-pipeline",
            replace(_EXPORTED, named_computations=0.3),
        ),
        NamedPipeline("explicit-reshards-full", f"sdy-close-shardings,{_RESHARD_FULLY}", _FULLY_RESHARDED),
        NamedPipeline("explicit-reshards-full-unreduced", f"sdy-close-shardings,{_RESHARD_FULLY}", _UNREDUCED),
        NamedPipeline(
            "explicit-reshards-full-open",
            _RESHARD_FULLY,
            replace(_FULLY_RESHARDED, manual_computations=0.0, sub_axes=0.5),
        ),
        NamedPipeline(
            "explicit-reshards-full-crowded",
            f"sdy-close-shardings,{_RESHARD_FULLY}",
            replace(
                _FULLY_RESHARDED, crowded_dimensions=0.5, divisible=0.2, sub_axes=0.5, device_ids=0.5, second_mesh=0.5
            ),
        ),
        NamedPipeline(
            "explicit-reshards-full-regions",
            f"sdy-close-shardings,{_RESHARD_FULLY},{_CANONICALIZE.format('sdy-reshard')}",
            replace(
                _FULLY_RESHARDED,
                loops=1.0,
                branches=0.8,
                optimization_barriers=0.8,
                named_computations=0.8,
                manual_computations=1.0,
                equal_meshes=0.0,
            ),
        ),
        NamedPipeline(
            "explicit-reshards-full-maximal",
            f"sdy-close-shardings,{_RESHARD_FULLY}",
            replace(_RESHARDED, odd_meshes=0.6),
        ),
        NamedPipeline("collectives", f"sdy-close-shardings,{_RESHARD_FULLY},{_COLLECT}", _COLLECTED),
        NamedPipeline("collectives-keeping-redundant-reshards", f"{_COLLECT_KEEPING}", _CONVERTED),
        NamedPipeline("collectives-of-reshards", _COLLECT, _CONVERTED),
        NamedPipeline("export-collectives", _EXPORT_COLLECTIVES, _COLLECTED),
        NamedPipeline(
            "export-collectives-for-matmul",
            _EXPORT_COLLECTIVES.replace("=true", "=true remove-all-gather-reduce-scatter-for-cmv1=true"),
            replace(_COLLECTED, contractions=5.0, reductions=0.3, indexing=0.3),
        ),
        NamedPipeline(
            "propagate-and-export-collectives",
            f"{_AROUND_COPIES},{_EXPORT_COLLECTIVES}",
            replace(
                _EXPORTED,
                binary_meshes=1.0,
                crowded_dimensions=0.2,
                unreduced_axes=0.0,
                size_one_axes=0.0,
                equal_meshes=0.0,
                inlined_meshes=0.0,
                odd_meshes=0.0,
            ),
        ),
        NamedPipeline(
            "propagate-and-reshard-fully", f"{_AROUND_COPIES},sdy-close-shardings,{_RESHARD_FULLY}", _EXPORTED
        ),
        NamedPipeline(
            "debug",
            f"{_PLAIN_EDGES},sdy-apply-sharding-constraints{{{_BOTH}}},{_USER}{{{_BOTH}}}",
            replace(_STRAIGHT, operations=24, priorities=0.7, sub_axes=0.4, constraints=1.5),
        ),
        NamedPipeline(
            "debug-origins",
            f"{_PLAIN_EDGES},sdy-apply-sharding-constraints{{{_ORIGINS}}},{_USER}{{{_ORIGINS}}},"
            f"func.func(sdy-sink-data-flow-edges{{{_KEEP_ORIGINS}}})",
            replace(_TRACED, loops=1.0, branches=0.8, optimization_barriers=0.6, manual_computations=0.8),
        ),
        NamedPipeline(
            "debug-edges",
            f"{_PLAIN_EDGES},{_USER}{{{_EDGES}}},func.func(sdy-sink-data-flow-edges{{{_KEEP_EDGES}}})",
            replace(_ANY, loops=0.05, branches=0.0, named_computations=0.6, manual_computations=0.6),
        ),
        _propagation("debug-basic", f"sdy-basic-propagate{{{_BOTH}}}", replace(_STRAIGHT, sub_axes=0.4)),
        _propagation(
            "debug-edges-twice",
            f"sdy-basic-propagate{{{_EDGES}}},sdy-op-priority-propagate{{{_EDGES}}}",
            replace(_STRAIGHT, operation_shardings=0.2, dead_operations=0.3, priorities=0.0),
        ),
        NamedPipeline(
            "debug-constraints",
            f"{_PLAIN_EDGES},sdy-apply-sharding-constraints{{{_BOTH}}}",
            replace(_TRACED, constraints=4.0, manual_computations=0.8),
        ),
        NamedPipeline(
            "debug-without-edges",
            f"sdy-aggressive-propagate{{{_BOTH} propagation-strategy=basic-then-aggressive}}",
            replace(_TRACED, manual_computations=0.0),
        ),
        _propagation("debug-groups", f"{_USER}{{{_BOTH}}}", replace(_STRAIGHT, sharding_groups=0.5)),
    )
}
