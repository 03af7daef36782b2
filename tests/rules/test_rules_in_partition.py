"""Rules from outside hold in ``partition`` as in ``propagate``; ``--rules`` loads them from a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import pyshardy
from pyshardy.cli import main, sdy_opt
from pyshardy.ir.operation import Operation
from pyshardy.rules import registry
from tests.partitioning.chain import chain_plan

CALL = "%0 = stablehlo.custom_call @mine(%a) {0} : (tensor<8x4xf32>) -> tensor<8x4xf32>"
UNKNOWN = '%0 = "mine.norm"(%a) {0} : (tensor<8x4xf32>) -> tensor<8x4xf32>'
CARRIED = "{sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=4} need_replication={j}, custom>}"


@pytest.fixture(autouse=True)
def _own_rules() -> Iterator[None]:
    registry._load_families()
    before = dict(registry._entries)
    yield
    registry._entries.clear()
    registry._entries.update(before)


def program(line: str, attribute: str = "") -> str:
    rows = '{sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}'
    return f"""sdy.mesh @m = <["x"=2]>
      func.func @main(%a: tensor<8x4xf32> {rows}) -> (tensor<8x4xf32> {rows}) {{
        {line.replace("{0}", attribute)}
        return %0 : tensor<8x4xf32>
      }}"""


def rows_rule(op: Operation, conservative: bool) -> pyshardy.OpShardingRule:
    need = pyshardy.FactorKind.NEED_REPLICATION
    return pyshardy.RuleBuilder(op).add([0], [0], 8).add([1], [1], 4, need).build()


def local(text: str) -> str:
    plan = pyshardy.partition(pyshardy.parse(text, allow_unregistered=True))
    return str(plan.module) if not plan.collectives else f"moves: {[one.kind for one in plan.collectives]}"


@pytest.mark.parametrize("line", [CALL, UNKNOWN], ids=["custom call", "unknown operation"])
def test_a_registered_rule_shares_an_operation_as_one_that_it_carries(line: str) -> None:
    carried = local(program(line, CARRIED))
    assert "(tensor<4x4xf32>) -> tensor<4x4xf32>" in carried
    assert local(program(line)) == "moves: ['all_gather']"
    pyshardy.custom_call_rule("mine")(rows_rule)
    pyshardy.sharding_rule("mine.norm")(rows_rule)
    assert local(program(line)) == carried


@pytest.mark.parametrize("target", ["Cholesky", "_SPMDInternalOp_RotateRight"])
def test_a_rule_of_ours_is_not_believed_beyond_what_is_true(target: str) -> None:
    """Propagation takes both for pointwise: matrices have to be whole, and what rotates comes from elsewhere."""
    columns = program(CALL.replace("@mine", f"@{target}"))
    assert "moves" in local(columns.replace("8x4x", "8x8x").replace('[{"x"}, {}]', '[{}, {"x"}]'))


@pytest.mark.parametrize(
    ("rule", "problem"),
    [
        (lambda op, conservative: 1 / 0, "raises ZeroDivisionError: division by zero"),
        (lambda op, conservative: "rows", "returns str, and an OpShardingRule or None is expected"),
        (
            lambda op, conservative: pyshardy.RuleBuilder(op.operands[0].owner).build(),
            "number of operands and mappings must match: 1 != 0",
        ),
    ],
    ids=["error", "type", "operands"],
)
def test_a_rule_that_fails_is_a_diagnostic_at_the_operation(
    rule: Callable[[Operation, bool], pyshardy.OpShardingRule | None], problem: str
) -> None:
    pyshardy.custom_call_rule("mine")(rule)
    module = pyshardy.parse(
        program("%c = stablehlo.constant dense<0.0> : tensor<8x4xf32>\n" + CALL.replace("(%a)", "(%c)"))
    )
    with pytest.raises(pyshardy.PyshardyError) as error:
        pyshardy.propagate(module)
    (diagnostic,) = error.value.diagnostics
    assert diagnostic.position.line == 4
    assert diagnostic.message.startswith("the sharding rule of custom call @mine (")
    assert problem in diagnostic.message


def test_a_registered_rule_holds_in_the_passes_of_the_partitioner() -> None:
    on_shards = "@mine(%arg0) : (tensor<4x4xf32>) -> tensor<4x4xf32>"
    assert on_shards not in str(chain_plan(pyshardy.parse(program(CALL))).module)
    pyshardy.custom_call_rule("mine")(rows_rule)
    assert on_shards in str(chain_plan(pyshardy.parse(program(CALL))).module)


# --- files ------------------------------------------------------------------------------------------------------------

FILE = """
from pyshardy import FactorKind, RuleBuilder, custom_call_rule

@custom_call_rule("mine")
def rule(op, conservative):
    return RuleBuilder(op).add([0], [0], 8).add([1], [1], 4, FactorKind.NEED_REPLICATION).build()
"""


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    (tmp_path / "rules.py").write_text(FILE)
    (tmp_path / "program.mlir").write_text(program(CALL))
    return tmp_path / "program.mlir", tmp_path / "rules.py"


def test_the_commands_load_rules_from_a_file(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    path, rules = files
    assert main.run(["partition", str(path), "--rules", str(rules)]) == 0
    captured = capsys.readouterr()
    assert "collectives: none" in captured.err and "@mine(%arg0) : (tensor<4x4xf32>)" in captured.out


def test_sdy_opt_loads_rules_from_a_file(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    path, rules = files
    assert sdy_opt.run([str(path), f"--rules={rules}", "--sdy-basic-propagate"]) == 0
    assert '@mine(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x", ?}, {?}]>]>}' in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "import pyshardy\n\npyshardy.rule('x')\n",
            "rules.py:3: error: AttributeError: module 'pyshardy' has no attribute",
        ),
        ("import pyshardy\ndef f(:\n", "rules.py:2: error: SyntaxError: "),
        ("def f():\n    return 1 / 0\n\nf()\n", "rules.py:2: error: ZeroDivisionError: division by zero"),
        (None, "rules.py': no such file"),
    ],
)
@pytest.mark.parametrize("tool", ["pyshardy", "sdy-opt"])
def test_a_broken_file_is_one_line_that_names_its_line(
    tool: str, content: str | None, message: str, files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    path, rules = files
    if content is None:
        rules.unlink()
    else:
        rules.write_text(content)
    arguments = [str(path), "--rules", str(rules)]
    code = sdy_opt.run(arguments) if tool == "sdy-opt" else main.run(["propagate", *arguments])
    error = capsys.readouterr().err
    assert code == 1 and message in error and error.count("\n") == 1
