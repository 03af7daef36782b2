"""Files with strategies that inherit, and what is wrong with some."""

from pathlib import Path

import pytest

from pyshardy import ShardingProblem, load_shardings
from pyshardy.reading.sharding_files.strategies import strategies_in

FILE = """
[mesh]
data = 8

[shardings]
"batch/*" = ["data"]
"params/**" = []

[strategy.fsdp.shardings]
"params/**" = ["data"]

[strategy.both]
inherits = "fsdp"
mesh = {data = 4, model = 2}
[strategy.both.shardings]
"params/**/wq" = {spec = [[], "model"], priority = 1}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "shardings.toml"
    path.write_text(FILE)
    return path


def test_a_strategy_begins_with_what_it_inherits(file: Path) -> None:
    found = load_shardings(file, "both")
    assert [line.pattern for line in found.lines] == ["batch/*", "params/**", "params/**/wq"]
    assert "strategy.fsdp" in found.lines[1].where
    assert found.mesh is not None and found.mesh.sizes == {"data": 4, "model": 2}
    fsdp = load_shardings(file, "fsdp")
    assert fsdp.mesh is not None and fsdp.mesh.sizes == {"data": 8} and len(fsdp.lines) == 2


def test_without_a_name_it_is_what_stands_outside_of_strategies(file: Path) -> None:
    found = load_shardings(file)
    assert [line.where.rpartition("]")[0].rpartition("[")[2] for line in found.lines] == ["shardings", "shardings"]
    assert strategies_in(file) == ["fsdp", "both"] and strategies_in({"shardings": {"x": []}}) == [None]


def test_another_mesh_stands_instead(file: Path) -> None:
    found = load_shardings(file, "both", mesh={"data": 2})
    assert found.mesh is not None and found.mesh.sizes == {"data": 2}
    assert load_shardings(found) is found


def test_what_is_said_again_stands_later() -> None:
    tables = {"shardings": {"a": ["x"], "b": ["x"]}, "strategy": {"s": {"shardings": {"a": ["y"]}}}}
    assert [line.pattern for line in load_shardings(tables, "s").lines] == ["b", "a"]


@pytest.mark.parametrize(
    ("tables", "strategy", "message"),
    [
        ({"strategy": {"fsdp": {}, "tp": {}}}, "fsdb", "shardings has no strategy 'fsdb', only fsdp, tp; did you mean"),
        ({"strategy": {"fsdp": {}, "tp": {}}}, None, "several strategies, say which one is meant: fsdp, tp"),
        ({"shardings": {"x": []}}, "fsdp", "has no strategy 'fsdp', none at all"),
        ({"strategy": {"a": {"inherits": "b"}}}, "a", "[strategy.a] inherits a strategy that is missing, 'b', only a"),
        (
            {"strategy": {"a": {"inherits": "b"}, "b": {"inherits": "a"}}},
            "a",
            "strategies inherit in a circle: a inherits b inherits a",
        ),
        ({"strategy": {"a": {"inherits": ["b"]}}}, "a", "the name of one strategy"),
        (
            {"sharding": {}},
            None,
            "has no 'sharding', only clear, hardware, mesh, shardings, strategy; did you mean 'shardings'?",
        ),
        ({"strategy": {"a": {"inherit": "b"}}}, None, "did you mean 'inherits'?"),
        ({"mesh": {"data": 0}}, None, "[mesh]: the size of axis 'data' is a whole number of at least 1, not 0"),
        ({"mesh": {"data": True}}, None, "not True"),
        ({"mesh": {}}, None, "a line for each axis"),
        ({"shardings": ["x"]}, None, "[shardings] is a table"),
        ({"strategy": {"a": {"w/*": []}}}, "a", "mesh, shardings; patterns stand in [strategy.a.shardings]"),
        ({"shardings": {"batch": {"x": ["data"]}}}, None, "a sharding has no 'x'"),
    ],
)
def test_a_wrong_file_is_said(tables: dict[str, object], strategy: str | None, message: str) -> None:
    with pytest.raises(ShardingProblem) as error:
        load_shardings(tables, strategy)
    assert message in str(error.value)


def test_every_wrong_line_is_said_at_once() -> None:
    with pytest.raises(ShardingProblem) as error:
        load_shardings({"shardings": {"a": "data", "b": 3}})
    first, second = str(error.value).split("\n")
    assert first.startswith('shardings: [shardings] "a": ') and second.startswith('shardings: [shardings] "b": ')


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[shardings]\nparams/w = []\n", "bad.toml:2:7: this is not TOML: "),
        ("[shardings]\n'x' = [\n", "this is not TOML"),
        ("[shardings]\nparams/w = []\n", "patterns stand in quotes"),
    ],
)
def test_wrong_toml_is_said_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(ShardingProblem) as error:
        load_shardings(path)
    assert message in str(error.value)


def test_bytes_that_are_no_text_are_said(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(ShardingProblem, match="not text in UTF-8"):
        load_shardings(path)
