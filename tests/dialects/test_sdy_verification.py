"""What the verifier says about shardings and operations of the dialect `sdy`, and in which order."""

from __future__ import annotations

import pytest

import pyshardy
from pyshardy.ir.diagnostics import PyshardyError

MESHES = """
sdy.mesh @mesh = <["a"=2, "b"=4, "c"=8]>
sdy.mesh @same = <["a"=2, "b"=4, "c"=8]>
sdy.mesh @other = <["x"=2, "y"=4]>
sdy.mesh @maximal = <[], device_ids=[3]>
"""


def messages(text: str) -> list[str]:
    try:
        pyshardy.parse(MESHES + text)
    except PyshardyError as error:
        return [diagnostic.message for diagnostic in error.diagnostics]
    return []


def of_argument(sharding: str, type: str = "tensor<8x8xf32>") -> list[str]:
    """What is wrong with an argument's sharding, without the name of the place."""
    found = messages(f"func.func @f(%a: {type} {{sdy.sharding = #sdy.sharding<{sharding}>}}) {{ return }}")
    return [message.removeprefix("'func.func' op arg 0 - ") for message in found]


def of_body(body: str, sharding: str = "") -> list[str]:
    attribute = f" {{sdy.sharding = #sdy.sharding<{sharding}>}}" if sharding else ""
    return messages(f"func.func @f(%a: tensor<8x8xf32>{attribute}) {{\n  {body}\n  return\n}}")


@pytest.mark.parametrize(
    ("sharding", "message"),
    [
        ("@nope, [{}, {}]", "unknown mesh: @nope"),
        ('@mesh, [{"a"}]', "sharding doesn't match tensor rank: 1 != 2"),
        ('@mesh, [{"z"}, {}]', 'unknown axis name: "z"'),
        ('@mesh, [{"a"}, {"a"}]', 'duplicate axis ref: "a"'),
        ("@mesh, [{}p1, {}]", "dim 0 is empty and closed but has a priority"),
        ('@mesh, [{"b":(1)2, "b":(2)2}, {}]', 'two consecutive sub-axes can be merged: "b":(1)2, "b":(2)2'),
        ('@mesh, [{"b":(0)2}, {}]', 'sub-axis pre-size must be at least 1: "b":(0)2'),
        ('@mesh, [{"b":(1)1}, {}]', 'sub-axis sizes must be greater than 1: "b":(1)1'),
        (
            '@mesh, [{"b":(2)4}, {}]',
            'sub-axis next pre-size 8 doesn\'t divide the size of the full axis 4: "b":(2)4',
        ),
        ('@mesh, [{"b":(1)4}, {}]', 'sub-axis size is equal to the full axis size: "b":(1)4'),
        ('@mesh, [{"c":(1)4}, {"c":(2)4}]', 'overlapping sub-axes: "c":(1)4, "c":(2)4'),
        ('@mesh, [{"b":(1)2}, {"b"}]', 'both sub-axis and full-axis are used for axis name: "b"'),
        ('@mesh, [{}, {}], replicated={"c", "b"}', "replicated axes are not ordered w.r.t. mesh"),
        ('@mesh, [{}, {}], unreduced={"c", "b"}', "unreduced axes are not ordered w.r.t. mesh"),
        (
            "@maximal, [{}, {}]",
            "a maximal sharding can only have a sharding with rank 0 and no replicated or unreduced axes.",
        ),
    ],
)
def test_an_illegal_sharding_is_refused(sharding: str, message: str) -> None:
    assert of_argument(sharding) == [message]


@pytest.mark.parametrize(
    "sharding",
    [
        '@mesh, [{"b":(1)2}, {"b":(2)2}]',
        '@mesh, [{"c":(2)2, "c":(1)2}, {?}p3]',
        '@mesh, [{"c", "a"}, {}], replicated={"b":(1)2}, unreduced={"b":(2)2}',
        'mesh<["q"=3]>, [{"q"}, {}]',
        "@maximal, []",
    ],
)
def test_a_legal_sharding_passes(sharding: str) -> None:
    assert of_argument(sharding) == []


def test_values_without_shape_take_a_sharding_of_rank_zero_only() -> None:
    assert of_argument("@mesh, []", "!stablehlo.token") == []
    (message,) = of_argument("@mesh, [{}]", "!stablehlo.token")
    assert message.endswith("type: '!stablehlo.token', sharding: #sdy.sharding<@mesh, [{}]>")
    assert of_argument("@mesh, []", "tensor<*xf32>") == [
        "only ranked tensors can have a sharding. type: 'tensor<*xf32>'"
    ]


def test_a_tuple_of_one_element_is_checked_as_the_element() -> None:
    assert of_argument('@mesh, [{"a"}]', "tuple<tensor<8xf32>>") == []
    (message,) = of_argument("@mesh, []", "tuple<>")
    assert message == "ops can only have a sharding for a tuple of size 1: 'tuple<>'"


