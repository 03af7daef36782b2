"""``pyshardy interpret``: programs that test themselves, written as for StableHLO's own interpreter."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import Interpret

PASSING = {
    "integers": "check.expect_eq_const %i, dense<[1, 2]> : tensor<2xi32>",
    "two_values": "check.expect_eq %i, %i : tensor<2xi32>",
    "two_types": "check.expect_eq %i, %i : tensor<2xi32>, tensor<2xi32>",
    "almost": "check.expect_almost_eq_const %f, dense<[1.00001, 0x7FC00000]> : tensor<2xf32>",
    "almost_with_tolerance": '"check.expect_almost_eq_const"(%f) {value = dense<[1.1, 0x7FC00000]> : tensor<2xf32>, '
    "tolerance = 0.2 : f64} : (tensor<2xf32>) -> ()",
    "almost_far_from_one": "%big = stablehlo.constant dense<100000.0> : tensor<f64>\n"
    "check.expect_almost_eq_const %big, dense<100001.0> : tensor<f64>",
    "almost_two_values": "check.expect_almost_eq %f, %f : tensor<2xf32>",
    "close": "check.expect_close %f, %g, max_ulp_difference = 1 : tensor<2xf32>, tensor<2xf32>",
    "close_by_default": "check.expect_close %f, %g : tensor<2xf32>, tensor<2xf32>",
    "close_but_not_equal": "check.expect_close %f, %g, max_ulp_difference = 2, min_ulp_difference = 1 : tensor<2xf32>, "
    "tensor<2xf32>",
    "generic": '"check.expect_eq_const"(%i) <{value = dense<[1, 2]> : tensor<2xi32>}> : (tensor<2xi32>) -> ()',
    "call": "stablehlo.custom_call @check.expect_eq(%i, %i) {has_side_effect = true} : (tensor<2xi32>, tensor<2xi32>) "
    "-> ()",
    "call_almost": "stablehlo.custom_call @check.expect_almost_eq(%f, %g) {has_side_effect = true} : "
    "(tensor<2xf32>, tensor<2xf32>) -> ()",
    "call_close": "stablehlo.custom_call @check.expect_close(%f, %g) {has_side_effect = true, "
    "max_ulp_difference = 1 : i64} : (tensor<2xf32>, tensor<2xf32>) -> ()",
    "call_constant": "stablehlo.custom_call @check.expect_eq_const(%i) {has_side_effect = true, "
    "value = dense<[1, 2]> : tensor<2xi32>} : (tensor<2xi32>) -> ()",
    "probe": '%p = interpreter.probe %f, probe_id = "p" : tensor<2xf32>\n'
    '%q = interpreter.probe %g, probe_id = "p" : tensor<2xf32>\n'
    'check.expect_serialized_eq %f, probe_id = "p", iter = 0 : tensor<2xf32>\n'
    'check.expect_serialized_eq %g, probe_id = "p", iteration = 1 : tensor<2xf32>',
    "first_probe": '%p = interpreter.probe %f, probe_id = "p" : tensor<2xf32>\n'
    'check.expect_serialized_eq %f, probe_id = "p" : tensor<2xf32>',
    "call_with_empty_tuple": "%0 = stablehlo.custom_call @check.expect_eq(%i, %i) : (tensor<2xi32>, tensor<2xi32>) "
    "-> tuple<>",
    "call_with_result": "%0 = stablehlo.custom_call @check.eq(%f, %g) : (tensor<2xf32>, tensor<2xf32>) -> tensor<i1>\n"
    "check.expect_eq_const %0, dense<true> : tensor<i1>",
}
FAILING = {
    "integers": ("check.expect_eq_const %i, dense<[1, 3]> : tensor<2xi32>", "2 (actual) vs 3 (expected) at index [1]"),
    "values": ("check.expect_eq %f, %g : tensor<2xf32>", "values are not equal: 1.000000e+00 (actual) vs 1.00000012"),
    "almost": ("check.expect_almost_eq_const %f, dense<[1.001, 0x7FC00000]> : tensor<2xf32>", "not almost equal"),
    "nan": ("check.expect_almost_eq_const %f, dense<1.0> : tensor<2xf32>", "0x7FC00000 (actual) vs 1.000000e+00"),
    "close": (
        "check.expect_close %f, %g, max_ulp_difference = 0 : tensor<2xf32>, tensor<2xf32>",
        "not within 0 units in the last place",
    ),
    "too_close": (
        "check.expect_close %f, %f, min_ulp_difference = 1 : tensor<2xf32>, tensor<2xf32>",
        "differ by at most 0.0 units in the last place",
    ),
    "call": (
        "stablehlo.custom_call @check.expect_eq(%f, %g) : (tensor<2xf32>, tensor<2xf32>) -> ()",
        "'stablehlo.custom_call' op fails: values are not equal",
    ),
    "probe": (
        'check.expect_serialized_eq %f, probe_id = "p", iteration = 1 : tensor<2xf32>',
        "probe 'p' has seen 0 values",
    ),
}
VALUES = """func.func @main() {{
  %i = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %f = stablehlo.constant dense<[1.0, 0x7FC00000]> : tensor<2xf32>
  %g = stablehlo.constant dense<[0x3F800001, 0x7FC00000]> : tensor<2xf32>
  {check}
  return
}}
"""


@pytest.mark.parametrize("name", PASSING)
def test_a_check_that_holds_says_nothing(name: str, interpret: Interpret) -> None:
    assert interpret(VALUES.format(check=PASSING[name])) == (0, "", "")


@pytest.mark.parametrize("name", FAILING)
def test_a_check_that_fails_is_an_error_with_both_values(name: str, interpret: Interpret) -> None:
    check, message = FAILING[name]
    code, _, errors = interpret(VALUES.format(check=check))
    assert code == 1
    assert errors.startswith("program.mlir:5:3: error: 'check.expect" if "call" not in name else "program.mlir:5:3:")
    assert message in errors


def test_checks_are_printed_as_they_are_written() -> None:
    import pyshardy.interpreter  # noqa: F401, makes the dialects known
    from pyshardy import parse

    for name, check in PASSING.items():
        text = VALUES.format(check=check)
        printed = str(parse(text))
        assert str(parse(printed)) == printed, name


def test_parts_of_a_file_run_on_their_own_and_need_no_main(interpret: Interpret) -> None:
    part = """func.func @some_test() -> tensor<i32> {
      %0 = stablehlo.constant dense<NUMBER> : tensor<i32>
      check.expect_eq_const %0, dense<1> : tensor<i32>
      return %0 : tensor<i32>
    }
    """
    text = "\n// -----\n\n".join(part.replace("NUMBER", str(number)) for number in (1, 2, 1))
    code, out, errors = interpret("// RUN: something\n" + text)
    assert code == 1
    assert out.count("tensor<i32>") == 2
    assert errors.startswith("program.mlir:12:7: error:")
    assert errors.count("error:") == 1


def test_arguments_are_constants_of_the_command_line(interpret: Interpret) -> None:
    text = """func.func @main(%a: tensor<2xi32>) -> tensor<2xi32> {
      %0 = stablehlo.add %a, %a : tensor<2xi32>
      return %0 : tensor<2xi32>
    }"""
    assert interpret(text, "--args=[dense<[1, 2]> : tensor<2xi32>]")[:2] == (0, "tensor<2xi32> {\n  [2, 4]\n}\n")
    code, _, errors = interpret(text)
    assert code == 1 and "0 inputs for 1 arguments" in errors
    code, _, errors = interpret(text, "--args=[dense<")
    assert code == 1 and "expected array attribute string for args" in errors
    code, _, errors = interpret(text, "--args=[4.0 : f32]")
    assert code == 1 and "expected dense elements attribute for args elements" in errors
    code, _, errors = interpret(text, "--args=@/no/such/file")
    assert code == 1 and "failed to read args file" in errors


def test_arguments_may_stand_in_a_file(interpret: Interpret, tmp_path: Path) -> None:
    text = """func.func @main(%a: tensor<2xi32>, %b: tensor<i32>) -> (tensor<2xi32>, tensor<i32>) {
      return %a, %b : tensor<2xi32>, tensor<i32>
    }"""
    given = tmp_path / "given.args"
    given.write_text("[dense<[1, 2]> : tensor<2xi32>,\n dense<3> : tensor<i32>]\n")
    assert interpret(text, f"--args=@{given}") == (0, "tensor<2xi32> {\n  [1, 2]\n}\ntensor<i32> {3}\n", "")


def test_a_part_without_functions_does_nothing(interpret: Interpret) -> None:
    text = "// nothing yet\n// -----\nmodule {\n}\n// -----\n" + VALUES.format(check="")
    assert interpret(text) == (0, "", "")


def test_a_probe_in_a_loop_counts_its_iterations_from_0(interpret: Interpret) -> None:
    text = """func.func @loop() {
      %zero = stablehlo.constant dense<0> : tensor<i64>
      %one = stablehlo.constant dense<1> : tensor<i64>
      %two = stablehlo.constant dense<2> : tensor<i64>
      %end = stablehlo.while(%i = %zero) : tensor<i64>
      cond {
        %more = stablehlo.compare LT, %i, %two : (tensor<i64>, tensor<i64>) -> tensor<i1>
        stablehlo.return %more : tensor<i1>
      } do {
        %next = stablehlo.add %i, %one : tensor<i64>
        %seen = interpreter.probe %next, probe_id = "next" : tensor<i64>
        stablehlo.return %seen : tensor<i64>
      }
      check.expect_serialized_eq %one, probe_id = "next", iter = 0 : tensor<i64>
      check.expect_serialized_eq %two, probe_id = "next", iter = ITERATION : tensor<i64>
      return
    }"""
    assert interpret(text.replace("ITERATION", "1"))[0] == 0
    code, _, errors = interpret(text.replace("ITERATION", "2"))
    assert code == 1 and "probe 'next' has seen 2 values, none at iteration 2" in errors


PARALLEL = """
func.func @gather(%a: tensor<2xi64>) -> tensor<4xi64> {
  %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}
    : (tensor<2xi64>) -> tensor<4xi64>
  return %0 : tensor<4xi64>
}
func.func @twice(%a: tensor<2xi64>) -> tensor<4xi64> {
  %0 = stablehlo.add %a, %a : tensor<2xi64>
  %1 = "stablehlo.all_gather"(%0) {all_gather_dim = 0 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}
    : (tensor<2xi64>) -> tensor<4xi64>
  return %1 : tensor<4xi64>
}
func.func @main() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %b = stablehlo.constant dense<[3, 4]> : tensor<2xi64>
  %0:2 = "interpreter.run_parallel"(%a, %b) {programs = [[FIRST], [SECOND]]}
    : (tensor<2xi64>, tensor<2xi64>) -> (tensor<4xi64>, tensor<4xi64>)
  check.expect_eq_const %0#0, dense<[EXPECTED, 1, 2]> : tensor<4xi64>
  check.expect_eq %0#0, %0#1 : tensor<4xi64>
  return
}
"""


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [("@gather", "@gather", "3, 4"), ('"gather"', '"gather"', "3, 4"), ("@gather", "@twice", "6, 8")],
    ids=["in step", "names as strings", "different programs"],
)
def test_programs_run_in_parallel(first: str, second: str, expected: str, interpret: Interpret) -> None:
    text = PARALLEL.replace("FIRST", first).replace("SECOND", second).replace("EXPECTED", expected)
    assert interpret(text) == (0, "", "")


def test_processes_that_wait_for_each_other_in_vain_are_a_deadlock(interpret: Interpret) -> None:
    text = """
    func.func @waits(%a: tensor<2xi64>) -> tensor<4xi64> {
      %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}
        : (tensor<2xi64>) -> tensor<4xi64>
      return %0 : tensor<4xi64>
    }
    func.func @goes() { return }
    func.func @main() {
      %a = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
      %0 = "interpreter.run_parallel"(%a) {programs = [[@waits], [@goes]]} : (tensor<2xi64>) -> (tensor<4xi64>)
      return
    }"""
    code, _, errors = interpret(text)
    assert code == 1
    assert "program.mlir:3:12: error: 'stablehlo.all_gather' op deadlocks" in errors


def test_processes_send_and_receive(interpret: Interpret) -> None:
    text = """
    func.func @send(%a: tensor<2xi64>) -> !stablehlo.token {
      %t = stablehlo.create_token : !stablehlo.token
      %0 = "stablehlo.send"(%a, %t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
        is_host_transfer = false} : (tensor<2xi64>, !stablehlo.token) -> !stablehlo.token
      return %0 : !stablehlo.token
    }
    func.func @receive() -> (tensor<2xi64>, !stablehlo.token) {
      %t = stablehlo.create_token : !stablehlo.token
      %0:2 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
        is_host_transfer = false} : (!stablehlo.token) -> (tensor<2xi64>, !stablehlo.token)
      return %0#0, %0#1 : tensor<2xi64>, !stablehlo.token
    }
    func.func @main() {
      %a = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
      %0:3 = "interpreter.run_parallel"(%a) {programs = [[@send], [@receive]]}
        : (tensor<2xi64>) -> (!stablehlo.token, tensor<2xi64>, !stablehlo.token)
      check.expect_eq_const %0#1, dense<[1, 2]> : tensor<2xi64>
      return
    }"""
    assert interpret(text) == (0, "", "")


def test_infeeds_give_what_their_functions_return(interpret: Interpret) -> None:
    text = """
    func.func @first() -> tensor<2xi64> {
      %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
      return %0 : tensor<2xi64>
    }
    func.func @second() -> tensor<2xi64> {
      %0 = stablehlo.constant dense<[3, 4]> : tensor<2xi64>
      return %0 : tensor<2xi64>
    }
    func.func @reads() -> (tensor<2xi64>, tensor<2xi64>) {
      %t = stablehlo.create_token : !stablehlo.token
      %0:2 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<2xi64>, !stablehlo.token)
      %1:2 = "stablehlo.infeed"(%0#1) : (!stablehlo.token) -> (tensor<2xi64>, !stablehlo.token)
      %2 = "stablehlo.outfeed"(%1#0, %1#1) : (tensor<2xi64>, !stablehlo.token) -> !stablehlo.token
      return %0#0, %1#0 : tensor<2xi64>, tensor<2xi64>
    }
    func.func @main() {
      %0:2 = "interpreter.run_parallel"() {infeed = [@first, @second], programs = [[@reads]]}
        : () -> (tensor<2xi64>, tensor<2xi64>)
      check.expect_eq_const %0#0, dense<[1, 2]> : tensor<2xi64>
      check.expect_eq_const %0#1, dense<[3, 4]> : tensor<2xi64>
      return
    }"""
    assert interpret(text) == (0, "", "")


@pytest.mark.parametrize(
    ("operation", "message"),
    [
        (
            '"interpreter.run_parallel"() {programs = [[@other]]} : () -> ()',
            "the function @other, which does not exist",
        ),
        ('"interpreter.run_parallel"() {programs = [[@main], []]} : () -> ()', "grid of functions: rows of one length"),
        ('"interpreter.run_parallel"() : () -> ()', "requires attribute 'programs'"),
        ("check.expect_eq %i, %f : tensor<2xi32>, tensor<2xf32>", "compares values of different types"),
        ("check.expect_close %f, %f, max_ulp_difference = -1 : tensor<2xf32>", "non-negative integer"),
    ],
)
def test_wrong_operations_are_errors_before_anything_runs(operation: str, message: str, interpret: Interpret) -> None:
    code, _, errors = interpret(VALUES.format(check=operation))
    assert code == 1
    assert message in errors


def test_values_are_printed_and_written_where_the_program_says(tmp_path: Path, interpret: Interpret) -> None:
    check = 'interpreter.print %i : tensor<2xi32>\n%p = interpreter.probe %i, probe_id = "x" : tensor<2xi32>'
    code, out, _ = interpret(VALUES.format(check=check), "--probe-output-dir", str(tmp_path / "probes"))
    assert (code, out) == (0, "%c = tensor<2xi32> {\n  [1, 2]\n}\n")
    assert np.load(tmp_path / "probes" / "probe1.npy").tolist() == [1, 2]
    assert (tmp_path / "probes" / "index.csv").read_text().startswith("x,tensor<2xi32>,")


def test_an_operation_that_cannot_be_run_is_named(interpret: Interpret) -> None:
    code, _, errors = interpret(VALUES.format(check="stablehlo.custom_call @mystery(%i) : (tensor<2xi32>) -> ()"))
    assert code == 1
    assert "it is not known what the target @mystery computes" in errors


def test_processes_that_took_different_branches_meet_in_collectives_of_one_channel(interpret: Interpret) -> None:
    collective = """"stablehlo.collective_permute"(%VALUE) {
            channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
            source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>} : (tensor<2xi64>) -> tensor<2xi64>"""
    text = f"""
    func.func @swap(%a: tensor<2xi64>) -> tensor<2xi64> {{
      %id = stablehlo.partition_id : tensor<ui32>
      %zero = stablehlo.constant dense<0> : tensor<ui32>
      %first = stablehlo.compare EQ, %id, %zero : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
      %0 = "stablehlo.if"(%first) ({{
          %1 = {collective.replace("VALUE", "a")}
          stablehlo.return %1 : tensor<2xi64>
        }}, {{
          %2 = stablehlo.negate %a : tensor<2xi64>
          %3 = {collective.replace("VALUE", "2")}
          stablehlo.return %3 : tensor<2xi64>
        }}) : (tensor<i1>) -> tensor<2xi64>
      return %0 : tensor<2xi64>
    }}
    func.func @main() {{
      %a = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
      %0:2 = "interpreter.run_parallel"(%a, %a) {{programs = [[@swap, @swap]]}}
        : (tensor<2xi64>, tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>)
      check.expect_eq_const %0#0, dense<[-1, -2]> : tensor<2xi64>
      check.expect_eq_const %0#1, dense<[1, 2]> : tensor<2xi64>
      return
    }}"""
    assert interpret(text) == (0, "", "")
