"""The operations of the ``sdy`` dialect, one row each. ``operand_text`` and ``region_text`` have their syntax."""

from __future__ import annotations

from collections.abc import Iterable

from pyshardy.dialects.func import parse_return, print_return
from pyshardy.dialects.sdy.attribute_verification import verify_argument_attribute, verify_attribute
from pyshardy.dialects.sdy.attributes import parse_attribute
from pyshardy.dialects.sdy.collective_verification import (
    all_reduce,
    all_to_all,
    collective,
    collective_permute,
    gathers,
    replicated_to_unreduced,
    sharded_to_unreduced,
    slices,
)
from pyshardy.dialects.sdy.operand_text import (
    ALLOWED_DIRECTION,
    GROUP_ID,
    OperandForm,
    PropertySyntax,
    all_to_all_part,
    axes_part,
    axes_per_dim_part,
    sharding_part,
)
from pyshardy.dialects.sdy.operation_verification import (
    Verifier,
    axes_not_manual_outside,
    body_ends_with_return,
    data_flow_edge,
    func_data_flow_edge,
    in_module,
    inferred_result,
    inferred_results,
    manual_computation,
    named_computation,
    not_both_directions,
    own_sharding,
    ranked_operand,
    shaped_operand,
    static_result,
)
from pyshardy.dialects.sdy.property_kinds import AXES, AXIS_REF_LISTS, AXIS_REFS, KINDS
from pyshardy.dialects.sdy.region_text import (
    parse_constant,
    parse_manual_computation,
    parse_mesh_op,
    parse_named_computation,
    print_constant,
    print_manual_computation,
    print_mesh_op,
    print_named_computation,
)
from pyshardy.ir.opdef import (
    DATA_FLOW,
    ISOLATED,
    PURE,
    RECURSIVE_EFFECTS,
    SAME_TYPE,
    SINGLE_BLOCK,
    SYMBOL,
    TERMINATOR,
    Dialect,
    OpDef,
    PropertyKind,
)

_OUT_SHARDING = sharding_part("out_sharding", "out_sharding")
_COMPUTATION = DATA_FLOW | ISOLATED | RECURSIVE_EFFECTS | SINGLE_BLOCK


def _kinds(names: Iterable[str], axes: PropertyKind | None = None) -> dict[str, PropertyKind]:
    known = KINDS if axes is None else {**KINDS, "axes": axes}
    for name in names:
        if name not in known:
            raise KeyError(f"say in KINDS of dialects/sdy/property_kinds.py what the property {name} may hold")
    return {name: known[name] for name in names}


def _one_operand(
    name: str,
    form: OperandForm,
    *,
    traits: int = 0,
    axes: PropertyKind | None = None,
    verifiers: tuple[Verifier, ...] = (),
    symbol_verifiers: tuple[Verifier, ...] = (),
) -> OpDef:
    parts = [part for part in (form.before, form.behind) if part is not None]
    names = sorted(part.name for part in parts)
    properties = (*names, "reduction_op") if form.reduction else tuple(names)
    return OpDef(
        f"sdy.{name}",
        operands=1,
        results=1 if form.has_result else 0,
        properties=properties,
        required=sorted(part.name for part in parts if not part.optional),
        kinds=_kinds(properties, axes),
        traits=traits | SAME_TYPE,
        parse=form.parse,
        print_=form.print_,
        verifiers=verifiers,
        symbol_verifiers=symbol_verifiers,
    )


_SHARDED_OPERAND = collective()


def _collective(
    name: str,
    part: PropertySyntax | None,
    effect: Verifier,
    *,
    rules: Verifier = _SHARDED_OPERAND,
    reduction: bool = False,
    axes: PropertyKind | None = None,
) -> OpDef:
    if part is not None and axes is None and KINDS.get(part.name, AXIS_REFS) not in AXES:
        # Bytes and tables are told by the axes along which a collective moves.
        raise ValueError(f"sdy.{name}: the property of a collective holds axes, which {part.name} does not")
    return _one_operand(
        name,
        OperandForm(part, _OUT_SHARDING, reduction, shaped_only=True),
        axes=axes,
        verifiers=(shaped_operand, rules),
        # The rules look at the operand's sharding, which may change without a change of the collective.
        symbol_verifiers=(rules, effect),
    )


