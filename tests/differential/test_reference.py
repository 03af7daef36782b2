"""The judge itself: a result, an error, a crash and a time-out of the reference each come back as what they are."""

from __future__ import annotations

from tests.differential.reference import run_reference

PROGRAM = """
module {
  sdy.mesh @mesh = <["a"=2]>
  func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) -> tensor<8xf32> {
    %0 = stablehlo.negate %arg0 : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
"""
PROPAGATE = "builtin.module(sdy-basic-propagate)"


def test_the_reference_propagates_and_prints_in_generic_form() -> None:
    result = run_reference(PROGRAM, PROPAGATE)
    assert result.ok
    assert '{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}]>]>}' in result.text
    assert result.text.startswith('"builtin.module"()')


def test_the_reference_prints_in_pretty_form_as_well() -> None:
    assert "stablehlo.negate %arg0" in run_reference(PROGRAM, "builtin.module()").pretty


def test_an_error_comes_back_with_its_place_and_text() -> None:
    result = run_reference(PROGRAM.replace('{"a"}', '{"b"}'), PROPAGATE)
    assert not result.ok
    assert not result.crashed
    assert result.diagnostics[0].startswith("-:4:3: error: ")
    assert result.first_error == "'func.func' op arg 0 - unknown axis name: \"b\""


def test_an_unknown_pass_is_an_error() -> None:
    assert "does not refer to a registered pass" in run_reference(PROGRAM, "builtin.module(no-such-pass)").first_error


def test_a_warning_is_a_diagnostic_of_a_successful_run() -> None:
    result = run_reference(
        PROGRAM.replace("stablehlo.negate %arg0 : ", "chlo.erf %arg0 : tensor<8xf32> -> "), PROPAGATE
    )
    assert result.ok
    assert any("warning: op 'chlo.erf' is unknown" in line for line in result.diagnostics)


def test_a_crash_is_a_result_and_does_not_spoil_the_next_run() -> None:
    crashing = PROGRAM.replace("<@mesh, ", '<mesh<["a"=2]>, ')
    result = run_reference(crashing, PROPAGATE)
    assert result.crashed
    assert "SIGSEGV" in result.diagnostics[0]
    assert run_reference(PROGRAM, PROPAGATE).ok


def test_our_text_is_normalized_in_the_same_run() -> None:
    result = run_reference(PROGRAM, "builtin.module()", also_normalize=PROGRAM)
    assert result.normalized == result.text


def test_a_text_of_ours_that_mlir_cannot_read_is_reported() -> None:
    result = run_reference(PROGRAM, "builtin.module()", also_normalize=PROGRAM.replace("negate", "negated"))
    assert result.ok
    assert "custom op 'stablehlo.negated' is unknown" in result.normalized_error
