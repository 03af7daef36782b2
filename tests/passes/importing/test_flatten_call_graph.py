"""Every function is called at most once."""

from __future__ import annotations

from tests.passes.running import body_after, first_error, same_body

FLATTEN = "sdy-flatten-call-graph"


def test_the_first_call_keeps_the_function_and_later_ones_get_copies() -> None:
    same_body(
        FLATTEN,
        """
        func.func @main() { call @f() : () -> () call @f() : () -> () call @g() : () -> () return }
        func.func private @f() { call @g() : () -> () return }
        func.func private @g() { return }
        """,
        """
        func.func @main() {
          call @f() : () -> ()
          call @f_1() : () -> ()
          call @g_2() : () -> ()
          return
        }
        func.func private @f() {
          call @g() : () -> ()
          return
        }
        func.func private @g() {
          return
        }
        func.func private @g_0() attributes {sdy.original_func_name = "g"} {
          return
        }
        func.func private @f_1() attributes {sdy.original_func_name = "f"} {
          call @g_0() : () -> ()
          return
        }
        func.func private @g_2() attributes {sdy.original_func_name = "g"} {
          return
        }
        """,
    )


def test_a_function_that_calls_itself_cannot_be_copied() -> None:
    program = """
        func.func @main() { call @f() : () -> () return }
        func.func private @f() { call @f() : () -> () return }
        """
    assert first_error(FLATTEN, program).startswith("function @f calls itself, directly or through others")


def test_a_nested_module_keeps_its_own_functions() -> None:
    program = """
        func.func @main() { call @f() : () -> () return }
        func.func private @f() { return }
        module @inner {
          func.func @g() { call @f() : () -> () call @f() : () -> () return }
          func.func private @f() { return }
        }
        """
    assert body_after(FLATTEN, program) == body_after("symbol-dce", program)
