"""Custom calls with targets that Shardy knows, with targets that it does not, and other operations without a rule."""

from __future__ import annotations

from tests.generator.body import Body
from tests.generator.families import makes
from tests.generator.rules import random_rule
from tests.generator.types import Tensor, int_list, is_float

_POINTWISE = (
    "LayoutConstraint",
    "MoveToHost",
    "MoveToDevice",
    "annotate_device_placement",
    "InspectSharding",
    "mhlo.erf",
    "X64SplitLow",
    "_SPMDInternalOp_RotateRight",
)
_SILENT = ("sdy_testonly", "tpu_custom_call", "xla_ffi_python_cpu_callback")


@makes("custom_calls", 3)
def pointwise_custom_call(body: Body) -> None:
    x = body.pick_shaped(1)
    target = body.rng.choice(_POINTWISE)
    attributes = ["has_side_effect = true"] if body.chance(0.1) else []
    body.functional(f"stablehlo.custom_call @{target}({x})", [x], [x.type], attributes)


@makes("custom_calls", 0.4)
def combine(body: Body) -> None:
    x = body.pick_shaped(1, lambda element: element == "ui32")
    y = body.value_of(x.type)
    body.functional(f"stablehlo.custom_call @X64Combine({x}, {y})", [x, y], [x.type.with_element("ui64")])


@makes("custom_calls", 1)
def unknown_custom_call(body: Body) -> None:
    operands = [body.pick_shaped() for _ in range(body.rng.choice((1, 1, 2)))]
    results = [body.random_type(1) for _ in range(body.rng.choice((1, 1, 2)))]
    target = body.rng.choice(("foo", *_SILENT))
    attributes = ['backend_config = ""'] if body.chance(0.3) else []
    body.functional(f"stablehlo.custom_call @{target}({', '.join(map(str, operands))})", operands, results, attributes)


@makes("custom_calls", 1)
def custom_call_with_a_rule(body: Body) -> None:
    operands = [body.pick_shaped() for _ in range(body.rng.choice((1, 2)))]
    results = [body.pick_shaped().type for _ in range(body.rng.choice((1, 1, 2)))]
    rule = random_rule(body.rng, [operand.type for operand in operands], results)
    head = f"stablehlo.custom_call @ruled({', '.join(map(str, operands))})"
    body.functional(head, operands, results, [rule])


@makes("custom_calls", 0.3)
def side_effect(body: Body) -> None:
    x = body.pick_shaped()
    attributes = ["has_side_effect = true"]
    maker = body.program.shardings
    odd = [mesh for mesh in maker.meshes if mesh.device_ids and not mesh.axes]
    if odd:
        attributes.append(f"sdy.sharding = #sdy.sharding_per_value<[<{maker.written(odd[0])}, []>]>")
    body.functional(f"stablehlo.custom_call @observe({x})", [x], [], attributes)


@makes("unknown_operations")
def random_uniform(body: Body) -> None:
    type = Tensor(body.random_type(1).shape, "f32")
    low, high = body.value_of(type.scalar), body.value_of(type.scalar)
    shape = body.scope.fresh("c")
    listed = f"dense<{int_list(type.shape)}> : tensor<{type.rank}xi64>"
    body.line(f"{shape} = stablehlo.constant {listed}")
    tail = f"({low.type}, {high.type}, tensor<{type.rank}xi64>) -> {type}"
    body.pretty(f"stablehlo.rng {low}, {high}, {shape}, distribution = UNIFORM", [low, high], [type], tail)


@makes("unknown_operations")
def legacy_broadcast(body: Body) -> None:
    x = body.pick_shaped(0, is_float)
    size = body.rng.choice(body.program.palette)
    if x.type.rank > 3:
        return
    result = x.type.with_shape([size, *x.type.shape])
    body.functional(f"stablehlo.broadcast {x}, sizes = [{size}]", [x], [result])


@makes("unknown_operations")
def device_number(body: Body) -> None:
    name = body.rng.choice(("partition_id", "replica_id"))
    number = body.pretty(f"stablehlo.{name}", [], [Tensor((), "ui32")], "tensor<ui32>")[0]
    body.functional(f"stablehlo.convert {number}", [number], [Tensor((), "i32")])