def test_results_need_one_sharding_each() -> None:
    one = '<@mesh, [{"a"}, {}]>'
    body = "%0 = stablehlo.negate %a {{sdy.sharding = #sdy.sharding_per_value<[{}]>}} : tensor<8x8xf32>"
    assert of_body(body.format(one)) == []
    assert of_body(body.format(f"{one}, {one}")) == [
        "'stablehlo.negate' op result shardings don't match number of values: 2 shardings vs 1 values"
    ]
    assert of_body(body.format('<@mesh, [{"z"}, {}]>')) == ["'stablehlo.negate' op result - unknown axis name: \"z\""]


def test_an_attribute_of_the_wrong_kind_is_refused() -> None:
    assert messages("func.func private @f(tensor<8xf32> {sdy.sharding = 1 : i32})") == [
        "'func.func' op arg 0 - should have a sharding attribute of type TensorShardingAttr"
    ]
    assert of_body("%0 = stablehlo.negate %a {sdy.sharding_rule = 1 : i32} : tensor<8x8xf32>") == [
        "'stablehlo.negate' op should have a sharding rule attribute of type OpShardingRuleAttr for attr named "
        "'sdy.sharding_rule'"
    ]


def test_propagation_edges_must_refer_to_values_of_the_operation() -> None:
    edges = '#sdy.propagation_edges<[{{step-0 = [{{"a" = result-0 -> [operand-{}]}}]}}]>'
    sharding = 'sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>'
    body = "%0 = stablehlo.negate %a {{sdy.propagation_edges = {}, {}}} : tensor<8x8xf32>"
    assert of_body(body.format(edges.format(0), sharding)) == []
    assert of_body(body.format(edges.format(1), sharding)) == [
        "'stablehlo.negate' op expected a value ref to have an operand index in range [0, 1), got: 1"
    ]


MANUAL = """%0 = sdy.manual_computation(%a)
  in_shardings=[<@mesh, [{{{dims}}}, {{}}]>] out_shardings=[<@mesh, [{{"a"}}, {{}}]>] manual_axes={{{axes}}}
  (%x: tensor<{local}xf32>) {{
  {body}
}} : (tensor<8x8xf32>) -> tensor<8x8xf32>"""
RETURN = "sdy.return %x : tensor<4x8xf32>"


def of_manual(dims: str = '"a"', axes: str = '"a"', local: str = "4x8", body: str = RETURN) -> list[str]:
    return of_body(MANUAL.format(dims=dims, axes=axes, local=local, body=body))


def test_the_body_of_a_manual_computation_works_on_one_devices_part() -> None:
    assert of_manual() == []
    assert of_manual(local="8x8", body=RETURN.replace("4x8", "8x8")) == [
        "'sdy.manual_computation' op operand shape, corresponding sharding, and region operand shape at index 0 must "
        "match. Expected local shape 'tensor<4x8xf32>', actual local shape 'tensor<8x8xf32>'"
    ]


def test_manual_axes_come_before_free_ones_and_are_of_the_mesh() -> None:
    assert of_manual(dims='"b", "a"') == [
        "'sdy.manual_computation' op operand sharding at index 0 must have all manual axes come before free axes in "
        'its dimension sharding at index 0. Saw manual axis "a" after free axis "b"'
    ]
    assert of_manual(axes='"a", "z"') == ["'sdy.manual_computation' op unknown manual axis: \"z\""]


def test_a_manual_axis_cannot_be_used_inside() -> None:
    body = f'%1 = sdy.reshard %x <@mesh, [{{"a"}}, {{}}]> : tensor<4x8xf32>\n  {RETURN}'
    expected = 'operates on axis "a" which is already bound by a parent sdy.manual_computation op'
    assert of_manual(body=body) == [f"'sdy.reshard' op {expected}"]


def test_a_body_ends_with_its_own_return() -> None:
    assert of_manual(body="stablehlo.return %x : tensor<4x8xf32>") == [
        "'sdy.manual_computation' op expects regions to end with 'sdy.return', found 'stablehlo.return'"
    ]


def test_a_named_computation_returns_what_its_body_returns() -> None:
    body = '%0 = sdy.named_computation<"f">(%a) (%x: tensor<8x8xf32>) {{\n sdy.return %x : tensor<8x8xf32>\n}} : {}'
    assert of_body(body.format("(tensor<8x8xf32>) -> tensor<8x8xf32>")) == []
    assert of_body(body.format("(tensor<8x8xf32>) -> tensor<8xf32>")) == [
        "'sdy.named_computation' op inferred type(s) 'tensor<8x8xf32>' are incompatible with return type(s) of "
        "operation 'tensor<8xf32>'",
        "'sdy.named_computation' op failed to infer returned types",
    ]


