"""What a person sees of objects: in a prompt, and in a notebook."""

from html.parser import HTMLParser

import pytest

from pyshardy import parse, partition
from pyshardy.report.plan_summary import summarize_plan
from pyshardy.report.sharding_summary import summarize

TEXT = """sdy.mesh @mesh = <["data"=4, "model"=2]>
func.func @main(%x: tensor<64x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}
                    loc("<script>alert(1)</script>"),
                %w: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>} loc("params['w']"))
    -> tensor<64x8xf32> {
  %0 = stablehlo.dot %x, %w : (tensor<64x8xf32>, tensor<8x8xf32>) -> tensor<64x8xf32>
  return %0 : tensor<64x8xf32>
}
"""


class _Reader(HTMLParser):
    """Collects the texts and checks that tags are closed."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def read(html: str) -> _Reader:
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert not reader.open
    return reader


def test_a_module_says_what_it_is_in_a_line() -> None:
    module = parse("module @jit_f {\n" + TEXT + "}")
    assert repr(module) == (
        "<Module @jit_f: @main with 2 arguments, 1 result, 4 operations, mesh @mesh: data=4, model=2>"
    )
    assert repr(parse("module {\n}")) == "<Module no main function, 0 operations>"


def test_a_plan_says_what_it_costs_in_a_line() -> None:
    plan = partition(parse(TEXT))
    assert repr(plan) == (
        "<Plan local program of @main for 8 devices on mesh @mesh: 1 collective, each device receives 192 B, "
        "peak of memory 1.3 KiB>"
    )


def test_summaries_operations_and_values_are_one_line_each() -> None:
    module = parse(TEXT)
    dot = next(op for op in module.op.walk() if op.name == "stablehlo.dot")
    shown = [
        repr(one) for one in (summarize(module), summarize_plan(partition(module)), dot, *dot.operands, dot.result)
    ]
    assert all("\n" not in one and len(one) < 140 for one in shown)
    assert repr(dot) == "<operation stablehlo.dot: (tensor<64x8xf32>, tensor<8x8xf32>) -> (tensor<64x8xf32>)>"
    assert repr(dot.operands[1]) == "<argument 1 of func.func @main: tensor<8x8xf32>>"
    assert repr(dot.result) == "<result 0 of stablehlo.dot: tensor<64x8xf32>>"


def test_a_notebook_shows_tables_with_names_escaped() -> None:
    module = parse(TEXT)
    plan = partition(module)
    for html in (module._repr_html_(), plan._repr_html_()):
        assert "script" not in read(html).tags
        assert {"table", "caption", "td"} <= read(html).tags
    assert "<script>alert(1)</script>" in read(module._repr_html_()).texts
    assert {"all_gather", "params['w']", "192 B"} <= set(read(plan._repr_html_()).texts)


def test_a_notebook_is_not_flooded() -> None:
    arguments = ", ".join(f"%a{n}: tensor<{n + 1}xf32>" for n in range(100))
    module = parse(f"func.func @main({arguments}) {{ return }}")
    assert "… and 80 more" in read(module._repr_html_()).texts


HOSTILE = {
    "a tag": "<script>alert(1)</script>",
    "quotes": "\\22'\\22 onload=\\22alert(1)",
    "the end of a style": "</style></td></table><img src=x onerror=alert(1)>",
    "an address": "javascript:alert(1)",
    "marks of direction": "\\E2\\80\\AEtxt.exe\\E2\\81\\A6",
    "ten thousand letters": "<b>" * 3_000 + "x" * 1_000,
}


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_whatever_a_program_calls_its_arguments_stays_text(name: str) -> None:
    module = parse(TEXT.replace("<script>alert(1)</script>", name))
    plan = partition(module)
    shown: list[object] = [module, plan, plan.cost("v5e"), plan.check(), plan.conflicts()]
    shown += plan.explain("%arg0", "%0", "all_gather:0")
    for one in shown:
        html: str = one._repr_html_()  # type: ignore[attr-defined]
        found = read(html)
        assert found.tags <= {"b", "br", "caption", "p", "table", "td", "th", "tr"}
        assert found.attributes <= {"colspan"}
        assert "\u202e" not in html and "\u2066" not in html and len(html) < 40_000


def test_explanations_conflicts_and_checks_show_themselves() -> None:
    plan = partition(parse(TEXT))
    tensor, collective = plan.explain("%0", "all_gather:0")
    assert {"why", '"data"'} <= set(read(tensor._repr_html_()).texts)
    assert {"what meets", "params['w']"} <= set(read(collective._repr_html_()).texts)
    assert "conflicts" in read(plan.conflicts()._repr_html_()).texts
    assert {"the result is equal", "equal"} <= set(read(plan.check()._repr_html_()).texts)
