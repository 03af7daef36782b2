"""Lines that repeat those before them are read as if they had been read one by one."""

from __future__ import annotations

import re
from random import Random
from unittest.mock import patch

import pytest

from pyshardy import Module, PyshardyError, parse
from pyshardy.ir.attributes import EMPTY_DICTIONARY
from pyshardy.ir.context import Context
from pyshardy.ir.diagnostics import Diagnostic
from pyshardy.ir.locations import Location
from pyshardy.ir.operation import Block, Value
from pyshardy.ir.parsing.lines import fast_reader, line_tokens
from pyshardy.ir.parsing.lines.fast_reader import FastReader
from pyshardy.ir.parsing.lines.line_groups import LineGroup
from pyshardy.ir.parsing.lines.line_recipes import LineRecipe
from pyshardy.ir.parsing.lines.repeated_lines import is_twice, periods_of
from pyshardy.ir.source_text import SourceText
from pyshardy.module import parse_in
from pyshardy.versions import is_compiled
from tests.folding.programs import perceptrons
from tests.propagation.layered_programs import LayeredProgram
from tests.use_order import uses_by_number

NAME = re.compile(r"%[\w$.-]+")


def jax_like(layers: int, *, further: str = "", odd: int = -1) -> str:
    """Layers whose values have numbers, some with a name before it, and several results in one; each ends with a
    ``further`` line about its result. The argument of layer ``odd`` is of another type."""
    row = "tensor<8x8xf32>"
    lines, number, constant = [], 0, 0
    for layer in range(layers):
        before = f"%{number - 1}" if layer else "%arg0"
        lines += [
            f"%cst_{constant} = stablehlo.constant dense<0.0> : tensor<f32>",
            f"%{number} = stablehlo.broadcast_in_dim %cst_{constant}, dims = [] : (tensor<f32>) -> {row}",
            f"%{number + 1}:2 = stablehlo.optimization_barrier {before}, %{number} : {row}, {row}",
            f"%{number + 2} = stablehlo.add %{number + 1}#0, %{number + 1}#1 : {row}",
            f"%{number + 3} = stablehlo.multiply %{number + 2}, %arg{layer + 1} : {row}",
        ]
        lines += [further.replace("%", f"%{number + 3}")] if further else []
        number, constant = number + 4, constant + 1
    types = [row.replace("f32", "bf16") if n == odd + 1 > 0 else row for n in range(layers + 1)]
    arguments = ", ".join(f"%arg{n}: {type}" for n, type in enumerate(types))
    body = "\n    ".join(lines)
    return f"func.func @main({arguments}) -> {row} {{\n    {body}\n    return %{number - 1} : {row}\n}}\n"


def outcome(text: str, *, repeated: bool, first_look: int = 64) -> object:
    """What comes of ``text``: the program, the order of its uses and where everything stood, or what is said. It is
    looked for repetition behind ``first_look`` lines for the first time, if lines may be ``repeated``."""
    with patch.object(fast_reader, "_FIRST_LOOK", first_look if repeated else 1 << 40):
        try:
            module = parse(text)
        except PyshardyError as error:
            return str(error)
    return str(module), uses_by_number(module.op), [op.location for op in module.op.walk()]


def lines_read_at_once(text: str) -> int:
    """How many lines were made together with others."""
    counts = []
    append = LineGroup.append

    def appending(
        self: LineGroup, block: Block, outside: list[Value], places: list[int], locations: list[Location | None]
    ) -> list[Value]:
        counts.append(len(places))
        return append(self, block, outside, places, locations)

    with patch.object(LineGroup, "append", appending):
        parse(text)
    return sum(counts)


PROGRAMS = [
    jax_like(120),
    perceptrons(120),
    *(str(LayeredProgram(seed, 60)) for seed in range(12)),
    jax_like(120, further="sdy.sharding_group % group_id=0 : tensor<8x8xf32>"),
    jax_like(120).replace("8x8xf32>\n", '8x8xf32> loc("a.py":1:2)\n'),
    re.sub(r"(add .*)\n", r"\1 loc(#loc1)\n", jax_like(120)) + "#loc1 = loc(unknown)\n",
]


@pytest.mark.parametrize("text", PROGRAMS)
def test_texts_are_read_the_same(text: str) -> None:
    assert outcome(text, repeated=True) == outcome(text, repeated=False)


@pytest.mark.skipif(is_compiled(), reason="calls of compiled functions cannot be counted")
@pytest.mark.parametrize("text", PROGRAMS[:4])
def test_most_lines_are_read_at_once(text: str) -> None:
    assert lines_read_at_once(text) > text.count("\n") / 3


