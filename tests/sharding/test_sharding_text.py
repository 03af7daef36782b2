"""Meshes, shardings and lists of axes as text: what is read prints alike, what is wrong is said where it is wrong."""

from __future__ import annotations

import pytest

import pyshardy
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.sharding.axes import AxisRef
from pyshardy.sharding.lists import AllToAllParam, AllToAllParamList, AxisRefList, ListOfAxisRefLists, ManualAxes
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import DimSharding, TensorSharding, TensorShardingPerValue

A, B = AxisRef("a"), AxisRef("b", 1, 2)


def read(text: str) -> Attribute:
    found = pyshardy.parse(f"module attributes {{x.y = {text}}} {{}}").op.attributes.get("x.y")
    assert found is not None
    return found


def messages(text: str) -> list[str]:
    with pytest.raises(PyshardyError) as error:
        read(text)
    return [diagnostic.message for diagnostic in error.value.diagnostics]


VALUES: list[tuple[str, Attribute]] = [
    ('#sdy.mesh<["a"=2, "b"=4]>', Mesh({"a": 2, "b": 4})),
    ('#sdy.mesh<["a"=2], device_ids=[1, 0]>', Mesh({"a": 2}, [1, 0])),
    ("#sdy.mesh<[], device_ids=[3]>", Mesh((), [3])),
    ('#sdy<axis_ref"b":(1)2>', B),
    ('#sdy<dimension_sharding{"a", ?}p1>', DimSharding(["a"], False, 1)),
    ("#sdy<dimension_sharding{}p0>", DimSharding([], True, 0)),
    ('#sdy.sharding<@m, [{"a"}, {?}]>', TensorSharding("m", [DimSharding(["a"]), DimSharding([], False)])),
    ('#sdy.sharding<@"we ird", []>', TensorSharding("we ird", [])),
    ('#sdy.sharding<mesh<["a"=2]>, [{"a"}]>', TensorSharding(Mesh({"a": 2}), [DimSharding(["a"])])),
    (
        '#sdy.sharding<@m, [{}], replicated={"a"}, unreduced={"b":(1)2}>',
        TensorSharding("m", [DimSharding()], ["a"], [B]),
    ),
    (
        '#sdy.sharding<@m, [], unreduced=max{"a"}>',
        TensorSharding("m", [], unreduced=["a"], reduction_op="max"),
    ),
    (
        '#sdy.sharding_per_value<[<@m, [{"a"}]>, <@m, []>]>',
        TensorShardingPerValue([TensorSharding("m", [DimSharding(["a"])]), TensorSharding("m", [])]),
    ),
    ("#sdy.sharding_per_value<[]>", TensorShardingPerValue([])),
    ('#sdy<manual_axes{"a", "b"}>', ManualAxes(["a", "b"])),
    ('#sdy<axis_ref_list{"a", "b":(1)2}>', AxisRefList([A, B])),
    ('#sdy<list_of_axis_ref_lists[{"a"}, {}]>', ListOfAxisRefLists([[A], []])),
    ('#sdy<all_to_all_param_list[{"a"}: 0->1]>', AllToAllParamList([AllToAllParam([A], 0, 1)])),
]


@pytest.mark.parametrize(("text", "value"), VALUES)
def test_text_reads_as_the_value_and_the_value_prints_as_the_text(text: str, value: Attribute) -> None:
    assert read(text) is value
    assert str(value) == text


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ('#sdy<mesh<["a"=2]>>', '#sdy.mesh<["a"=2]>'),
        ('#sdy<mesh_axis "a" = 2>', '#sdy<mesh_axis"a"=2>'),
        ('#sdy.mesh<["a"=2], device_ids=[0, 1]>', '#sdy.mesh<["a"=2]>'),
        ('#sdy<axis_ref "a" : (0x1) 2>', '#sdy<axis_ref"a":(1)2>'),
        (
            '#sdy.sharding<@m, [], unreduced={"a"}, replicated={"b"}>',
            '#sdy.sharding<@m, [], replicated={"b"}, unreduced={"a"}>',
        ),
        ('#sdy.sharding<@m, [], unreduced=sum{"a"}>', '#sdy.sharding<@m, [], unreduced={"a"}>'),
        ('#sdy.sharding<@m, [], unreduced{"a"}>', '#sdy.sharding<@m, [], unreduced={"a"}>'),
        ('#sdy.sharding<@m, [#sdy<dimension_sharding{"a"}>]>', '#sdy.sharding<@m, [{"a"}]>'),
        ('#sdy.sharding<mesh #sdy.mesh<["a"=2]>, []>', '#sdy.sharding<mesh<["a"=2]>, []>'),
    ],
)
def test_other_spellings_print_in_the_one_form(text: str, printed: str) -> None:
    assert str(read(text)) == printed


def test_elements_may_be_aliases() -> None:
    text = '#d = #sdy<dimension_sharding{"a"}>\nmodule attributes {x.y = #sdy.sharding<@m, [#d, {}]>} {}'
    assert '#sdy.sharding<@m, [{"a"}, {}]>' in str(pyshardy.parse(text))


def test_a_text_read_before_reads_as_the_same_value_in_another_place() -> None:
    text = '#sdy.sharding<@seen_before, [{"a"}]>'
    assert read(text) is read(text)
    assert isinstance(read(f"[{text}, {text}]"), Attribute)


def test_an_error_names_every_attribute_around_it_from_the_inside() -> None:
    assert messages('#sdy.sharding_per_value<[<@m, [{"a":(x)2}]>]>') == [
        "expected integer value",
        "failed to parse Sdy_SubAxisInfo parameter 'pre_size' which is to be a `int64_t`",
        "failed to parse Sdy_AxisRef parameter 'sub_axis_info' which is to be a `SubAxisInfoAttr`",
        "failed to parse Sdy_TensorSharding parameter 'dim_shardings' which is to be a "
        "`::llvm::ArrayRef<DimensionShardingAttr>`",
        "failed to parse Sdy_TensorShardingPerValue parameter 'shardings' which is to be a "
        "`::llvm::ArrayRef<TensorShardingAttr>`",
    ]


@pytest.mark.parametrize(
    ("dim", "message"),
    [
        ('{"a"}q1', "expecting priority in format 'p<number>', got: q1"),
        ('{"a"}p01', "priorities with leading zeros are not allowed, got: p01"),
        ('{"a"}p9223372036854775808', "expecting integer priority, got: p9223372036854775808"),
        ('{"a"?}', "expected ','"),
        ("{,?}", "expected string"),
        ('{?, "a"}', "expected '}'"),
    ],
)
def test_a_wrong_dimension_is_refused(dim: str, message: str) -> None:
    assert messages(f"#sdy<dimension_sharding{dim}>")[0] == message


def test_a_list_of_axes_may_not_come_twice() -> None:
    expected = "failed to parse Sdy_TensorSharding, expected valid named axis list after comma"
    assert messages('#sdy.sharding<@m, [], replicated={"a"}, replicated={"b"}>') == [expected]


def test_unbalanced_brackets_are_reported_first() -> None:
    assert messages('#sdy.sharding<@m, [{"a":(1 2}]>') == ["unbalanced '(' character in pretty dialect name"]


def test_an_unknown_attribute_is_refused() -> None:
    assert messages("#sdy.shardin<@m, []>") == ["unknown attribute `shardin` in dialect `sdy`"]
