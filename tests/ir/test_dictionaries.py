"""A dictionary of attributes is the same object however it was made."""

from __future__ import annotations

import random

from pyshardy.ir.attributes import DictionaryAttr, StringAttr

_OLD, _NEW = StringAttr("old"), StringAttr("new")
_ASCII, _OTHERS = "ab.Z_0", "éß漢\U0001f600\udc80\udcff"
"""Surrogates stand for bytes that are no UTF-8."""


def test_an_entry_that_is_added_stands_where_sorting_puts_it() -> None:
    draw = random.Random(0)

    def name(letters: str) -> str:
        return "".join(draw.choices(letters, k=draw.randint(1, 4)))

    for _ in range(3000):
        before = DictionaryAttr({name(_ASCII + _OTHERS): _OLD for _ in range(draw.randint(0, 5))})
        added = name(draw.choice((_ASCII, _ASCII + _OTHERS)))
        assert before.with_(added, _NEW) is DictionaryAttr({**before.entries, added: _NEW})


def test_an_entry_that_is_there_is_replaced_or_stays() -> None:
    before = DictionaryAttr({"a": _OLD, "b": _OLD})
    assert before.with_("a", _OLD) is before
    assert before.with_("b", _NEW) is DictionaryAttr({"b": _NEW, "a": _OLD})
    assert before.without("b").with_("b", _OLD) is before
