"""Functions, calls, returns and loops: their types become those of one device."""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.dialects.func import callee, function_type, is_declaration
from pyshardy.dialects.sdy.placement import function_argument_sharding, function_result_sharding
from pyshardy.ir import rewriting
from pyshardy.ir.attributes import EMPTY_DICTIONARY
from pyshardy.ir.operation import Value
from pyshardy.ir.types import FunctionType
from pyshardy.passes.partitioning.global_to_local.conversion import ConversionSite, converts, keep
from pyshardy.passes.partitioning.global_to_local.elementwise import sharding_mismatch
from pyshardy.passes.partitioning.legalization import refuse


@converts("func.func")
def _function(site: ConversionSite) -> None:
    func, walk = site.op, site.walk
    signature = function_type(func)
    inputs = [
        walk.retyped(type, function_argument_sharding(func, index)) for index, type in enumerate(signature.inputs)
    ]
    results = [
        walk.retyped(type, function_result_sharding(func, index)) for index, type in enumerate(signature.results)
    ]
    rewriting.set_properties(func, func.properties.with_("function_type", FunctionType(inputs, results)))
    if not is_declaration(func):
        for argument, type in zip(func.body.arguments, inputs, strict=True):
            rewriting.set_type(argument, type)
    rewriting.make_anew(func)


@converts("func.return")
def _return(site: ConversionSite) -> None:
    func = site.op.parent_op
    assert func is not None
    for index, value in enumerate(site.op.operands):
        wanted = function_result_sharding(func, index)
        message = sharding_mismatch(site, value, f"operand {index}", wanted, f"result {index} of the function")
        if message is not None:
            refuse(message)
    keep(site)


@converts("func.call")
def _call(site: ConversionSite) -> None:
    """Results have the shardings that the call gives them, else those of the function's results. Attributes are
    dropped."""
    op, walk = site.op, site.walk
    name = callee(op)
    func = next((one for one in walk.module.body if one.name == "func.func" and one.symbol_name == name), None)
    if func is not None and site.op.results and not any(result in walk.shardings for result in op.results):
        for index, result in enumerate(op.results):
            sharding = function_result_sharding(func, index)
            if sharding is not None:
                walk.shardings[result] = sharding
    rewriting.set_attributes(op, EMPTY_DICTIONARY)
    keep(site)


@converts("stablehlo.while")
def _while(site: ConversionSite) -> None:
    keep(site)
    for region in site.op.regions:
        _localize_arguments(site, region.blocks[0].arguments)


@converts("sdy.named_computation", "sdy.manual_computation")
def _computation(site: ConversionSite) -> None:
    keep(site)
    _localize_arguments(site, site.op.body.arguments)


def _localize_arguments(site: ConversionSite, arguments: Sequence[Value]) -> None:
    for argument in arguments:
        rewriting.set_type(argument, site.walk.target(argument))
