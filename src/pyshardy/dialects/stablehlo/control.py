"""The rows of operations that compute nothing themselves: collectives, control flow, calls, and transfers with hosts.

Forms that an ``Assembly`` cannot express are in ``while_text`` and ``barrier_text``.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.dialects.stablehlo.barrier_text import parse_optimization_barrier, print_optimization_barrier
from pyshardy.dialects.stablehlo.row import family, row
from pyshardy.dialects.stablehlo.verification import verify_composite
from pyshardy.dialects.stablehlo.while_text import argument_names, parse_while, print_while
from pyshardy.ir.attributes import IntegerAttr
from pyshardy.ir.opdef import (
    COLLECTIVE,
    DATA_FLOW,
    DATA_MOVEMENT,
    ISOLATED,
    NO_SHARDING_RULE,
    PURE,
    RECURSIVE_EFFECTS,
    SINGLE_BLOCK,
    TERMINATOR,
    OpDef,
)
from pyshardy.ir.operation import Operation

_ANY = (0, None)
_SOME = (1, None)
_WITH_BODY = RECURSIVE_EFFECTS | SINGLE_BLOCK


def _has_no_side_effect(op: Operation) -> bool:
    value = op.properties.get("has_side_effect")
    return not (isinstance(value, IntegerAttr) and value.value)


ROWS: Sequence[OpDef] = [
    *family(
        "collectives",
        row(
            "all_gather",
            None,
            _ANY,
            _ANY,
            required="all_gather_dim replica_groups",
            optional="channel_handle use_global_device_ids",
            traits=COLLECTIVE,
        ),
        row(
            "all_reduce",
            None,
            _ANY,
            _ANY,
            required="replica_groups",
            optional="channel_handle use_global_device_ids",
            regions=1,
            traits=COLLECTIVE | SINGLE_BLOCK,
        ),
        row(
            "reduce_scatter",
            None,
            required="scatter_dimension replica_groups",
            optional="channel_handle use_global_device_ids",
            regions=1,
            traits=COLLECTIVE,
        ),
        row(
            "all_to_all",
            None,
            _ANY,
            _ANY,
            required="split_dimension concat_dimension split_count replica_groups",
            optional="channel_handle",
            traits=COLLECTIVE,
        ),
        row(
            "collective_broadcast",
            None,
            _ANY,
            _ANY,
            required="replica_groups",
            optional="channel_handle has_dynamic_root",
            traits=COLLECTIVE,
        ),
        row("collective_permute", None, required="source_target_pairs", optional="channel_handle", traits=COLLECTIVE),
        row(
            "collective_reduce",
            None,
            _ANY,
            _ANY,
            required="replica_groups",
            optional="channel_handle has_dynamic_root use_global_device_ids",
            regions=1,
            traits=COLLECTIVE | SINGLE_BLOCK,
        ),
        row("cross-replica-sum", None, required="replica_groups", traits=COLLECTIVE | PURE),
    ),
    *family(
        "control_flow",
        row("after_all", "%* {} : same-type", _ANY),
        row("async_done", None, traits=0),
        row("async_start", None, _ANY, 1, regions=1, traits=ISOLATED | SINGLE_BLOCK),
        row("case", None, 1, _ANY, regions=_ANY, traits=_WITH_BODY | DATA_FLOW),
        row("if", None, 1, _ANY, regions=2, traits=_WITH_BODY),
        row(
            "optimization_barrier",
            (parse_optimization_barrier, print_optimization_barrier),
            _ANY,
            _ANY,
            traits=PURE | DATA_FLOW | DATA_MOVEMENT,
        ),
        row("return", "%* {} : operand-types", _ANY, 0, traits=PURE | TERMINATOR),
        row(
            "while",
            (parse_while, print_while),
            _ANY,
            _ANY,
            regions=2,
            traits=_WITH_BODY | DATA_FLOW,
            argument_names=argument_names,
        ),
    ),
    *family(
        "calls",
        row(
            "composite",
            "<name:string> %* {} : functional-type",
            _ANY,
            _ANY,
            required="name decomposition",
            optional="composite_attributes version",
            regions=_ANY,
            traits=NO_SHARDING_RULE,
            symbol_verifiers=(verify_composite,),
        ),
        row(
            "custom_call",
            "<call_target_name:symbol>(%...) {} : functional-type",
            _ANY,
            _ANY,
            required="call_target_name",
            optional="api_version backend_config called_computations has_side_effect operand_layouts "
            "output_operand_aliases result_layouts",
            traits=0,
            is_pure=_has_no_side_effect,
        ),
        row("get_tuple_element", "%0[<index:i32>] {} : functional-type", required="index", traits=PURE | DATA_MOVEMENT),
        row("infeed", None, 1, _ANY, optional="infeed_config layout", traits=0),
        row("outfeed", None, _SOME, optional="outfeed_config", traits=0),
        row(
            "recv",
            None,
            1,
            _ANY,
            required="channel_handle",
            optional="is_host_transfer source_target_pairs",
            traits=COLLECTIVE,
        ),
        row(
            "send",
            None,
            _SOME,
            required="channel_handle",
            optional="is_host_transfer source_target_pairs",
            traits=COLLECTIVE,
        ),
        row("tuple", "%* {} : tuple-result", _ANY, traits=PURE | DATA_MOVEMENT),
    ),
]
