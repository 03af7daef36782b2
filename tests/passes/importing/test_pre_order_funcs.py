"""Callers come before what they call."""

from __future__ import annotations

import re

from tests.passes.running import body_after

ORDER = "sdy-pre-order-funcs"


def _order(program: str) -> list[str]:
    return re.findall(r"^(?:func\.func|sdy\.mesh).*?@(\w+)", body_after(ORDER, program), re.MULTILINE)


def test_callers_come_first_and_what_is_no_function_with_a_body_before_them() -> None:
    program = """
        func.func private @leaf() { return }
        func.func @main() { call @a() : () -> () call @b() : () -> () return }
        func.func private @a() { call @leaf() : () -> () return }
        func.func private @b() { call @leaf() : () -> () return }
        func.func private @outside()
        sdy.mesh @m = <["x"=2]>
        """
    assert _order(program) == ["outside", "m", "main", "b", "a", "leaf"]


def test_independent_functions_change_places() -> None:
    program = "func.func @f() { return }\nfunc.func @g() { return }\nfunc.func @h() { return }"
    assert _order(program) == ["h", "g", "f"]


def test_a_cycle_does_no_harm() -> None:
    program = """
        func.func @f() { call @g() : () -> () return }
        func.func @g() { call @f() : () -> () return }
        """
    assert _order(program) == ["f", "g"]
