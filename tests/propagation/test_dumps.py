"""The dumps of user-priority propagation: one file for each priority but the last, as the program is in between.

`tests/differential/test_dumps.py` compares the files with those of the reference.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import pyshardy

T = "tensor<8x8xf32>"
PROGRAM = f"""
sdy.mesh @m = <["a"=2, "b"=4, "c"=2]>
func.func @main(%x: {T} {{sdy.sharding = #sdy.sharding<@m, [{{"a", ?}}, {{"b", ?}}p1]>}},
                %y: {T} {{sdy.sharding = #sdy.sharding<@m, [{{?}}, {{"c", ?}}p3]>}}) -> ({T}, {T}) {{
  %0 = stablehlo.tanh %x : {T}
  %1 = stablehlo.abs %y : {T}
  %dead = stablehlo.negate %y : {T}
  return %0, %1 : {T}, {T}
}}"""
RULE = "sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=8}>"


def propagate(directory: object, *, passes: str = "sdy-user-priority-propagate", more: str = "") -> pyshardy.Module:
    module = pyshardy.parse(PROGRAM)
    return pyshardy.run_passes(module, f"{passes}{{module-dump-directory={directory} {more}}}")


def dumps(directory: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in sorted(directory.iterdir())}


def test_there_is_a_file_for_each_priority_but_the_last(tmp_path: Path) -> None:
    propagate(tmp_path)
    assert list(dumps(tmp_path)) == [
        "00.propagation_after_user_priority_0.mlir",
        "00.propagation_after_user_priority_1.mlir",
    ]


def test_the_axes_of_later_priorities_are_still_set_aside(tmp_path: Path) -> None:
    propagate(tmp_path)
    first, second = dumps(tmp_path).values()
    assert '%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a", ?}, {}], replicated={"b"}>}' in first
    assert '%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a", ?}, {"b", ?}]>}' in second
    assert all('[{?}, {}], replicated={"c"}>' in text for text in (first, second))


def test_they_hold_the_sharding_rules_even_if_these_are_not_kept(tmp_path: Path) -> None:
    module = propagate(tmp_path)
    assert all(text.count(RULE) == 2 for text in dumps(tmp_path).values())
    assert RULE not in str(module)


def test_dead_operations_are_gone(tmp_path: Path) -> None:
    propagate(tmp_path)
    assert not any("negate" in text for text in dumps(tmp_path).values())


def test_dumping_changes_nothing(tmp_path: Path) -> None:
    for more in ("", "keep-sharding-rules=true", "debug-sharding-origins=true debug-propagation-edge-sharding=true"):
        assert str(propagate(tmp_path, more=more)) == str(propagate("", more=more))


@pytest.mark.parametrize("propagator", ["basic", "aggressive", "op-priority"])
def test_the_other_passes_take_the_option_and_write_nothing(propagator: str, tmp_path: Path) -> None:
    propagate(tmp_path, passes=f"sdy-{propagator}-propagate")
    assert not dumps(tmp_path)


def test_a_directory_that_is_not_there_is_warned_about(tmp_path: Path) -> None:
    module = propagate(tmp_path / "nowhere")
    path = tmp_path / "nowhere" / "00.propagation_after_user_priority_0.mlir"
    assert [one.message for one in module.context.diagnostics][:1] == [
        f"error when writing file {path}: No such file or directory"
    ]
    assert {one.severity for one in module.context.diagnostics} == {"warning"}


def test_payloads_of_constants_are_dumped_too(tmp_path: Path) -> None:
    body = PROGRAM.replace(
        "%0 = stablehlo.tanh %x",
        "%c = stablehlo.constant dense_resource<blob> : tensor<2xi8>\n  %0 = stablehlo.tanh %x",
    )
    body = body.replace("return %0, %1", "sdy.sharding_group %c group_id=0 : tensor<2xi8>\n  return %0, %1")
    text = body + '\n{-# dialect_resources: { builtin: { blob: "0x010000000102" } } #-}\n'
    pyshardy.run_passes(pyshardy.parse(text), f"sdy-user-priority-propagate{{module-dump-directory={tmp_path}}}")
    assert all('blob: "0x010000000102"' in dump for dump in dumps(tmp_path).values())
