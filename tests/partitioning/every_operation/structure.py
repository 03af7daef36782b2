"""What groups, orders and marks: barriers, tuples, tokens, custom calls that do nothing, composites."""

from __future__ import annotations

from tests.partitioning.every_operation.table import add, program
from tests.partitioning.random_layouts import Case, random_shape, tensor


@program("stablehlo.optimization_barrier")
def barriers(case: Case, name: str) -> None:
    types = [tensor(random_shape(case.rng, 3)) for _ in range(2)]
    add(case, name, [case.argument(type) for type in types], types, types)


@program("stablehlo.tuple", "stablehlo.get_tuple_element")
def tuples(case: Case, name: str) -> None:
    types = [tensor(random_shape(case.rng, 3)) for _ in range(2)]
    whole = f"tuple<{', '.join(types)}>"
    operands = [case.argument(type) for type in types]
    made = case.add(f'"stablehlo.tuple"({", ".join(operands)}) : ({", ".join(types)}) -> {whole}')
    add(case, "stablehlo.get_tuple_element", [made], [whole], [types[1]], "index = 1 : i32")


@program("stablehlo.create_token", "stablehlo.after_all")
def tokens(case: Case, name: str) -> None:
    type = tensor(random_shape(case.rng, 3))
    token = case.add('"stablehlo.create_token"() : () -> !stablehlo.token')
    case.add(f'"stablehlo.after_all"({token}, {token}) : (!stablehlo.token, !stablehlo.token) -> !stablehlo.token')
    add(case, "stablehlo.negate", [case.argument(type)], [type], [type])


@program("stablehlo.custom_call")
def markers(case: Case, name: str) -> None:
    type = tensor(random_shape(case.rng, 3))
    target = case.rng.choice(["annotate_device_placement", "MoveToHost", "Sharding", "LayoutConstraint"])
    add(case, name, [case.argument(type)], [type], [type], f'call_target_name = "{target}"')


@program("stablehlo.composite")
def composites(case: Case, name: str) -> None:
    type = tensor(random_shape(case.rng, 3))
    case.functions.append(
        f"func.func private @decomposition(%p: {type}, %q: {type}) -> {type} {{\n"
        f"  %s = stablehlo.subtract %p, %q : {type}\n  return %s : {type}\n}}\n"
    )
    properties = 'name = "mine.subtract", decomposition = @decomposition'
    add(case, name, [case.argument(type), case.argument(type)], [type, type], [type], properties)
