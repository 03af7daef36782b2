"""Text is untrusted: whatever it is, it becomes a program or one located error, in little time and memory."""

from __future__ import annotations

import sys
import time
import tracemalloc

import pytest

from pyshardy import PyshardyError, parse
from pyshardy.ir.parsing.possessive import RIGHT
from pyshardy.versions import is_compiled

SIZE = 200_000
DEPTH = 100_000
CONSTANT = "module attributes {a.b = "


def failure(text: str) -> tuple[int, int, str]:
    """Line, column and message of the only error in ``text``."""
    with pytest.raises(PyshardyError) as caught:
        parse(text, allow_unregistered=True)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.severity == "error" and diagnostic.position.line >= 1
    return diagnostic.position.line, diagnostic.position.column, diagnostic.message


@pytest.mark.parametrize("text", ["", " \n\t\r\n", "// nothing but a comment", "\n" * SIZE, "/" * SIZE])
def test_a_text_without_operations_is_an_empty_module(text: str) -> None:
    assert str(parse(text)) == "module {\n}\n"


@pytest.mark.parametrize(
    ("data", "column"),
    [
        (b"module {\0}", 9),
        (b"\0" * SIZE, 1),
        (b"module {\xe9}", 9),
        (b"\xff" * SIZE, 1),
        (b"\xef\xbb\xbfmodule {}", 1),
        ("module {}".encode("utf-16"), 1),
        ("module {é}".encode(), 9),
        (b"\x0cmodule {}", 1),
    ],
)
def test_bytes_that_are_no_text_are_unexpected_characters(data: bytes, column: int) -> None:
    assert failure(data.decode("utf-8", "surrogateescape")) == (1, column, "unexpected character")


def test_any_byte_may_stand_in_a_string_or_comment() -> None:
    text = b'module attributes {a.b = "\xe9\0"} {} // \xff\0'.decode("utf-8", "surrogateescape")
    assert str(parse(text)) == 'module attributes {a.b = "\\E9\\00"} {\n}\n'


@pytest.mark.parametrize("character", list("([{<\"@%#!^.,:-=+*?|&0xa5'$~`\\;"))
def test_one_character_a_hundred_thousand_times_is_one_error(character: str) -> None:
    line, column, _ = failure(character * SIZE)
    assert line == 1 and column <= 2


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        (CONSTANT + '"x', 28, "expected '\"' in string literal"),
        (CONSTANT + '"x\n"} {}', 28, "expected '\"' in string literal"),
        (CONSTANT + '"' + "x" * SIZE, SIZE + 27, "expected '\"' in string literal"),
        (CONSTANT + '"' + '\\"' * SIZE, 2 * SIZE + 27, "expected '\"' in string literal"),
        (CONSTANT + '"' + "x" * SIZE + '\\q"', SIZE + 27, "unknown escape in string literal"),
        (CONSTANT + "[1, 2", 29, "expected ',' or ']'"),
        (CONSTANT + "[" + "1, " * SIZE, 3 * SIZE + 25, "expected attribute value"),
        (CONSTANT + "{x = 1", 31, "expected '}' in attribute dictionary"),
        (CONSTANT + "array<i8: 1", 36, "expected '>'"),
        (CONSTANT + "dense<[1, 2", 35, "expected ']'"),
        (CONSTANT + "#foo.bar<[<1", 34, "unbalanced '<' character in pretty dialect name"),
        (CONSTANT + "#foo.bar<[" + '"a"' * SIZE, None, "unbalanced '[' character in pretty dialect name"),
    ],
)
def test_what_is_never_closed_is_an_error_at_its_end(text: str, column: int | None, message: str) -> None:
    line, found, said = failure(text)
    assert (line, said) == (1, message)
    assert column is None or abs(found - column) <= 2


FUNCTION = "func.func private @f("


