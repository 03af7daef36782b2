"""Shardings from plain Python, and what is said at once of those that cannot be meant."""

from typing import Any

import numpy as np
import pytest

from pyshardy import AxisRef, DimSharding, Mesh, ShardingProblem, TensorSharding, tensor_sharding
from pyshardy.versions import is_compiled

MESH = {"data": 4, "model": 2}


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        (("data", None), '[{"data"}, {}]'),
        ((("data", "model"), None), '[{"data", "model"}, {}]'),
        ((None, ["model"]), '[{}, {"model"}]'),
        ((..., "data"), '[{?}, {"data"}]'),
        (
            (AxisRef("data", 2, 2), DimSharding(["model"], is_closed=False, priority=1)),
            '[{"data":(2)2}, {"model", ?}p1]',
        ),
        ((), "[]"),
    ],
)
def test_a_tuple_is_a_sharding(spec: Any, text: str) -> None:
    assert tensor_sharding(MESH, spec, name="mesh").body_text == f"<@mesh, {text}>"


def test_a_partition_spec_of_jax_is_one_too() -> None:
    from jax.sharding import PartitionSpec as P

    assert tensor_sharding(MESH, P("data", None), name="m") is tensor_sharding(MESH, ("data", None), name="m")
    assert tensor_sharding(MESH, P(P.UNCONSTRAINED, ("data", "model")), name="m").body_text == (
        '<@m, [{?}, {"data", "model"}]>'
    )
    assert tensor_sharding(MESH, P("data", unreduced={"model"}), name="m").body_text == (
        '<@m, [{"data"}], unreduced={"model"}>'
    )


def test_without_a_name_the_mesh_stands_in_the_sharding() -> None:
    assert tensor_sharding(Mesh(MESH), ("data",)).mesh_or_ref is Mesh(MESH)


def test_entries_that_are_missing_at_the_end_are_not_split() -> None:
    assert tensor_sharding(MESH, ("data",), name="m", shape=(8, 4, 2)).body_text == '<@m, [{"data"}, {}, {}]>'


def test_a_sharding_is_checked_against_the_mesh_it_is_put_on() -> None:
    sharding = TensorSharding("m", [DimSharding(["rows"])])
    with pytest.raises(ShardingProblem, match="no axis 'rows'"):
        tensor_sharding(MESH, sharding)


@pytest.mark.parametrize(
    ("spec", "shape", "message"),
    [
        (("modle", None), None, "the mesh has no axis 'modle', only 'data' and 'model'; did you mean 'model'?"),
        (("data", "data"), None, "axis 'data' stands in dimension 0 and in dimension 1: an axis serves one purpose"),
        ((("data", "data"),), None, "axis 'data' stands twice in dimension 0"),
        (("data", None, None), (8, 8), "the sharding has 3 entries for a tensor with 2 dimensions"),
        (("data",), (), "the sharding has 1 entry for a tensor with 0 dimensions"),
        ((AxisRef("data", 1, 4),), None, "axis 'data' of size 4 has no part \"data\":(1)4"),
        ((DimSharding(["data"], priority=-1),), None, "the priority of dimension 0 is a whole number from 0"),
        ((DimSharding(["data"], priority=10**20),), None, "to 9223372036854775807, not 100000000000000000000"),
        ((DimSharding([], is_closed=True, priority=1),), None, "dimension 0 has a priority, and neither axes nor room"),
        ((AxisRef("data", 1, 3),), None, "axis 'data' of size 4 has no part \"data\":(1)3"),
        (
            (("data", "model"),),
            (12,),
            "dimension 0 has 12 elements, which do not divide into 8 shards ('data' of size 4, 'model' of size 2)",
        ),
    ],
)
def test_what_cannot_be_meant_is_an_error_at_once(spec: Any, shape: tuple[int, ...] | None, message: str) -> None:
    with pytest.raises(ShardingProblem) as problem:
        tensor_sharding(MESH, spec, name="m", shape=shape, even=True)
    assert message in str(problem.value)


@pytest.mark.parametrize(
    ("axes", "known"),
    [({}, "no axes at all"), ({"x": 2}, "only 'x'"), ({"x": 2, "y": 2, "z": 2}, "only 'x', 'y' and 'z'")],
)
def test_the_axes_that_there_are_are_listed(axes: dict[str, int], known: str) -> None:
    with pytest.raises(ShardingProblem) as problem:
        tensor_sharding(axes, ("rows",))
    assert str(problem.value) == f"the mesh has no axis 'rows', {known}"


def test_an_axis_serves_once_even_as_replicated_or_unreduced() -> None:
    with pytest.raises(ShardingProblem, match="'model' stands in dimension 0 and in the unreduced axes"):
        tensor_sharding(MESH, ("model",), unreduced=["model"])
    with pytest.raises(ShardingProblem, match="'data' stands in dimension 0 and in the replicated axes"):
        tensor_sharding(MESH, ("data",), replicated=["data"])


def test_sizes_need_not_divide_if_the_caller_says_so() -> None:
    assert tensor_sharding(MESH, ("data",), name="m", shape=(10,)).body_text == '<@m, [{"data"}]>'


@pytest.mark.parametrize("spec", ["data", (3,), ((1, 2),), (b"data",)])
def test_what_is_no_sharding_is_a_type_error(spec: Any) -> None:
    with pytest.raises(TypeError):
        tensor_sharding(MESH, spec)


def test_the_classes_refuse_what_is_not_theirs_when_they_are_made() -> None:
    wrong: list[tuple[Any, tuple[Any, ...], str]] = [
        (Mesh, ({"x": 2.5},), "axis size must be an integer"),
        (Mesh, ([(3, 2)],), "the name of an axis is a string"),
        (DimSharding, ("data",), r"\['data'\] rather than 'data'"),
        (DimSharding, ([7],), "names or axis references"),
        (AxisRef, (7,), "the name of an axis is a string"),
        (TensorSharding, ("m", ("data", None)), "pyshardy.tensor_sharding takes plain names"),
        (TensorSharding, (7, ()), "on a mesh or on the name of one"),
    ]
    for make, given, message in wrong:
        # Of a compiled class the compiler has the first word, and its own.
        with pytest.raises(TypeError, match=f"{message}|object expected; got" if is_compiled() else message):
            make(*given)


def test_a_size_may_be_an_integer_of_numpy() -> None:
    sizes: Any = {"from_numpy": np.int64(3)}
    assert Mesh(sizes) is Mesh({"from_numpy": 3})
    assert str(Mesh(sizes)) == '#sdy.mesh<["from_numpy"=3]>'
