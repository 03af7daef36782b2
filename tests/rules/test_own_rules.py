"""Rules from outside the package: by decorator, from installed packages, and the remarks that tell who lacks one."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import pyshardy
from pyshardy.cli import main, sdy_opt
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.rules import installed, registry
from pyshardy.rules.registry import RuleTable
from tests.rules.programs import operations, rule_text, rule_texts

GUIDE = Path(__file__).parents[2] / "docs" / "rules.md"


@pytest.fixture(autouse=True)
def _own_rules(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(installed, "_loaded", False)
    rule_text("%a: tensor<4xf32>", "%0 = stablehlo.abs %a : tensor<4xf32>")
    before = dict(registry._entries)
    yield
    registry._entries.clear()
    registry._entries.update(before)


def call(target: str) -> str:
    return f"%0 = stablehlo.custom_call @{target}(%a) : (tensor<4xf32>) -> tensor<4xf32>"


def test_the_decorators_are_offered_by_the_package() -> None:
    @pyshardy.custom_call_rule("mine")
    def _rule(op: Operation, conservative: bool) -> pyshardy.OpShardingRule:
        return pyshardy.RuleBuilder(op).add([0], [0], 4, pyshardy.FactorKind.PERMUTATION).build()

    assert rule_text("%a: tensor<4xf32>", call("mine")) == "<([i])->([i]) {i=4} permutation={i}>"


def test_a_sharding_passes_through_a_call_that_got_a_rule() -> None:
    @pyshardy.custom_call_rule("mine")
    def _rule(op: Operation, conservative: bool) -> pyshardy.OpShardingRule:
        return pyshardy.RuleBuilder(op).add([0], [1], 4).add([1], [0], 8).build()

    module = pyshardy.parse("""
      sdy.mesh @m = <["x"=2]>
      func.func @main(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) -> tensor<8x4xf32> {
        %0 = stablehlo.custom_call @mine(%a) : (tensor<4x8xf32>) -> tensor<8x4xf32>
        return %0 : tensor<8x4xf32>
      }""")
    pyshardy.run_passes(module, "sdy-basic-propagate")
    assert '@mine(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{?}, {"x", ?}]>]>}' in str(module)
    assert not module.context.diagnostics


def test_the_guide_shows_rules_that_work() -> None:
    (example,) = re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    exec(compile(example, str(GUIDE), "exec"), {})
    norm, matmul = rule_texts(
        "%x: tensor<8x128x512xf32>, %s: tensor<512xf32>, %m: tensor<4x6xf32>, %n: tensor<6x8xf32>",
        "%0 = stablehlo.custom_call @fused_norm(%x, %s) : (tensor<8x128x512xf32>, tensor<512xf32>)"
        " -> tensor<8x128x512xf32>",
        '%1 = "mydialect.matmul"(%m, %n) : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>',
    )
    written = re.search(r"#sdy\.op_sharding_rule(<.*>)\n", GUIDE.read_text())
    assert written is not None and norm == written[1].replace(", custom", "")
    assert matmul == "<([i, k], [k, j])->([i, j]) {i=4, j=8, k=6} reduction={k}>"


# --- installed packages -----------------------------------------------------------------------------------------------

MODULE = """
from pyshardy import RuleBuilder, custom_call_rule, sharding_rule

@custom_call_rule("vendor_kernel")
@sharding_rule("stablehlo.abs")
def rule(op, conservative):
    return RuleBuilder(op).add([0], [0], 2).build()
