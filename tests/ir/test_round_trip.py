"""Reading and printing as properties of any program: printing what was read is a fixed point in every form, and the two
tiers of reading make the same program."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pyshardy.ir.context import Context
from pyshardy.ir.operation import Block, Operation
from pyshardy.ir.parsing.lines.fast_reader import FastReader
from pyshardy.ir.parsing.parser import parse_module
from pyshardy.ir.parsing.value_parser import Scope
from pyshardy.ir.printing.program_text import operation_text
from pyshardy.ir.source_text import SourceText
from tests.generator import Features, random_program

PLAIN = Features()
EVERYTHING = replace(
    PLAIN,
    operations=25,
    propagation_barriers=0.5,
    sharding_groups=0.3,
    dead_operations=0.3,
    sharding_rules=0.2,
    odd_meshes=0.3,
    unreduced_axes=0.2,
    operation_shardings=0.4,
    decorations=0.3,
    generic_form=0.5,
)
FORMS = {
    "pretty": {"generic": False, "debug_info": False},
    "generic": {"generic": True, "debug_info": False},
    "pretty with locations": {"generic": False, "debug_info": True},
    "generic with locations": {"generic": True, "debug_info": True},
}
SEEDS = range(10)


def read(text: str) -> Operation:
    """The module in ``text``."""
    return parse_module(Context(SourceText(text))).op


def text_in(form: str, op: Operation, source: str) -> str:
    """The text of ``op``, which was read from ``source``."""
    generic, debug_info = FORMS[form]["generic"], FORMS[form]["debug_info"]
    return operation_text(op, generic=generic, debug_info=SourceText(source) if debug_info else None)


def uses(root: Operation) -> list[list[tuple[int, int]]]:
    """For every value in ``root`` its uses in order, as numbers of operations in pre-order and of operands."""
    numbers = {op: number for number, op in enumerate(root.walk())}
    arguments = [one for op in numbers for one in op.block_arguments()]
    values = [*arguments, *(result for op in numbers for result in op.results)]
    return [[(numbers[user], index) for user, index in value.uses] for value in values]


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("features", [PLAIN, EVERYTHING], ids=["plain", "everything"])
def test_printing_what_was_read_is_a_fixed_point(form: str, features: Features) -> None:
    for seed in SEEDS:
        source = random_program(seed, features)
        once = text_in(form, read(source), source)
        assert text_in(form, read(once), once) == once, f"seed {seed}"


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_every_form_holds_the_whole_program(form: str) -> None:
    for seed in SEEDS:
        source = random_program(seed, EVERYTHING)
        module = read(source)
        again = read(text_in(form, module, source))
        # The short form of a reduction does not print what its body carries besides.
        for other in ("generic",) if "generic" in form else ("pretty",):
            assert text_in(other, again, "") == text_in(other, module, source), f"seed {seed}"
        assert uses(again) == uses(module), f"seed {seed}"


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_both_tiers_of_reading_make_the_same_program(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    programs = []
    for seed in SEEDS:
        source = random_program(seed, EVERYTHING)
        text = text_in(form, read(source), source)
        programs.append((text, read(text)))

    def decline(reader: FastReader, block: Block, scope: Scope, default_dialect: str, offset: int) -> int:
        return offset

    monkeypatch.setattr(FastReader, "read", decline)
    for seed, (text, fast) in enumerate(programs):
        slow = read(text)
        for other in FORMS:
            assert text_in(other, fast, text) == text_in(other, slow, text), f"seed {seed}"
        assert uses(fast) == uses(slow), f"seed {seed}"


def test_an_operation_that_goes_on_in_the_next_line_is_read_whole() -> None:
    read("func.func @f() {\n  return\n}\n")
    source = 'func.func @f(%a: i32) -> i32 {\n  return\n  %a : i32\n}\nfunc.func @g() {\n  return\n  loc("late")\n}\n'
    text = operation_text(read(source), debug_info=SourceText(source))
    assert "return %arg0 : i32" in text
    assert 'loc("late")' in text


def test_the_fast_tier_reads_most_lines_of_a_program_that_repeats_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "".join(f"  %{n} = stablehlo.abs %{n - 1} : tensor<4xf32> loc(#loc{n})\n" for n in range(1, 100))
    names = "".join(f'#loc{n} = loc("l{n}")\n' for n in range(1, 100))
    text = f"func.func @f(%0: tensor<4xf32>) {{\n{lines}  return\n}}\n{names}"
    learnt: list[str] = []
    learn = FastReader.learn

    def count(
        reader: FastReader, op: Operation, place: int, scope: Scope, default_dialect: str, start: int, end: int
    ) -> None:
        learnt.append(op.name)
        learn(reader, op, place, scope, default_dialect, start, end)

    monkeypatch.setattr(FastReader, "learn", count)
    read(text)
    assert learnt.count("stablehlo.abs") <= 1
