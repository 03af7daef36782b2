"""Symbols that nobody uses go."""

from __future__ import annotations

from tests.passes.running import body_after, first_error, same_body


def test_a_private_function_stays_only_if_something_alive_calls_it() -> None:
    same_body(
        "symbol-dce",
        """
        func.func @main() { call @a() : () -> () return }
        func.func private @a() { return }
        func.func private @b() { call @c() : () -> () return }
        func.func private @c() { call @b() : () -> () return }
        """,
        """
        func.func @main() {
          call @a() : () -> ()
          return
        }
        func.func private @a() {
          return
        }
        """,
    )


def test_a_sharding_keeps_its_mesh() -> None:
    same_body(
        "symbol-dce",
        """
        sdy.mesh @unused = <["x"=2]> {sym_visibility = "private"}
        sdy.mesh @public = <["x"=2]>
        sdy.mesh @used = <["x"=2]> {sym_visibility = "private"}
        func.func private @f(tensor<8xf32> {sdy.sharding = #sdy.sharding<@used, [{"x"}]>})
        func.func @main(%a: tensor<8xf32>) { call @f(%a) : (tensor<8xf32>) -> () return }
        """,
        """
        sdy.mesh @public = <["x"=2]>
        sdy.mesh @used = <["x"=2]> {sym_visibility = "private"}
        func.func private @f(tensor<8xf32> {sdy.sharding = #sdy.sharding<@used, [{"x"}]>})
        func.func @main(%arg0: tensor<8xf32>) {
          call @f(%arg0) : (tensor<8xf32>) -> ()
          return
        }
        """,
    )


def test_a_path_into_a_module_reaches_nothing_private() -> None:
    program = """
        module @inner attributes {sym_visibility = "private"} {
          func.func private @hidden() { return }
          func.func nested @seen() { return }
        }
        func.func @main() attributes {one.two = @inner::@NAME} { return }
        """
    assert "@seen()" in body_after("symbol-dce", program.replace("NAME", "seen"))
    assert "module @inner" not in body_after("symbol-dce", program.replace("NAME", "hidden"))


def test_only_what_holds_symbols_can_be_cleaned() -> None:
    error = first_error("builtin.module(func.func(symbol-dce))", "func.func @main() { return }")
    assert error == "'func.func' op  was scheduled to run under SymbolDCE, but does not define a symbol table"
