"""What a line may say of a tensor."""

import pytest

from pyshardy import ShardingProblem
from pyshardy.reading.sharding_files.entries import read_entry
from tests.reading.sharding_files.programs import applied


@pytest.mark.parametrize(
    ("value", "sharding"),
    [
        (["data"], '[{"data"}, {}]'),
        ([[], "model"], '[{}, {"model"}]'),
        ([["data", "model"]], '[{"data", "model"}, {}]'),
        ([["data", "?"], "?"], '[{"data", ?}, {?}]'),
        ([], "[{}, {}]"),
        ("?", "[{?}, {?}]"),
        (["model:(2)2"], '[{"model":(2)2}, {}]'),
        ({"spec": ["data"], "priority": 1}, '[{"data"}p1, {}]'),
        ({"spec": ["data", "?"], "priority": 0}, '[{"data"}p0, {?}p0]'),
        ({"spec": [{"axes": "data", "priority": 2}, "model"], "priority": 1}, '[{"data"}p2, {"model"}p1]'),
        ({"spec": [[], {"axes": "data"}], "priority": 1}, '[{}, {"data"}p1]'),
        ({"spec": [], "replicated": ["model", "data"]}, '[{}, {}], replicated={"data", "model"}'),
        ({"spec": [], "unreduced": ["data"]}, '[{}, {}], unreduced={"data"}'),
        ({"spec": [], "unreduced": ["data"], "reduction": "max"}, '[{}, {}], unreduced=max{"data"}'),
    ],
)
def test_a_line_says_everything_that_shardy_has(value: object, sharding: str) -> None:
    assert applied({"params/layers/0/wq": value}, {"data": 2, "model": 4})["params['layers'][0]['wq']"] == sharding


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("data", 'a list with an entry for each dimension: ["data"], not "data"'),
        (3, "a list with an entry for each dimension"),
        ([3], "dimension 0 is an axis"),
        ([["?", "data"]], '"?" stands last'),
        ({"axes": ["data"]}, "a sharding has no 'axes', only spec, priority"),
        ({"spec": ["data"], "priorty": 1}, "did you mean 'priority'?"),
        ({"spec": ["data"], "priority": "high"}, "a priority is a whole number"),
        ({"spec": ["data"], "priority": -1}, "a priority is a whole number"),
        ({"spec": ["data"], "priority": 10**20}, "a priority is a whole number"),
        ({"spec": [[], []], "priority": 1}, "a sharding without axes has no priority"),
        ({"spec": [], "unreduced": ["a"], "reduction": "mx"}, "one of sum, max, min, not 'mx'; did you mean 'max'?"),
        ({"spec": [], "unreduced": ["a"], "reduction": 3}, "reduction is one of sum, max, min, not 3"),
        (
            {"spec": [], "reduction": "max"},
            "reduction says how shards along unreduced axes combine, and there are none",
        ),
        ({"spec": [], "mesh": 3}, "mesh is the name of a mesh, not 3"),
        ({"spec": "?", "priority": 1}, "has no priority"),
        ({"spec": [], "replicated": "pod"}, 'replicated is a list of axes, ["pod"]'),
        ({"priority": 1}, "has a spec"),
        ({"spec": [], "optional": 1}, "optional is true or false"),
    ],
)
def test_what_cannot_be_meant_is_said(value: object, message: str) -> None:
    with pytest.raises(ShardingProblem) as error:
        read_entry(value)
    assert message in str(error.value)