@pytest.mark.parametrize(
    ("head", "opening", "closing"),
    [
        ("", '"a.b"() ({', "}) : () -> ()"),
        ("", "module {", "}"),
        ("", "func.func @f() {", "}"),
        ("", '"stablehlo.case"(%i) ({', "}) : (tensor<i32>) -> ()"),
        (CONSTANT, "[", "]"),
        (CONSTANT, "{a = ", "}"),
        (CONSTANT, "(", ")"),
        (CONSTANT, "loc(fused<", ">"),
        (CONSTANT, "#foo.a<", ">"),
        (CONSTANT, "#foo<", ">"),
        (CONSTANT, "!foo.a<", ">"),
        (CONSTANT, "#sdy.sharding<", ">"),
        (CONSTANT, "#sdy.sharding_per_value<[<", ">]>"),
        (CONSTANT, "#stablehlo.gather<", ">"),
        (CONSTANT, "distinct[0]<", ">"),
        (CONSTANT + "affine_map<(d0) -> (", "(", ")"),
        (CONSTANT + "dense<", "[", "]"),
        (FUNCTION, "tuple<", ">"),
        (FUNCTION, "complex<", ">"),
        (FUNCTION, "tensor<1xf32, ", ">"),
        (FUNCTION, "tensor<2x", ">"),
        (FUNCTION, "vector<2x", ">"),
        (FUNCTION, "memref<2x", ">"),
        ("module {} loc(", "fused[", "]"),
        ("module {} loc(", "callsite(", ")"),
        ("module {} loc(", '"a"(', ")"),
    ],
)
def test_nesting_a_hundred_thousand_deep_is_one_error(head: str, opening: str, closing: str) -> None:
    failure(head + opening * DEPTH)
    failure(head + opening * DEPTH + closing * DEPTH)


@pytest.mark.parametrize(
    ("head", "opening", "middle", "closing"),
    [
        ("", "module {", "", "}"),
        ("", '"a.b"() ({', "", "}) : () -> ()"),
        (CONSTANT, "[" * 50, "", "]" * 50),
        (FUNCTION, "tuple<" * 50, "", ">" * 50),
    ],
)
def test_what_is_deep_but_within_the_limits_is_read_and_printed(
    head: str, opening: str, middle: str, closing: str
) -> None:
    levels = 1 if head else 190
    tail = {CONSTANT: "} {}", FUNCTION: ")"}.get(head, "")
    module = parse(head + opening * levels + middle + closing * levels + tail, allow_unregistered=True)
    assert str(parse(str(module), allow_unregistered=True)) == str(module)


@pytest.mark.skipif(is_compiled(), reason="compiled functions take nothing of Python's stack")
def test_a_caller_deep_in_the_stack_gets_an_error_too() -> None:
    def parse_below(frames: int) -> str:
        if frames:
            return parse_below(frames - 1)
        return failure(FUNCTION + "tuple<" * 95 + ">" * 95 + ")")[2]

    # Who called before may have made the stack larger.
    assert parse_below(sys.getrecursionlimit() - 400) == "nesting too deep for the rest of Python's stack"


@pytest.mark.parametrize(
    ("definitions", "use"),
    [
        ("#a0 = [1]\n", "#a{n} = [#a{m}, #a{m}]\n"),
        ("!a0 = i32\n", "!a{n} = tuple<!a{m}, !a{m}>\n"),
    ],
)
def test_aliases_of_aliases_cannot_fill_the_memory(definitions: str, use: str) -> None:
    text = definitions + "".join(use.format(n=n, m=n - 1) for n in range(1, 60))
    assert failure(text)[2] == "alias stands for too much text, the limit of this parser"