def test_an_edge_is_the_only_user_of_its_input() -> None:
    edge = "%0 = sdy.data_flow_edge %a : tensor<8x8xf32>"
    assert of_body(edge) == []
    assert of_body(f"{edge}\n  %1 = stablehlo.negate %a : tensor<8x8xf32>") == [
        "'sdy.data_flow_edge' op expected input of sdy.data_flow_edge to have a single user"
    ]


COLLECTIVES = [
    ('all_gather [{"c":(2)4}, {}]', '[{"a", "c"}, {}]', '[{"a", "c":(1)2}, {}]', ""),
    (
        'all_gather [{"c":(2)2}, {}]',
        '[{"a", "c"}, {}]',
        '[{"a", "c":(1)2}, {}]',
        'can\'t apply gathering axis "c":(2)2 to operand sharding on dimension 0',
    ),
    ('all_slice [{"c":(2)4}, {"b"}]', '[{"c":(1)2}, {}]', '[{"c"}, {"b"}]', ""),
    (
        'all_slice [{"b"}, {}]',
        '[{"a"}, {}]',
        '[{"b", "a"}, {}]',
        'result sharding doesn\'t match expected sharding ["a", "b"] on dimension 0',
    ),
    ('all_to_all [{"a"}: 0->1]', '[{"a"}, {"b"}]', '[{}, {"b", "a"}]', ""),
    ('all_to_all [{"a"}: 0->2]', '[{"a"}, {}]', '[{}, {"a"}]', "target dimension 2 is out of range [0, 2)"),
    ("collective_permute", '[{"a"}, {}]', '[{"b":(1)2}, {}]', ""),
    (
        "collective_permute",
        '[{"a"}, {}]',
        '[{"b"}, {}]',
        "sharded size of result doesn't match operand on dimension 0: 4 != 2",
    ),
    ('all_reduce {"b"}', '[{"a"}, {}]', '[{"a", ?}, {}]', ""),
    (
        'all_reduce {"a"}',
        '[{"a"}, {}]',
        '[{"a"}, {}]',
        'reduction axis "a" overlaps with operand dimension sharding or replicated axes',
    ),
    ('reduce_scatter [{"b"}, {}]', '[{"a"}, {}]', '[{"a", "b"}, {}]', ""),
    ('sharded_to_unreduced [{"a"}, {}]', '[{"a"}, {}]', '[{}, {}], unreduced={"a"}', ""),
    (
        'sharded_to_unreduced [{"a"}, {}]',
        '[{"a"}, {}]',
        "[{}, {}]",
        "out_unreduced_axes should be in_unreduced_axes + sharded_to_unreduced_axes",
    ),
    ('replicated_to_unreduced {"b"}', '[{"a"}, {}]', '[{"a"}, {}], unreduced={"b"}', ""),
    ("replicated_to_unreduced {}", '[{"a"}, {}]', '[{"a"}, {}]', "r2u axes must not be empty"),
]


@pytest.mark.parametrize(("collective", "before", "after", "message"), COLLECTIVES)
def test_a_collective_must_lead_from_one_sharding_to_the_other(
    collective: str, before: str, after: str, message: str
) -> None:
    found = of_body(f"%0 = sdy.{collective} %a out_sharding=<@mesh, {after}> : tensor<8x8xf32>", f"@mesh, {before}")
    name = collective.split(" ")[0]
    assert found == ([f"'sdy.{name}' op {message}"] if message else [])


def test_a_collective_stays_on_its_mesh() -> None:
    gather = '%0 = sdy.all_gather [{{"a"}}, {{}}] %a out_sharding=<{}, [{{}}, {{}}]> : tensor<8x8xf32>'
    assert of_body(gather.format("@same"), '@mesh, [{"a"}, {}]') == []
    assert of_body(gather.format("@other"), '@mesh, [{"a"}, {}]') == [
        "'sdy.all_gather' op result mesh does not match operand mesh"
    ]


def test_a_local_error_comes_before_one_that_needs_the_whole_module() -> None:
    whole_module = '%0 = sdy.reshard %a <@mesh, [{"z"}, {}]> : tensor<8x8xf32>'
    local = "%1 = sdy.propagation_barrier %a allowed_direction=BOTH : tensor<8x8xf32>"
    assert of_body(whole_module) == ["'sdy.reshard' op unknown axis name: \"z\""]
    assert of_body(f"{whole_module}\n  {local}")[0].startswith("'sdy.propagation_barrier' op cannot specify `BOTH`")


def test_every_function_reports_a_local_error_of_its_own() -> None:
    barrier = "%0 = sdy.propagation_barrier %a allowed_direction=BOTH : tensor<8xf32>"
    function = f"func.func @{{}}(%a: tensor<8xf32>) {{{{\n {barrier}\n return\n}}}}"
    assert len(messages(function.format("f") + "\n" + function.format("g"))) == 2