LONG_LINE = f'    %long = stablehlo.constant dense<"0x{"12" * 9000}"> : tensor<9000xi8>'


def mutated(text: str, random: Random) -> str:
    """The text with one change somewhere: of a digit, a name, a line, a blank or a type, or with a line that is too
    long to be cut up."""
    lines = text.split("\n")
    number = random.randrange(len(lines))
    line = lines[number]
    names = re.findall(r"%[\w#]+", text)
    kind = random.randrange(10)
    if kind == 0:
        lines[number] = re.sub(r"\d", lambda _: str(random.randrange(10)), line, count=1)
    elif kind == 1 and "%" in line:
        lines[number] = line.replace(random.choice(re.findall(r"%[\w#]+", line)), random.choice(names), 1)
    elif kind == 2:
        lines.insert(number, random.choice(lines))
    elif kind == 3:
        del lines[number]
    elif kind == 4:
        lines[number] = random.choice((" ", "\n", "// said\n", "\t")) + line
    elif kind == 5:
        lines[number] = line.replace("f32", "bf16", 1)
    elif kind == 6:
        lines[number] = line + random.choice((" ", " loc(unknown)", " // said", " {a}"))
    elif kind == 7:
        lines.insert(number, "    loc(unknown)")
    elif kind == 8:
        lines.insert(number, LONG_LINE)
    else:
        place = random.randrange(len(line) + 1)
        lines[number] = line[:place] + random.choice("%#0(){}, ") + line[place:]
    return "\n".join(lines)


def interrupted(random: Random) -> str:
    """A program of lines that repeat after one to seven of them, with comments and long lines in between."""
    row, lines, count = "tensor<8xf32>", [], 0
    for _ in range(random.randrange(2, 9)):
        names = random.choices(("abs", "negate", "sine", "cosine", "tanh"), k=random.choice((1, 1, 2, 3, 7)))
        for number in range(random.choice((1, 3, 20, 40, 70, 120))):
            read = count if random.random() < 0.9 else random.randrange(count + 1)
            lines.append(f"    %{count + 1} = stablehlo.{names[number % len(names)]} %{read} : {row}")
            count += 1
        lines += random.choice(([], ["    // said"], [LONG_LINE.replace("long", f"long{count}")]))
    return "\n".join([f"func.func @main(%0: {row}) -> {row} {{", *lines, f"    return %{count} : {row}", "}"])


@pytest.mark.parametrize("seed", range(120))
def test_changed_texts_are_read_the_same(seed: int) -> None:
    random = Random(seed)
    text = random.choice(PROGRAMS) if seed % 2 else interrupted(random)
    for _ in range(random.randrange(1, 3)):
        text = mutated(text, random)
    expected = outcome(text, repeated=False)
    with patch.object(line_tokens, "_AT_ONCE", random.choice((1 << 7, 1 << 10, 1 << 14))):
        assert outcome(text, repeated=True, first_look=random.choice((16, 32, 64))) == expected


@pytest.mark.parametrize("lines", [40, 64, 100])
def test_a_long_line_ends_what_is_looked_at(lines: int) -> None:
    row = "tensor<8xf32>"
    first = [f"    %{name} = stablehlo.add %0, %0 : {row}" for name in "abc"]
    alike = [f"    %{number + 1} = stablehlo.negate %{number} : {row}" for number in range(lines)]
    used = [f"    %{number + 200} = stablehlo.add %{number}, %{number} : {row}" for number in range(lines)]
    body = [*first, "    // What is before this line is cut up, too.", *alike, LONG_LINE, *used]
    text = "\n".join([f"func.func @main(%0: {row}) {{", *body, "    return", "}"])
    parse(text)
    assert outcome(text, repeated=True, first_look=32) == outcome(text, repeated=False)
    assert len(parse(text).op.operations()) == 2 * lines + 7