"""


def install(place: Path, module: str = MODULE, target: str = "vendor_rules") -> None:
    """A package as pip would leave it in ``place``."""
    (place / "vendor_rules.py").write_text(module)
    information = place / "vendor-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: vendor\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text(f"[pyshardy.rules]\nvendor = {target}\n")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    sys.modules.pop("vendor_rules", None)


def test_an_installed_package_adds_rules(place: Path) -> None:
    install(place)
    assert rule_text("%a: tensor<4xf32>", call("vendor_kernel")) == "<([i])->([i]) {i=2}>"


def test_it_is_loaded_when_the_first_unknown_operation_is_met(place: Path) -> None:
    install(place)
    assert rule_text("%a: tensor<4xf32>", call("Cholesky")) is not None
    assert "vendor_rules" not in sys.modules
    assert rule_text("%a: tensor<4xf32>", call("nobody_knows")) is None
    assert "vendor_rules" in sys.modules


def test_it_replaces_no_rule_that_is_there(place: Path) -> None:
    install(place)
    rule_text("%a: tensor<4xf32>", call("vendor_kernel"))
    assert rule_text("%a: tensor<4xf32>", "%0 = stablehlo.abs %a : tensor<4xf32>") == "<([i])->([i]) {i=4}>"


def test_imported_by_the_user_it_does(place: Path) -> None:
    install(place)
    __import__("vendor_rules")
    assert rule_text("%a: tensor<4xf32>", "%0 = stablehlo.abs %a : tensor<4xf32>") == "<([i])->([i]) {i=2}>"


def test_a_package_that_cannot_be_loaded_gives_a_warning(place: Path) -> None:
    install(place, module="import no_such_module\n")
    context = Context()
    assert RuleTable(context).rule(operations("%a: tensor<4xf32>", call("vendor_kernel"))[0]) is None
    assert [one.message for one in context.diagnostics] == [
        "the sharding rules of vendor_rules cannot be loaded: ModuleNotFoundError: No module named 'no_such_module'",
        "custom call @vendor_kernel is unknown to SDY sharding rule registry",
    ]


def test_looking_for_packages_does_not_import_the_machinery() -> None:
    script = (
        "import sys; from pyshardy.rules.installed import load_installed_rules;"
        "sys.path[:] = [p for p in sys.path if 'site-packages' not in p]; before = set(sys.modules);"
        "assert load_installed_rules() == [] and load_installed_rules() is None;"
        "assert not {'importlib.metadata', 'email'} & (set(sys.modules) - before)"
    )
    subprocess.run([sys.executable, "-c", script], check=True, env={"PYTHONPATH": ":".join(sys.path)})


# --- remarks ----------------------------------------------------------------------------------------------------------


def remarks(*lines: str, wanted: bool = True) -> list[str]:
    context = Context(remarks=wanted)
    table = RuleTable(context)
    for op in operations("%a: tensor<4xf32>", *lines):
        table.rule(op)
    return [one.message for one in context.diagnostics if one.severity == "remark"]


LINES = (
    "%0 = stablehlo.custom_call @one(%a) : (tensor<4xf32>) -> tensor<4xf32>",
    "%1 = stablehlo.custom_call @two(%a) : (tensor<4xf32>) -> tensor<4xf32>",
    "%2 = stablehlo.custom_call @two(%1) {x} : (tensor<4xf32>) -> tensor<4xf32>",
    '%3 = "mine.op"(%a) : (tensor<4xf32>) -> tensor<4xf32>',
    "%4 = stablehlo.custom_call @tpu_custom_call(%a) : (tensor<4xf32>) -> tensor<4xf32>",
    "%5 = stablehlo.constant dense<0> : tensor<4xi32>",
)


def test_each_unknown_name_is_remarked_on_once() -> None:
    found = remarks(*LINES)
    assert [text.split(",")[0] for text in found] == [
        "no sharding passes through custom call @one",
        "no sharding passes through custom call @two",
        "no sharding passes through op 'mine.op'",
    ]
    assert found[0].endswith('pyshardy.custom_call_rule("one")')
    assert found[2].endswith('pyshardy.sharding_rule("mine.op")')


def test_nothing_is_remarked_on_unless_asked() -> None:
    assert not remarks(*LINES, wanted=False)


COMMANDS: list[tuple[Callable[[list[str]], int], str]] = [
    (sdy_opt.run, "--sdy-basic-propagate"),
    (main.run, "propagate"),
]


@pytest.mark.parametrize(("command", "what"), COMMANDS, ids=["sdy-opt", "pyshardy"])
def test_the_tools_remark_on_unknown_names(
    command: Callable[[list[str]], int], what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "program.mlir"
    body = f"{call('one')} return %0 : tensor<4xf32>"
    program.write_text(f"func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {{ {body} }}")
    assert command([what, str(program)]) == 0
    assert "remark:" not in capsys.readouterr().err
    assert command([what, str(program), "--remarks"]) == 0
    assert "remark: no sharding passes through custom call @one" in capsys.readouterr().err
