"""Localizes calls: a function is partitioned once for each tuple of argument layouts; one with a single call is
inlined.

The layouts that a function declares for its arguments are used where that reshard moves nothing; otherwise it takes the
operands as they are.
"""

from __future__ import annotations

from pyshardy.dialects.func import callee
from pyshardy.emitting.layout import Layout, local_type
from pyshardy.emitting.sharded import Sharded
from pyshardy.ir.attributes import SymbolRefAttr
from pyshardy.ir.operation import Operation
from pyshardy.partitioning.layouts.reshard import reshard_bytes
from pyshardy.partitioning.localizing.registry import localizes
from pyshardy.partitioning.localizing.site import Site


@localizes("func.call")
def _call(site: Site) -> list[Sharded]:
    return _call_function(site, site.run.functions[callee(site.op)])


@localizes("stablehlo.composite")
def _composite(site: Site) -> list[Sharded]:
    """A composite is a call of its decomposition."""
    name = site.op.properties.get("decomposition")
    function = site.run.functions.get(name.root) if isinstance(name, SymbolRefAttr) else None
    return site.fall_back() if function is None else _call_function(site, function)


def _call_function(site: Site, function: Operation) -> list[Sharded]:
    """A call of ``function`` with the operands in the layouts that it declares, where that moves nothing, otherwise in
    their own."""
    run = site.run
    if run.is_called_once(function):
        return _inlined(site, function)
    declared = run.requested.for_arguments(function)
    layouts: list[Layout] = []
    for operand, layout in zip(site.operands, declared, strict=True):
        operand_layout = operand.layout.reduced()
        layouts.append(operand_layout if layout is None or reshard_bytes(operand, layout) > 0 else layout)
    operands = list(map(site.reshard, site.operands, layouts))
    special = run.specialized(function, tuple(layouts))
    types = [local_type(result.type, layout) for result, layout in zip(site.op.results, special.results, strict=True)]
    made = site.builder.create(
        "func.call",
        [operand.value for operand in operands],
        types,
        {"callee": SymbolRefAttr(special.name)},
        site.attributes(),
    )
    return [site.result(index, value, special.results[index]) for index, value in enumerate(made.results)]


def _inlined(site: Site, function: Operation) -> list[Sharded]:
    """The body in the place of its only call. Arguments keep all versions of the operands."""
    run = site.run
    run.env.update(zip(function.body.arguments, site.operands, strict=True))
    run.origins.update(zip(function.body.arguments, site.op.operands, strict=True))
    terminator = run.emit_operations(function.body)
    run.origins.update(zip(site.op.results, terminator.operands, strict=True))
    return [run.env[value] for value in terminator.operands]
