"""A plan as a graph: every operation once, edges from what is read, scopes, causes, costs."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyshardy import hardware, load, parse
from pyshardy.analysis.cost.estimate import cost_of
from pyshardy.analysis.why.explainer import Explainer
from pyshardy.viewers.plan_graph import MEMORY, MOVED, TIME, Graph, Node, plan_graphs
from tests.report.test_page import HOSTILE, TEXT

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = ("convolution", "mlp", "scan_layers", "shard_map", "transformer_fsdp")


def graphs(name: str) -> tuple[Explainer, list[Graph]]:
    explainer = Explainer(load(EXAMPLES / f"{name}.mlir"))
    return explainer, plan_graphs(explainer, hardware("v5e"))


def node(graph: Graph, label: str) -> Node:
    return next(one for one in graph.nodes if one.label == label)


@pytest.mark.parametrize("name", NAMES)
def test_edges_lead_from_results_that_there_are_and_nothing_goes_round(name: str) -> None:
    _, found = graphs(name)
    for graph in found:
        outputs = {one.id: len(one.outputs) for one in graph.nodes}
        assert len(outputs) == len(graph.nodes)
        done: set[str] = set()
        for one in graph.nodes:
            for source, number in one.sources:
                assert number < outputs[source] and source in done
            done.add(one.id)
    assert found[0].name == "main" and {one.calls for graph in found for one in graph.nodes} - {""} <= {
        one.name for one in found
    }


@pytest.mark.parametrize("name", NAMES)
def test_the_costs_are_those_of_the_plan(name: str) -> None:
    explainer, found = graphs(name)
    plan = explainer.traced.plan
    nodes = [one for graph in found for one in graph.nodes]
    moved = sum(one.bytes * (one.turns or 1) for one in plan.collectives if one.cause is not None)
    assert sum(one.figures.get(MOVED, 0.0) for one in nodes) == pytest.approx(moved)
    step = cost_of(plan, "v5e").step_seconds.no_overlap
    assert 0.9 * step <= sum(one.figures.get(TIME, 0.0) for one in nodes) / 1e6 <= step * (1 + 1e-9)


def test_a_node_has_sharding_shape_cost_and_causes() -> None:
    _, (main, *_) = graphs("transformer_fsdp")
    dot = next(one for one in main.nodes if one.label == "dot_general" and "needs 1" in one.texts)
    assert dot.texts["sharding"].startswith("<@mesh") and dot.texts["on a device"].endswith("iB")
    assert "from the constraint " in dot.texts['why "fsdp"']
    assert dot.texts["needs 1"].startswith('all_gather "fsdp": ') and dot.figures[MEMORY] > 0
    assert dot.scope and dot.texts["source"].startswith("examples/make_examples.py:")


def test_a_loop_is_a_scope_that_its_operands_lead_into() -> None:
    _, found = graphs("scan_layers")
    loop = node(found[0], "while")
    by_id = {one.id: one for one in found[0].nodes}
    body = [one for one in found[0].nodes if one.label == "body argument"]
    assert body and all(one.sources for one in body) and loop.sources
    assert by_id[body[0].sources[0][0]].label != "body argument"


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_names_are_printable_and_end(name: str) -> None:
    text = TEXT.replace("<script>alert(1)</script>", name).replace(
        "-> tensor<64x8xf32>\n  return", f'-> tensor<64x8xf32> loc("jit(f)/{name};a/b/dot")\n  return'
    )
    for graph in plan_graphs(Explainer(parse(text))):
        for one in graph.nodes:
            shown = [one.label, *one.scope, *one.texts, *one.texts.values()]
            assert all(part.isprintable() and len(part) < 3_100 for part in shown)
            assert all(part and "/" not in part and ";" not in part for part in one.scope)
