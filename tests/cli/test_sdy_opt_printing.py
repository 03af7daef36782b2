"""Dumps between passes and the report of times."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pyshardy.cli import sdy_opt

PROGRAM = """\
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.tanh %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @g(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
"""
RULES = "sdy-populate-op-sharding-rules"
AFTER_RULES = (
    "// -----// IR Dump After PopulateOpShardingRulesPass: "
    "sdy-populate-op-sharding-rules{conservative-propagation=false}"
)


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "t.mlir"
    path.write_text(PROGRAM)
    return str(path)


def dumps(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [line for line in capsys.readouterr().err.splitlines() if line.startswith("// -----//")]


def test_a_dump_of_a_function_is_headed_and_followed_by_an_empty_line(
    program: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sdy_opt.run([program, f"--{RULES}", f"--mlir-print-ir-after={RULES}"]) == 0
    assert (
        capsys.readouterr().err
        == f"""\
{AFTER_RULES} //----- //
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {{
  %0 = stablehlo.tanh %arg0 {{sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {{i=8}}>}} : tensor<8xf32>
  return %0 : tensor<8xf32>
}}

{AFTER_RULES} //----- //
func.func @g(%arg0: tensor<8xf32>) -> tensor<8xf32> {{
  return %arg0 : tensor<8xf32>
}}

"""
    )


def test_a_dump_of_a_module_is_followed_by_two_empty_lines(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert sdy_opt.run([program, "--symbol-dce", "--mlir-print-ir-before-all"]) == 0
    err = capsys.readouterr().err
    assert err.startswith("// -----// IR Dump Before SymbolDCEPass: symbol-dce //----- //\nmodule {\n")
    assert err.endswith("  }\n}\n\n\n")


def test_with_module_scope_the_header_names_the_function(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    flags = ["--mlir-print-ir-after-all", "--mlir-print-ir-module-scope"]
    assert sdy_opt.run([program, "--symbol-dce", f"--{RULES}", *flags]) == 0
    assert dumps(capsys) == [
        "// -----// IR Dump After SymbolDCEPass: symbol-dce ('builtin.module' operation) //----- //",
        f"{AFTER_RULES} ('func.func' operation: @main) //----- //",
        f"{AFTER_RULES} ('func.func' operation: @g) //----- //",
    ]


@pytest.mark.parametrize("all_of_them", [[], ["--mlir-print-ir-after-all"]])
def test_after_change_leaves_out_what_stayed_the_same(
    program: str, all_of_them: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    flags = ["--mlir-print-ir-after-change", *all_of_them]
    assert sdy_opt.run([program, "--symbol-dce", f"--{RULES}", *flags]) == 0
    assert dumps(capsys) == [f"{AFTER_RULES} //----- //"]


def test_after_failure_prints_what_the_failing_pass_left(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    pipeline = "--pass-pipeline=builtin.module(func.func(sdy-drop-sharding-rules,symbol-dce))"
    assert sdy_opt.run([program, pipeline, "--mlir-print-ir-after-failure"]) == 1
    assert dumps(capsys) == 2 * ["// -----// IR Dump After SymbolDCEPass Failed: symbol-dce //----- //"]
    assert sdy_opt.run([program, "--symbol-dce", "--mlir-print-ir-after-failure"]) == 0
    assert dumps(capsys) == []


def test_neighbouring_function_passes_take_one_function_after_the_other(
    program: str, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = ["--mlir-print-ir-before-all", "--mlir-print-ir-module-scope"]
    assert sdy_opt.run([program, f"--{RULES}", "--sdy-drop-sharding-rules", *flags]) == 0
    seen = [re.findall(r"Before (\w+)Pass.*@(\w+)", line)[0] for line in dumps(capsys)]
    assert seen == [
        ("PopulateOpShardingRules", "main"),
        ("DropShardingRules", "main"),
        ("PopulateOpShardingRules", "g"),
        ("DropShardingRules", "g"),
    ]


def test_dumps_may_be_generic(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert sdy_opt.run([program, "--symbol-dce", "--mlir-print-ir-after-all", "--mlir-print-op-generic"]) == 0
    assert '"stablehlo.tanh"(%' in capsys.readouterr().err


def test_passes_to_print_may_be_listed(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    listed = f"symbol-dce,{RULES}"
    assert sdy_opt.run([program, "--symbol-dce", f"--{RULES}", "--mlir-print-ir-before", listed]) == 0
    assert len(dumps(capsys)) == 3
    assert sdy_opt.run([program, "--mlir-print-ir-after=nope"]) == 1
    message = "sdy-opt: for the --mlir-print-ir-after option: Cannot find option named 'nope'!\n"
    assert capsys.readouterr().err == message


def test_the_pipeline_can_be_shown(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert sdy_opt.run([program, "--symbol-dce", f"--{RULES}", "--dump-pass-pipeline"]) == 0
    assert capsys.readouterr().err == (
        "Pass Manager with 2 passes:\n"
        "builtin.module(symbol-dce,func.func(sdy-populate-op-sharding-rules{conservative-propagation=false}))\n"
    )


def test_the_report_of_times_nests_passes_on_functions(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    flags = ["--symbol-dce", f"--{RULES}", "--sdy-drop-sharding-rules", "--mlir-timing"]
    assert sdy_opt.run([program, *flags]) == 0
    lines = capsys.readouterr().err.splitlines()
    rule = "===" + "-" * 73 + "==="
    assert lines[:3] == [rule, " " * 25 + "... Execution time report ...", rule]
    assert re.fullmatch(r"  Total Execution Time: \d+\.\d{4} seconds", lines[3])
    assert lines[4:6] == ["", "  ----Wall Time----  ----Name----"]
    rows = [re.fullmatch(r"  ( *\d+\.\d{4}) \(( *\d+\.\d)%\)  (.*)", line) for line in lines[6:]]
    assert all(row is not None and len(row[1]) == 8 and len(row[2]) == 5 for row in rows)
    assert [row[3] for row in rows if row is not None] == [
        "Parser",
        "SymbolDCEPass",
        "'func.func' Pipeline",
        "  PopulateOpShardingRulesPass",
        "  DropShardingRulesPass",
        "Output",
        "Rest",
        "Total",
    ]
    assert lines[-1].endswith("(100.0%)  Total")


def test_the_report_of_times_may_be_a_list(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert sdy_opt.run([program, f"--{RULES}", "--mlir-timing", "--mlir-timing-display=list"]) == 0
    names = [line.split("%)  ")[1] for line in capsys.readouterr().err.splitlines() if "%)" in line]
    assert sorted(names[:-2]) == ["'func.func' Pipeline", "Output", "Parser", "PopulateOpShardingRulesPass"]
    assert names[-2:] == ["Rest", "Total"]


BRANCHES = """\
func.func @main(%a: tensor<8xf32>, %p: tensor<i1>) -> tensor<8xf32> {
  %0:2 = "stablehlo.if"(%p) ({
    %1 = stablehlo.abs %a : tensor<8xf32>
    stablehlo.return %1, %1 : tensor<8xf32>, tensor<8xf32>
  }, {
    stablehlo.return %a, %a : tensor<8xf32>, tensor<8xf32>
  }) : (tensor<i1>) -> (tensor<8xf32>, tensor<8xf32>)
  %2 = stablehlo.add %0#0, %0#0 : tensor<8xf32>
  return %2 : tensor<8xf32>
}
func.func @other(%b: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.tanh %b : tensor<8xf32>
  return %0 : tensor<8xf32>
}
"""


@pytest.fixture
def branches(tmp_path: Path) -> str:
    path = tmp_path / "branches.mlir"
    path.write_text(BRANCHES)
    return str(path)


def test_comments_say_who_uses_a_value(branches: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert sdy_opt.run([branches, "--mlir-print-value-users"]) == 0
    assert [line.split("//")[1].strip() for line in capsys.readouterr().out.splitlines() if "//" in line] == [
        "%arg0 is used by %5, %5",
        "%arg1 is used by %2#0, %2#1",
        "user: %6",
        "id: %6",
        "id: %5",
        "user: (%3), (unused)",
        "user: %4",
        "id: %4",
        "%arg0 is used by %2",
        "user: %3",
        "id: %3",
    ]


def test_values_may_be_numbered_through_all_regions(branches: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert sdy_opt.run([branches, "--mlir-print-unique-ssa-ids"]) == 0
    names = re.findall(r"^ *(%\w+)(?::2)? = |(%arg\d+):", capsys.readouterr().out, re.MULTILINE)
    plain = [one or other for one, other in names]
    assert len(set(plain)) == len(plain) == 7


def test_a_dump_directory_that_cannot_be_made_is_an_error(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    flags = ["--symbol-dce", "--mlir-print-ir-after-all", f"--mlir-print-ir-tree-dir={program}"]
    assert sdy_opt.run([program, *flags]) == 1
    assert "cannot make directory" in capsys.readouterr().err


def test_a_symbol_does_not_lead_out_of_the_dump_directory(tmp_path: Path, program: str) -> None:
    Path(program).write_text('module @"../../evil" {}')
    tree = tmp_path / "a" / "b"
    assert sdy_opt.run([program, "--symbol-dce", "--mlir-print-ir-after-all", f"--mlir-print-ir-tree-dir={tree}"]) == 0
    assert [str(path.relative_to(tree)) for path in tree.rglob("*.mlir")] == [
        "builtin_module_.._.._evil/0_symbol-dce.mlir"
    ]


def test_a_graph_goes_to_standard_error_and_the_program_stays(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert sdy_opt.run([program, "--view-op-graph"]) == 0
    out, err = capsys.readouterr()
    assert err.startswith("digraph G {") and "stablehlo.tanh" in err and "stablehlo.tanh" in out


def test_constants_may_be_elided_in_dumps_and_output(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(program).write_text('"t.op"() {a = dense<[1, 2, 3]> : tensor<3xi8>} : () -> ()')
    flags = ["--allow-unregistered-dialect", "--mlir-elide-elementsattrs-if-larger", "2"]
    assert sdy_opt.run([program, *flags, "--cse", "--mlir-print-ir-after-all"]) == 0
    out, err = capsys.readouterr()
    assert "dense_resource<__elided__> : tensor<3xi8>" in out and "dense_resource<__elided__>" in err
    assert sdy_opt.run([program, "--mlir-elide-elementsattrs-if-larger=many"]) == 1
    assert "value invalid for integer argument" in capsys.readouterr().err
