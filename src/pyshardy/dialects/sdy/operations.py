"""The operations of the ``sdy`` dialect, one row each.

``ir.registry`` loads this file; parser, printer and verifier read its rows. How each is written stands in
``operand_text`` and ``region_text``.
"""

from __future__ import annotations

from collections.abc import Iterable

from pyshardy.dialects.sdy.attributes import parse_attribute
from pyshardy.dialects.sdy.operand_text import (
    ALLOWED_DIRECTION,
    GROUP_ID,
    OperandForm,
    Part,
    all_to_all_part,
    axes_part,
    axes_per_dim_part,
    sharding_part,
)
from pyshardy.dialects.sdy.region_text import (
    parse_constant,
    parse_manual_computation,
    parse_mesh_op,
    parse_named_computation,
    parse_return,
    print_constant,
    print_manual_computation,
    print_mesh_op,
    print_named_computation,
    print_return,
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
)

_OUT_SHARDING = sharding_part("out_sharding", "out_sharding")
_COMPUTATION = DATA_FLOW | ISOLATED | RECURSIVE_EFFECTS | SINGLE_BLOCK


def _one_operand(name: str, form: OperandForm, *, traits: int = 0, optional: Iterable[str] = ()) -> OpDef:
    parts = [part for part in (form.before, form.behind) if part is not None]
    names = sorted(part.name for part in parts)
    required = [name for name in names if name not in optional]
    return OpDef(
        f"sdy.{name}",
        operands=1,
        results=1 if form.has_result else 0,
        properties=(*names, "reduction_op") if form.reduction else names,
        required=required,
        traits=traits | SAME_TYPE,
        parse=form.parse,
        print_=form.print_,
    )


def _collective(name: str, axes: Part | None, *, reduction: bool = False) -> OpDef:
    return _one_operand(name, OperandForm(axes, _OUT_SHARDING, reduction, shaped_only=True))


DIALECT = Dialect(
    "sdy",
    [
        OpDef(
            "sdy.mesh",
            operands=0,
            results=0,
            properties=("mesh", "sym_name"),
            required=("mesh", "sym_name"),
            traits=SYMBOL,
            parse=parse_mesh_op,
            print_=print_mesh_op,
        ),
        _one_operand("sharding_constraint", OperandForm(behind=sharding_part("sharding"))),
        _one_operand("reshard", OperandForm(behind=sharding_part("sharding")), traits=PURE),
        _one_operand("sharding_group", OperandForm(behind=GROUP_ID, has_result=False, tensor_only=True)),
        _one_operand(
            "data_flow_edge",
            OperandForm(behind=sharding_part("sharding", "sharding", optional=True), shaped_only=True),
            optional=("sharding",),
        ),
        _one_operand("func_data_flow_edge", OperandForm(shaped_only=True)),
        _one_operand("propagation_barrier", OperandForm(behind=ALLOWED_DIRECTION, tensor_only=True), traits=PURE),
        _collective("all_gather", axes_per_dim_part("gathering_axes")),
        _collective("all_slice", axes_per_dim_part("slicing_axes")),
        _collective("all_to_all", all_to_all_part("params")),
        _collective("collective_permute", None),
        _collective("all_reduce", axes_part("reduction_axes"), reduction=True),
        _collective("reduce_scatter", axes_per_dim_part("reduce_scatter_axes"), reduction=True),
        _collective("sharded_to_unreduced", axes_per_dim_part("axes")),
        _collective("replicated_to_unreduced", axes_part("axes")),
        OpDef(
            "sdy.constant",
            operands=0,
            results=1,
            properties=("value",),
            required=("value",),
            traits=PURE,
            parse=parse_constant,
            print_=print_constant,
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
            traits=_COMPUTATION,
            parse=parse_manual_computation,
            print_=print_manual_computation,
        ),
        OpDef(
            "sdy.named_computation",
            regions=1,
            properties=("in_shardings", "name", "out_shardings"),
            required=("name",),
            traits=_COMPUTATION,
            parse=parse_named_computation,
            print_=print_named_computation,
        ),
    ],
    parse_attribute=parse_attribute,
)
