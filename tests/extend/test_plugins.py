"""Plugins are loaded before flags and programs are read; what is wrong with one is a line, and exit code 1."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pyshardy import plugins
from pyshardy.cli import main, sdy_opt
from pyshardy.dialects.stablehlo.collective_kinds import COLLECTIVE_KINDS
from pyshardy.plugins import PluginProblem, load_plugin_file
from pyshardy.versions import is_compiled

ROW = 'OpDef("ivy.neg", operands=1, results=1, traits=PURE | ELEMENTWISE, evaluator=lambda _, op, of: [-of[0]])'
PLUGIN = f"""
from pyshardy.extend import *
register_dialect(Dialect("ivy", [{ROW}]))

@register_pass("ivy-hello", on="builtin.module")
class Hello(Pass):
    \"\"\"Greets.\"\"\"
    whom: str = option("all", "who is greeted")

    def apply(self, op, context):
        print("hello", self.whom)

register_pass_class(Hello)
"""
PROGRAM = """
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4x4xf32> {
  %0 = "ivy.neg"(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
"""


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    path = tmp_path / "ivy.py"
    path.write_text(PLUGIN)
    return path


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.mlir"
    path.write_text(PROGRAM)
    return path


@pytest.mark.parametrize("command", main.COMMANDS)
def test_every_command_takes_a_plugin(command: str, plugin: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main.run([command, "--plugin", str(plugin), "--help"])
    assert "--plugin FILE.py" in capsys.readouterr().out and str(plugin) in plugins._taken.values()


def test_a_plugin_may_stand_anywhere(plugin: Path, program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run([f"--plugin={plugin}", "check", str(program)]) == 0
    assert main.run(["cost", str(program), "--hardware", "v5e", "--plugin", str(plugin)]) == 0
    assert "ivy.neg" in capsys.readouterr().out


@pytest.mark.parametrize("flag", ["--plugin", "-plugin", "--rules"])
def test_passes_of_a_plugin_are_flags_and_words_of_pipelines(
    flag: str, plugin: Path, program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sdy_opt.run([str(program), "--ivy-hello=whom=you", flag, str(plugin)]) == 0
    assert sdy_opt.run([str(program), "--pass-pipeline=builtin.module(ivy-hello{whom=me})", f"{flag}={plugin}"]) == 0
    out = capsys.readouterr().out
    assert "hello you" in out and "hello me" in out and '"ivy.neg"' in out


def test_a_pass_of_a_plugin_that_raises_is_an_error_with_its_line(
    plugin: Path, program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plugin.write_text(PLUGIN.replace('print("hello", self.whom)', "op.name.sing()"))
    assert sdy_opt.run([str(program), "--ivy-hello", f"--plugin={plugin}"]) == 1
    said = capsys.readouterr()
    wanted = f"the pass 'ivy-hello' ({plugin}:11) raises AttributeError: 'str' object has no attribute 'sing'"
    assert said.err.splitlines()[0].endswith(wanted) and "internal" not in said.err and not said.out


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (None, "cannot open the plugin '{}': no such file"),
        ("x = (", "{}:1: error: SyntaxError: '(' was never closed"),
        ("\n1 / 0", "{}:2: error: ZeroDivisionError: division by zero"),
        ("import sys\nsys.exit(3)", "{}:2: error: SystemExit: sys.exit was called"),
        (
            PLUGIN.replace("operands=1", "operand=1"),
            "{}:3: error: TypeError: OpDef.__init__() got an unexpected keyword argument 'operand'",
        ),
        (
            PLUGIN.replace("operands=1", "operands='1'"),
            "{}:3: error: ValueError: the row of 'ivy.neg': operands='1' is no count: a number, or (least, most) with "
            "None for any",
        ),
        (
            PLUGIN.replace("operands=1", "combines='add'"),
            "{}:3: error: ValueError: the row of 'ivy.neg': combines is 'add', one of and, max, min, or, product, sum, "
            "xor is expected",
        ),
        (
            PLUGIN.replace("operands=1", "rule='i -> i'"),
            "{}:3: error: ValueError: the row of 'ivy.neg': rule is 'i -> i', and a function is expected",
        ),
        (
            PLUGIN.replace("operands=1", "rules=len"),
            "{}:3: error: ValueError: the row of 'ivy.neg': rules is a field of the dialects of pyshardy; rule is "
            "expected",
        ),
        (
            PLUGIN.replace("operands=1", "properties='scale'"),
            "{}:3: error: TypeError: the row of 'ivy.neg': properties is 'scale', and a list is expected",
        ),
        (
            PLUGIN.replace("PURE | ELEMENTWISE", "'PURE'"),
            "{}:3: error: TypeError: the row of 'ivy.neg': traits is 'PURE', and traits joined by | are expected",
        ),
        (
            PLUGIN.replace("def apply", "def run"),
            "{}:13: error: ValueError: the pass 'ivy-hello' has no function apply(op, context)",
        ),
        (
            PLUGIN.replace("builtin.module", "module"),
            "{}:13: error: ValueError: the pass 'ivy-hello' runs on 'module', and builtin.module, func.func, the name "
            "of another operation or any is expected",
        ),
        (
            PLUGIN.replace("PURE |", "COLLECTIVE |"),
            "{}:3: error: ValueError: the row of 'ivy.neg': COLLECTIVE wants collective=CollectiveDef(kind), which "
            "says how devices talk",
        ),
        (
            PLUGIN.replace("operands=1", "collective=CollectiveDef('gossip')"),
            "{}:3: error: ValueError: the row of 'ivy.neg': the kind of collective is 'gossip', one of "
            f"{', '.join(sorted(COLLECTIVE_KINDS))} is expected",
        ),
        (
            PLUGIN.replace(f"[{ROW}]", f"[{ROW}, {ROW}]"),
            "{}:3: error: ValueError: two rows of the dialect 'ivy' are called 'ivy.neg'",
        ),
        (
            PLUGIN + "register_dialect(Dialect('ivy', []))",
            "{}:14: error: ValueError: the dialect 'ivy' is registered twice",
        ),
        (
            PLUGIN.replace('Dialect("ivy"', 'Dialect("stablehlo"'),
            "{}:3: error: ValueError: 'stablehlo' is a dialect of pyshardy",
        ),
        (
            PLUGIN.replace('Dialect("ivy"', 'Dialect("oak"'),
            "{}:3: error: ValueError: the row of 'ivy.neg': its name does not begin with 'oak.'",
        ),
        *(
            (
                f"from pyshardy.extend import *\n@{decorator}{called}\ndef function(*given): ...",
                "{}:2: error: TypeError: " + f"{decorator} is called with the names of what the function is for, "
                f'@{decorator}("name")',
            )
            for decorator in ("sharding_rule", "custom_call_rule", "localizes", "evaluates", "custom_call_cost")
            for called in ("", "()")
        ),
        (
            "from pyshardy.extend import *\nfor _ in range(2): sharding_rule('oak.x')(lambda op, conservative: None)",
            "{}:2: error: ValueError: the sharding rule of 'oak.x' is registered twice",
        ),
        (
            "from pyshardy.extend import *\n@operation_cost('stablehlo.add')\ndef cost(op): return 1.0",
            "{}:2: error: ValueError: 'stablehlo.add' is an operation of pyshardy, which knows what it costs",
        ),
    ],
)
def test_a_bad_plugin_is_one_line(
    text: str | None, problem: str, tmp_path: Path, program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.py"
    if text is not None:
        path.write_text(text)
    wanted = problem.format(path)
    assert main.run(["partition", str(program), "--plugin", str(path)]) == 1
    said = capsys.readouterr().err
    if is_compiled() and said.startswith(f"pyshardy: {path}:3: error: TypeError"):
        # In the compiler's words.
        wanted = said.removeprefix("pyshardy: ").removesuffix("\n")
    assert said == f"pyshardy: {wanted}\n" and "\n" not in wanted
    assert sdy_opt.run([str(program), f"--plugin={path}"]) == 1
    assert capsys.readouterr().err == f"sdy-opt: {wanted}\n"
    assert main.run(["partition", str(program), "--json", "--plugin", str(path)]) == 1
    assert json.loads(capsys.readouterr().out)["diagnostics"][0]["message"] == wanted


def test_a_plugin_imports_what_stands_beside_it(plugin: Path, program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    plugin.with_name("ivy_rows.py").write_text(PLUGIN)
    plugin.write_text("import ivy_rows\n")
    assert main.run(["partition", str(program), "--plugin", str(plugin)]) == 0


def test_a_folder_is_no_plugin(tmp_path: Path) -> None:
    with pytest.raises(PluginProblem, match=r"cannot open the plugin '.*': it is a folder"):
        load_plugin_file(str(tmp_path))


def test_two_plugins_cannot_have_one_dialect(plugin: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.py"
    other.write_text(PLUGIN)
    load_plugin_file(str(plugin))
    load_plugin_file(str(plugin))
    with pytest.raises(PluginProblem, match=f"the dialect 'ivy' is registered by {plugin} already"):
        load_plugin_file(str(other))


@pytest.mark.parametrize(("module", "code"), [(PLUGIN, 0), ("1 / 0", 1)])
def test_a_package_names_its_plugin(module: str, code: int, tmp_path: Path, program: Path) -> None:
    (tmp_path / "ivy_plugin.py").write_text(module)
    information = tmp_path / "ivy-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: ivy\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text("[pyshardy.plugins]\nivy = ivy_plugin\n")
    run = "from pyshardy.cli.main import run; sys.exit(run(sys.argv[1:]))"
    script = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); {run}"
    command = [sys.executable, "-c", script, "propagate", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    if code:
        assert done.stderr.startswith(
            "warning: the plugin ivy_plugin cannot be loaded: ZeroDivisionError: division by zero"
        )
    assert "Traceback" not in done.stderr
