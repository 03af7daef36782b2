"""A program for every cause that keeps an axis away, and the same one without the cause; but for the last visit, which
takes a program of JAX.

``test_obstacles`` asks both.
"""

from __future__ import annotations

from typing import NamedTuple

from pyshardy.analysis.why import failed_conditions as failed
from tests.analysis.why.programs import program, sharded


class Stopped(NamedTuple):
    """In ``text`` the ``cause`` keeps the axis ``"x"`` (or ``axis``) away from dimension ``dim`` of ``what``; in
    ``without`` it is deleted. ``then`` is the next cause, empty if the axis comes, ``by`` the annotation to blame."""

    cause: str
    text: str
    what: str
    dim: int
    without: str
    by: str = ""
    then: str = ""
    axis: str = '"x"'


def _unary(argument: str, result: str, operation: str = "stablehlo.tanh %a : tensor<8x8xf32>") -> str:
    """One operation on an 8 by 8 matrix."""
    return program(f"""
func.func @main(%a: tensor<8x8xf32> {sharded(argument)}) -> (tensor<8x8xf32> {sharded(result)}) {{
  %0 = {operation}
  return %0 : tensor<8x8xf32>
}}""")


def _sum(first: str, second: str, attributes: str = "") -> str:
    """The sum of two matrices."""
    return program(f"""
func.func @main(%a: tensor<8x8xf32> {sharded(first)}, %b: tensor<8x8xf32> {sharded(second)}) -> tensor<8x8xf32> {{
  %0 = stablehlo.add %a, %b {attributes} : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}}""")


def _carried(attributes: str) -> str:
    return f"{{sdy.sharding = #sdy.sharding_per_value<[<@mesh, {attributes}>]>}}"


def _reshaped(type: str, sharding: str, to: str) -> str:
    return program(f"""
func.func @main(%a: tensor<{type}xf32> {sharded(sharding)}) -> tensor<{to}xf32> {{
  %0 = stablehlo.reshape %a : (tensor<{type}xf32>) -> tensor<{to}xf32>
  return %0 : tensor<{to}xf32>
}}""")


def _returned(size: int, sharding: str) -> str:
    """A result that is exactly its argument."""
    return program(f"""
func.func @main(%a: tensor<{size}xf32>) -> (tensor<{size}xf32> {sharded(sharding)}) {{
  %0 = stablehlo.tanh %a : tensor<{size}xf32>
  return %0 : tensor<{size}xf32>
}}""")


def _sliced(size: int) -> str:
    """Some rows from the middle of eight."""
    types = f"(tensor<8xf32>, tensor<i32>) -> tensor<{size}xf32>"
    return program(f"""
func.func @main(%a: tensor<8xf32> {sharded('[{"x"}]')}, %i: tensor<i32>) -> tensor<{size}xf32> {{
  %0 = stablehlo.dynamic_slice %a, %i, sizes = [{size}] : {types}
  return %0 : tensor<{size}xf32>
}}""")


def _barrier(direction: str) -> str:
    operation = f"sdy.propagation_barrier %a allowed_direction={direction} : tensor<8x8xf32>"
    return _unary('[{"x"}, {?}]', "[{?}, {?}]", operation)


def _rule(blocked: str) -> str:
    rule = f"#sdy.op_sharding_rule<([i, j])->([i, j]) {{i=8, j=8}}{blocked}, custom>"
    call = '"stablehlo.custom_call"(%a) <{call_target_name = "f"}> {sdy.sharding_rule = '
    return _unary('[{"x"}, {?}]', "[{?}, {?}]", f"{call}{rule}}} : (tensor<8x8xf32>) -> tensor<8x8xf32>")


def _unknown() -> str:
    call = '"stablehlo.custom_call"(%a) <{call_target_name = "f"}> : (tensor<8x8xf32>) -> tensor<8x8xf32>'
    return _unary('[{"x"}, {?}]', "[{?}, {?}]", call)


def _manual(axis: str, local: str) -> str:
    """What is sharded along an axis outside, and inside of the computation that has it as a manual one."""
    return program(f"""
func.func @main(%a: tensor<8x8xf32> {sharded('[{?}, {"x"}]')}, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {{
  %0 = sdy.manual_computation(%a, %b) in_shardings=[<@mesh, [{{?}}, {{?}}]>, <@mesh, [{{"{axis}"}}, {{?}}]>]
      out_shardings=[<@mesh, [{{"{axis}"}}, {{?}}]>] manual_axes={{"{axis}"}}
      (%p: tensor<8x8xf32>, %q: tensor<{local}x8xf32>) {{
    %1 = stablehlo.slice %p [0:{local}, 0:8] : (tensor<8x8xf32>) -> tensor<{local}x8xf32>
    %2 = stablehlo.add %1, %q : tensor<{local}x8xf32>
    sdy.return %2 : tensor<{local}x8xf32>
  }} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}}""")


