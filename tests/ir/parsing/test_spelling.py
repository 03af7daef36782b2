"""Types and attributes of other dialects: kept as written, and one type however blanks stand in them."""

from __future__ import annotations

import pytest

from pyshardy import PyshardyError, parse


def test_each_occurrence_is_printed_as_it_was_written() -> None:
    text = str(parse("module attributes {x.a = #foo.q<a,  b>, x.b = #foo.q<a,\n b>} {}", allow_unregistered=True))
    assert "x.a = #foo.q<a,  b>, x.b = #foo.q<a,\n b>" in text


def test_a_type_over_two_lines_is_the_type_in_one() -> None:
    module = parse(
        """func.func @main(%x: !foo.bar<a, b>) -> !foo.bar< a,b > {
             "foo.use"(%x) : (!foo.bar<a,
                 b /* no comment */ // comment
               >) -> ()
             return %x : !foo.bar<a,b>
           }""".replace("/* no comment */", ""),
        allow_unregistered=True,
    )
    assert str(module).count("!foo.bar<a, b>") == 4


def test_blanks_inside_of_strings_and_between_words_count() -> None:
    for one, other in (('<"a b">', '<"a  b">'), ("<a b>", "<ab>")):
        text = f'func.func @main(%x: !foo.bar{one}) {{ "foo.use"(%x) : (!foo.bar{other}) -> () return }}'
        with pytest.raises(PyshardyError, match="expects different type"):
            parse(text, allow_unregistered=True)


def test_what_else_is_wrong_is_said_once() -> None:
    text = 'func.func @main(%x: !foo.bar<a, b>) { "foo.use"(%x) : (!foo.bar<a,b>) -> () return %x : i32 }'
    with pytest.raises(PyshardyError) as error:
        parse(text, allow_unregistered=True)
    assert len(error.value.diagnostics) == 1
    assert "'i32' vs '!foo.bar<a, b>'" in error.value.diagnostics[0].message


def test_mpmd_is_printed_in_one_way() -> None:
    text = str(
        parse(
            'module attributes {x.a = #mpmd.topology<<"m1":<["x"  = 2]>>>, '
            'x.b = !mpmd.mesh_tensor< "m1",tensor<8xf32>,\n sharding=<@mesh,[{"a"},{}]>>} {}',
            allow_unregistered=True,
        )
    )
    assert 'x.a = #mpmd.topology<<"m1" : <["x"=2]>>>' in text
    assert 'x.b = !mpmd.mesh_tensor<"m1", tensor<8xf32>, sharding=<@mesh, [{"a"}, {}]>>' in text