@pytest.mark.skipif(is_compiled(), reason="calls of compiled functions cannot be replaced")
@pytest.mark.parametrize("error", [IndexError("unforeseen"), PyshardyError([])])
def test_what_fails_is_read_without_shortcuts(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    text = jax_like(40)
    expected = outcome(text, repeated=False)
    monkeypatch.setenv("PYSHARDY_SHORTCUTS", "strict")
    with patch.object(FastReader, "_repeated_ahead", side_effect=error):
        with pytest.raises(type(error)):
            parse(text)
        monkeypatch.delenv("PYSHARDY_SHORTCUTS")
        assert outcome(text, repeated=True) == expected


def test_errors_are_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYSHARDY_SHORTCUTS", raising=False)
    text = jax_like(40).replace("return %", "return %un")
    said: list[Diagnostic] = []
    with pytest.raises(PyshardyError, match="undeclared"):
        parse_in(Context(SourceText(text), handler=said.append), Module)
    assert len(said) == 1


def test_names_that_are_taken_are_seen() -> None:
    text = jax_like(120).replace("return", "%400 = stablehlo.constant dense<1.0> : tensor<f32>\n    return")
    assert outcome(text, repeated=True) == outcome(text, repeated=False)
    assert "redefinition" in str(outcome(text, repeated=True))


def test_what_follows_the_last_line_belongs_to_it() -> None:
    for lines in range(1, 6):
        text = jax_like(120)
        place = len(text)
        for _ in range(lines + 2):
            place = text.rindex("\n", 0, place)
        text = f"{text[:place]}\n    loc(unknown){text[place:]}"
        assert outcome(text, repeated=True) == outcome(text, repeated=False)
        assert "unknown" in str(outcome(text, repeated=True))


def test_types_are_those_of_the_lines() -> None:
    text = jax_like(120, odd=90)
    assert outcome(text, repeated=True) == outcome(text, repeated=False)
    assert "bf16" in str(outcome(text, repeated=True))


def test_numbers_may_begin_with_zeros() -> None:
    text = re.sub(r"%(\d+)\b", r"%0\1", jax_like(120))
    assert outcome(text, repeated=True) == outcome(text, repeated=False)
    assert is_compiled() or lines_read_at_once(text)


def located(layers: int, place: str) -> str:
    """Layers of which each line has a location: ``place``, in which ``@`` stands for the number of the line."""
    lines = jax_like(layers).split("\n")
    made = [
        f"{line} loc({place.replace('@', str(number))})" if " = " in line else line for number, line in enumerate(lines)
    ]
    aliases = [f'#loc{number} = loc("a.py":{number}:1)' for number in range(len(lines))]
    return "\n".join([*made, *(aliases if place.startswith("#loc") else ())])


@pytest.mark.parametrize("place", ["#loc@", "#loc1", '"a.py":7:3', '"100%x":7:3', '"a.py":@:3'])
def test_locations_are_those_of_the_lines(place: str) -> None:
    text = located(120, place)
    assert outcome(text, repeated=True) == outcome(text, repeated=False)
    assert is_compiled() or lines_read_at_once(text)


def test_missing_locations_are_seen() -> None:
    text = located(120, "#loc@").replace("#loc500 =", "#other =")
    assert outcome(text, repeated=True) == outcome(text, repeated=False)
    assert "never defined" in str(outcome(text, repeated=True))


def test_names_may_be_any() -> None:
    """What stands for a name in one layer is a name of another kind and length in another."""
    random = Random(5)
    kept = {
        name: random.choice(("%v", "%-", "%a.b$", "%7", "%")) + name[1:] for name in set(NAME.findall(jax_like(120)))
    }
    for name in kept:
        kept[name] = name if name.startswith("%arg") or random.random() < 0.9 else kept[name].replace("_", "$")
    text = NAME.sub(lambda match: kept[match[0]], jax_like(120))
    assert outcome(text, repeated=True) == outcome(text, repeated=False)


def test_a_name_that_is_none_is_seen() -> None:
    text = re.sub(r"%452\b", "%4x2", jax_like(120))
    assert outcome(text, repeated=True) == outcome(text, repeated=False)
    assert "expected" in str(outcome(text, repeated=True))


def test_a_name_goes_on_as_far_as_it_can() -> None:
    line = "%s = stablehlo.reduce(%init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : "
    text = jax_like(120, further=f"{line}(tensor<8x8xf32>, tensor<f32>) -> tensor<f32>")
    text = re.sub(r"%(\d+)s", r"%s\1", re.sub(r"%\d+cst_0", "%cst_0", text))
    assert outcome(text, repeated=True) == outcome(text, repeated=False)
    assert "expected" not in str(outcome(text, repeated=True))
    text = re.sub(r"%451\b", "%v51", text).replace("%451init", "%v51init")
    assert outcome(text, repeated=True) == outcome(text, repeated=False)
    assert "expected" in str(outcome(text, repeated=True))


def recipes_of(count: int) -> list[LineRecipe]:
    return [LineRecipe("a", None, [], [], EMPTY_DICTIONARY, EMPTY_DICTIONARY, 0, None) for _ in range(count)]


def test_a_period_is_where_the_last_lines_were_before() -> None:
    recipes = recipes_of(40)
    assert list(periods_of(recipes)) == []
    assert list(periods_of([*recipes, *recipes])) == [40]
    assert list(periods_of([*recipes, *recipes[:15]])) == []
    assert list(periods_of([*recipes, *recipes[:16]])) == [40]
    assert list(periods_of([*recipes[1:], *recipes, *recipes])) == [40, 80]


def test_short_periods_are_doubled() -> None:
    recipes = recipes_of(5)
    assert not is_twice(recipes, 5)
    assert is_twice(recipes * 2, 5)
    assert not is_twice(recipes[:1] + recipes[2:] + recipes, 5)
    assert is_twice(recipes * 1000, 40)
    assert not is_twice(recipes * 1000, 80)


@pytest.mark.skipif(is_compiled(), reason="calls of compiled functions cannot be counted")
@pytest.mark.parametrize("layers", [3, 10])
def test_the_second_layer_is_read_at_once_in_part(layers: int) -> None:
    """The first 16 of its lines say where the first layer began; the others are read with lines of the third one."""
    names = Random(1).choices(("abs", "negate", "sine", "cosine", "tanh"), k=70)
    lines = [
        f"%{number + 1} = stablehlo.{names[number % 70]} %{number} : tensor<8xf32>" for number in range(70 * layers)
    ]
    body = "\n".join([*lines, f"return %{len(lines)} : tensor<8xf32>"])
    text = f"func.func @main(%0: tensor<8xf32>) -> tensor<8xf32> {{\n{body}\n}}"
    assert lines_read_at_once(text) == 70 * (layers - 2)
    assert outcome(text, repeated=True) == outcome(text, repeated=False)


def test_few_lines_that_repeat_are_read_one_by_one() -> None:
    assert lines_read_at_once(jax_like(12)) == 0


def slow_outcome(text: str) -> object:
    """What comes of ``text`` if the complete parser reads all of it."""
    with patch.object(FastReader, "read", lambda reader, block, scope, dialect, offset: offset):
        return outcome(text, repeated=False)


METADATA = '\n{-#\n  dialect_resources: {\n    builtin: {\n      a: "0x0800000001000000"\n    }\n  }\n#-}\n'
LOCATED = [
    located(40, "#loc@"),
    located(40, "#loc@") + "\n",
    located(40, "#loc@") + METADATA,
    '#loc1 = loc("first")\n' + located(40, "#loc@").replace("#loc1 =", "#other ="),
    located(40, '"a.py":@:3'),
    located(40, '"a"(#loc1)') + '\n#loc1 = loc("b")\n',
]


@pytest.mark.skipif(is_compiled(), reason="methods of compiled classes cannot be replaced")
@pytest.mark.parametrize("seed", range(120))
def test_locations_are_those_that_the_complete_parser_gives(seed: int) -> None:
    random = Random(seed)
    text = random.choice(LOCATED)
    for _ in range(random.randrange(3)):
        text = mutated(text, random)
    if random.random() < 0.3:
        text = text.replace(f"#loc{random.randrange(150)}", f"#loc{random.randrange(150)}", random.randrange(1, 3))
    assert slow_outcome(text) == outcome(text, repeated=True)


@pytest.mark.skipif(is_compiled(), reason="methods of compiled classes cannot be replaced")
@pytest.mark.parametrize("wrong", ["#loc150#1", "%loc150", "#loc-150", "#150", "#loc.150", "# loc150", '"a.py":7:3#1'])
def test_what_is_no_alias_is_seen(wrong: str) -> None:
    for right in ("(#loc40)", "(#loc150)"):
        text = located(40, "#loc@").replace(right, f"({wrong})")
        assert slow_outcome(text) == outcome(text, repeated=True)


def test_an_alias_that_is_defined_twice_is_seen() -> None:
    program, _, aliases = located(40, "#loc@").partition("}\n\n")
    between = "func.func @g() {\n  return\n}\n"
    for text in (
        f'#loc7 = loc("early")\n{program}}}\n{aliases}',
        f'{program}}}\n#loc7 = loc("between")\n{between}{aliases}',
    ):
        assert "redefinition of attribute alias id 'loc7'" in str(outcome(text, repeated=True))


def test_it_is_said_where_a_name_was_defined_whose_operation_has_a_location() -> None:
    lines = located(40, "#loc@").split("\n")
    number = next(number for number, line in enumerate(lines) if "%20 =" in line)
    text = "\n".join([*lines[: number + 3], lines[number], *lines[number + 3 :]])
    said = str(outcome(text, repeated=True))
    assert f"-:{number + 4}:5: error: redefinition of SSA value '%20'" in said
    assert f"-:{number + 1}:5: note: previously defined here" in said
