"""The shardings of a program as a file."""

from pathlib import Path

import pytest

from pyshardy import load, parse, propagate
from tests.reading.sharding_files.programs import step

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.mark.parametrize("example", sorted(path.name for path in EXAMPLES.glob("*.mlir")))
def test_what_is_written_changes_nothing(example: str, tmp_path: Path) -> None:
    path = tmp_path / "shardings.toml"
    given = load(EXAMPLES / example)
    for module in (given, propagate(given.copy()) if "transformer" not in example else given):
        before = str(module)
        path.write_text(module.shardings_file())
        module.apply_shardings(path)
        assert str(module) == before


def test_everything_of_a_sharding_is_written() -> None:
    module = parse("""
sdy.mesh @mesh = <["data"=4, "model"=4]>
sdy.mesh @other = <["b axis"=2]>
func.func @main(
    %a: tensor<8x8xf32> {sdy.sharding =
        #sdy.sharding<@mesh, [{"data", ?}p1, {"model":(2)2}p2], replicated={"model":(1)2}>}
        loc("a['\\22*']"),
    %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}], unreduced=max{"data"}>} loc("b"),
    %c: tensor<8xf32> {sdy.sharding = #sdy.sharding<@other, [{"b axis"}]>} loc("c")) -> tensor<8xf32> {
  return %c : tensor<8xf32>
}""")
    text, before = module.shardings_file(), str(module)
    assert "[mesh]\ndata = 4\nmodel = 4\n" in text
    assert (
        '"%arg0" = {spec = [{axes = ["data", "?"], priority = 1}, {axes = "model:(2)2", priority = 2}], '
        'replicated = ["model:(1)2"]}' in text
    )
    assert '"b"     = {spec = ["?"], unreduced = ["data"], reduction = "max"}' in text
    assert '"c"     = {spec = ["b axis"], mesh = "other"}' in text
    import tomllib

    module.apply_shardings(tomllib.loads(text))
    assert str(module) == before


def test_names_that_two_tensors_share_are_written_as_symbols() -> None:
    module = parse("""
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>} loc("p['w']"),
                %b: tensor<8xf32> loc("p.w")) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}""")
    assert module.shardings_file() == '[mesh]\nx = 2\n\n[shardings]\n"%arg0" = ["x"]\n'


def test_with_everything_open_arguments_and_results_have_lines() -> None:
    text = step('"a"=2').shardings_file(everything=True)
    assert text.startswith('[mesh]\na = 2\n\n[shardings]\n"params/layers/0/wq"   = "?"\n')
    assert text.count('= "?"') == 7