def _meshes(second: str) -> str:
    other = f'#sdy.sharding<@{second}, [{{?}}, {{?}}], replicated={{"y"}}>'
    return f"""sdy.mesh @mesh = <["x"=2, "y"=4]>
sdy.mesh @other = <["y"=4, "x"=2]>
func.func @main(%a: tensor<8x8xf32> {sharded('[{"x"}, {?}]')}, %b: tensor<8x8xf32> {{sdy.sharding = {other}}})
    -> tensor<8x8xf32> {{
  %0 = stablehlo.add %a, %b : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}}"""


STOPPED = (
    Stopped(
        failed.CLOSED,
        _unary('[{"x"}, {?}]', "[{}, {?}]"),
        "result[0]",
        0,
        _unary('[{"x"}, {?}]', "[{?}, {?}]"),
        "result 0",
    ),
    Stopped(
        failed.TAKEN,
        _unary('[{"x"}, {?}]', '[{?}, {"x"}]'),
        "%arg0",
        1,
        _unary("[{?}, {?}]", '[{?}, {"x"}]'),
        "argument %arg0",
    ),
    Stopped(
        failed.LATE,
        _sum('[{"x"}p1, {?}]', '[{?}, {"x"}p0]'),
        "%0",
        0,
        _sum('[{"x"}p1, {?}]', "[{?}, {?}]"),
        "argument %arg1",
    ),
    Stopped(
        failed.CONFLICT,
        _sum('[{"x"}, {?}]', '[{"y"}, {?}]'),
        "%0",
        0,
        _sum('[{"x"}, {?}]', "[{?}, {?}]"),
        "argument %arg1",
    ),
    Stopped(failed.DIVIDES, _reshaped("6", '[{"x"}]', "3x2"), "%0", 0, _reshaped("6", '[{"x"}]', "2x3")),
    Stopped(
        failed.DIVIDES,
        _returned(6, '[{"y"}]'),
        "result[0]",
        0,
        _returned(8, '[{"y"}]'),
        "result 0",
        axis='"y"',
    ),
    Stopped(
        failed.SMALLER,
        _returned(3, '[{"y"}]'),
        "result[0]",
        0,
        _returned(4, '[{"y"}]'),
        "result 0",
        axis='"y"',
    ),
    Stopped(failed.STRIDED, _reshaped("2x4", '[{?}, {"x"}]', "8"), "%0", 0, _reshaped("1x8", '[{?}, {"x"}]', "8")),
    Stopped(failed.REPLICATION, _sliced(4), "%0", 0, _sliced(8)),
    Stopped(
        failed.PERMUTATION,
        _rule(" permutation={i} blocked_propagation={i}"),
        "%0",
        0,
        _rule(" permutation={i}"),
    ),
    Stopped(failed.BLOCKED, _rule(" blocked_propagation={i}"), "%0", 0, _rule("")),
    Stopped(failed.NO_RULE, _unknown(), "%0", 0, _rule("")),
    Stopped(failed.BARRIER, _barrier("BACKWARD"), "%0", 0, _barrier("FORWARD")),
    Stopped(
        failed.MANUAL,
        _manual("x", "4"),
        "manual_computation:0/%arg2",
        1,
        _manual("y", "2"),
        "the manual computation with operand 0 (-:4)",
    ),
    Stopped(
        failed.REPLICATED,
        _sum('[{"x"}, {?}]', '[{?}, {?}], replicated={"x"}'),
        "%arg1",
        0,
        _sum('[{"x"}, {?}]', "[{?}, {?}]"),
        "argument %arg1",
    ),
    Stopped(
        failed.UNREDUCED,
        _sum('[{"x"}, {?}]', '[{?}, {?}], unreduced={"x"}'),
        "%arg1",
        0,
        _sum('[{"x"}, {?}]', "[{?}, {?}]"),
        "argument %arg1",
    ),
    Stopped(
        failed.HELD_BACK,
        _sum('[{"x"}, {?}]', "[{?}, {?}]", _carried("[{}, {?}]")),
        "%arg1",
        0,
        _sum('[{"x"}, {?}]', "[{?}, {?}]", _carried("[{?}, {?}]")),
        "the sharding written on %0 (-:4)",
    ),
    Stopped(failed.OTHER_MESH, _meshes("other"), "%arg1", 0, _meshes("mesh"), "argument %arg0"),
    Stopped(failed.NOT_ASKED, _unary("[{?}, {?}]", "[{?}, {?}]"), "%0", 0, _unary('[{"x"}, {?}]', "[{?}, {?}]")),
)