DIALECT = Dialect(
    "sdy",
    [
        OpDef(
            "sdy.mesh",
            operands=0,
            results=0,
            properties=("mesh", "sym_name"),
            required=("mesh", "sym_name"),
            kinds=_kinds(("mesh", "sym_name")),
            traits=SYMBOL,
            parse=parse_mesh_op,
            print_=print_mesh_op,
            verifiers=(in_module,),
        ),
        _one_operand(
            "sharding_constraint", OperandForm(behind=sharding_part("sharding")), symbol_verifiers=(own_sharding,)
        ),
        _one_operand(
            "reshard",
            OperandForm(behind=sharding_part("sharding")),
            traits=PURE,
            symbol_verifiers=(own_sharding,),
        ),
        _one_operand(
            "sharding_group",
            OperandForm(behind=GROUP_ID, has_result=False, tensor_only=True),
            verifiers=(ranked_operand,),
        ),
        _one_operand(
            "data_flow_edge",
            OperandForm(behind=sharding_part("sharding", "sharding", optional=True), shaped_only=True),
            verifiers=(shaped_operand,),
            symbol_verifiers=(data_flow_edge,),
        ),
        _one_operand(
            "func_data_flow_edge",
            OperandForm(shaped_only=True),
            verifiers=(shaped_operand,),
            symbol_verifiers=(func_data_flow_edge,),
        ),
        _one_operand(
            "propagation_barrier",
            OperandForm(behind=ALLOWED_DIRECTION, tensor_only=True),
            traits=PURE,
            verifiers=(ranked_operand, not_both_directions),
        ),
        _collective("all_gather", axes_per_dim_part("gathering_axes"), gathers("gathering_axes", "gathering")),
        _collective(
            "all_slice",
            axes_per_dim_part("slicing_axes"),
            slices("slicing_axes"),
            rules=collective(operand_is_sharded=False),
        ),
        _collective("all_to_all", all_to_all_part("params"), all_to_all),
        _collective("collective_permute", None, collective_permute, rules=collective(keeps_mesh=False)),
        _collective(
            "all_reduce",
            axes_part("reduction_axes"),
            all_reduce,
            rules=collective(operand_is_sharded=False),
            reduction=True,
        ),
        _collective(
            "reduce_scatter",
            axes_per_dim_part("reduce_scatter_axes"),
            slices("reduce_scatter_axes"),
            rules=collective(operand_is_sharded=False),
            reduction=True,
        ),
        _collective("sharded_to_unreduced", axes_per_dim_part("axes"), sharded_to_unreduced, axes=AXIS_REF_LISTS),
        _collective("replicated_to_unreduced", axes_part("axes"), replicated_to_unreduced, axes=AXIS_REFS),
        OpDef(
            "sdy.constant",
            operands=0,
            results=1,
            properties=("value",),
            required=("value",),
            kinds=_kinds(("value",)),
            traits=PURE,
            parse=parse_constant,
            print_=print_constant,
            verifiers=(static_result, inferred_result),
        ),
        OpDef(
            "sdy.return",
            results=0,
            traits=PURE | TERMINATOR,
            parse=parse_return,
            print_=print_return,
        ),
        OpDef(
            "sdy.manual_computation",
            regions=1,
            properties=("in_shardings", "manual_axes", "out_shardings"),
            required=("in_shardings", "manual_axes", "out_shardings"),
            kinds=_kinds(("in_shardings", "manual_axes", "out_shardings")),
            traits=_COMPUTATION,
            parse=parse_manual_computation,
            print_=print_manual_computation,
            verifiers=(body_ends_with_return, axes_not_manual_outside),
            symbol_verifiers=(manual_computation,),
        ),
        OpDef(
            "sdy.named_computation",
            regions=1,
            properties=("in_shardings", "name", "out_shardings"),
            required=("name",),
            kinds=_kinds(("in_shardings", "name", "out_shardings")),
            traits=_COMPUTATION,
            parse=parse_named_computation,
            print_=print_named_computation,
            verifiers=(body_ends_with_return, inferred_results),
            symbol_verifiers=(named_computation,),
        ),
    ],
    parse_attribute=parse_attribute,
    verify_attribute=verify_attribute,
    verify_argument_attribute=verify_argument_attribute,
)