def test_aliases_of_aliases_count_as_nesting() -> None:
    text = "#a0 = [1]\n" + "".join(f"#a{n} = [#a{n - 1}]\n" for n in range(1, DEPTH // 10))
    assert failure(text)[2] == "nesting deeper than 100 levels, the limit of this parser"


def test_locations_of_locations_may_be_long_chains() -> None:
    lines = ['#loc0 = loc("a":1:1)', *(f"#loc{n} = loc(callsite(#loc{n - 1} at #loc0))" for n in range(1, 1000))]
    assert str(parse("\n".join([*lines, "module {} loc(#loc999)"]))) == "module {\n}\n"


DIGITS = "9" * 10_000


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (CONSTANT + "99999999999999999999 : i64} {}", "integer constant out of range for attribute"),
        (CONSTANT + f"{DIGITS}}} {{}}", "integer constant out of range for attribute"),
        (CONSTANT + f"-{DIGITS} : i32}} {{}}", "integer constant out of range for attribute"),
        (CONSTANT + f"0x{DIGITS} : i64}} {{}}", "integer constant out of range for attribute"),
        (CONSTANT + f"array<i64: {DIGITS}>}} {{}}", "integer constant out of range"),
        (CONSTANT + f"dense<{DIGITS}> : tensor<1xi32>}} {{}}", "integer constant out of range for type"),
        (FUNCTION + "tensor<9223372036854775808xf32>)", "invalid dimension"),
        (FUNCTION + f"tensor<{DIGITS}xf32>)", "invalid dimension"),
        (FUNCTION + f"vector<{DIGITS}xf32>)", "invalid dimension"),
        (FUNCTION + f"i{DIGITS})", "invalid integer width"),
        (f'%0:{DIGITS} = "a.b"() : () -> i32', "expected named operation to have at least 1 result"),
        ('%0:99999999999 = "a.b"() : () -> i32', "operation defines 1 results but was provided 99999999999 to bind"),
        (f"func.func @f(%a: i32) {{ return %a#{DIGITS} : i32 }}", "invalid SSA value result number"),
        (f'module {{}} loc("a":{DIGITS}:1)', "expected integer line number in FileLineColRange"),
        ('sdy.mesh @m = <["x"=99999999999], device_ids=[0]>', "custom op 'sdy.mesh' total product of axis sizes"),
    ],
)
def test_numbers_beyond_their_type_are_one_error(text: str, message: str) -> None:
    assert failure(text)[2].startswith(message)


@pytest.mark.parametrize(
    "text",
    [
        FUNCTION + "tensor<99999999999xf32>)",
        FUNCTION + "tensor<9223372036854775807x9223372036854775807xf32>)",
        CONSTANT + "dense<1> : tensor<99999999999xi32>} {}",
        CONSTANT + "sparse<0, 1> : tensor<99999999999xi32>} {}",
        f"{CONSTANT}1.0e{DIGITS}}} {{}}",
        FUNCTION + "tensor<" + "1x" * 10_000 + "f32>)",
    ],
)
def test_large_shapes_are_legal_and_cost_nothing(text: str) -> None:
    tracemalloc.start()
    str(parse(text))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10_000_000


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "(" * 300_000,
        CONSTANT + "[" + "1, " * 100_000,
        CONSTANT + "dense<[" + "1, " * 100_000,
        CONSTANT + "dense<[" + "1, " * 100_000 + "x]> : tensor<100001xi32>} {}",
        CONSTANT + "dense<[" + "[1], " * 60_000,
        CONSTANT + "array<i64: " + "1, " * 100_000,
        CONSTANT + '"' + '\\"' * 150_000,
        CONSTANT + "#foo.bar<" + "<" * 300_000,
        FUNCTION + "tensor<" + "1x" * 150_000,
        "module {" + "func.func private @f() " * 12_000,
    ],
    ids=lambda text: text[:40],
)
def test_much_nonsense_takes_little_time_and_memory(text: str) -> None:
    tracemalloc.start()
    failure(text)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # Where possessive groups are written as atomic ones (CPython up to 3.11.3), each repetition is kept meanwhile.
    assert peak < (40 if RIGHT else 160) * len(text) + 5_000_000
    # A machine that stands still for seconds does so once; what is quadratic is slow each time.
    assert any(seconds_of(text) < 2 for _ in range(3))


def seconds_of(text: str) -> float:
    """Those of this thread: JAX's threads may still work for tests before."""
    start = time.thread_time()
    failure(text)
    return time.thread_time() - start


def test_undefined_values_are_reported_up_to_a_hundred() -> None:
    names = ", ".join(f"%v{number}" for number in range(1000))
    types = ", ".join(["i32"] * 1000)
    with pytest.raises(PyshardyError) as caught:
        parse(f'func.func @f() {{ "a.b"({names}) : ({types}) -> () return }}', allow_unregistered=True)
    assert len(caught.value.diagnostics) == 100
