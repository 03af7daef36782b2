"""Model Explorer loads our adapter, which makes its graphs, and our provider of costs."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "mlp.mlir"


@pytest.fixture
def extension() -> Any:
    pytest.importorskip("model_explorer", reason="Model Explorer is not installed: pip install 'pyshardy[viewers]'")
    from pyshardy.viewers.model_explorer import main

    return main


def test_it_is_found_as_an_extension(extension: Any) -> None:
    from model_explorer.extension_manager import ExtensionManager

    manager = ExtensionManager(["pyshardy.viewers.model_explorer"])
    manager.load_extensions()
    found = {one["id"]: one["type"] for one in manager.get_extensions_metadata()}
    assert (found["pyshardy"], found["pyshardy_costs"]) == ("adapter", "node_data_provider")
    command = {"extensionId": "pyshardy", "cmdId": "convert", "modelPath": str(EXAMPLE), "settings": {}}
    graphs = manager.run_cmd({**command, "deleteAfterConversion": False})
    assert json.dumps(graphs).count('"sharding"') > 50


def test_the_graph_has_shardings_and_edges(extension: Any) -> None:
    main, *_ = extension.PlanAdapter().convert(str(EXAMPLE), {})["graphs"]
    assert main.id == "main"
    weight = next(one for one in main.nodes if one.label == "params['w_out']")
    attributes = {one.key: one.value for one in weight.attrs}
    assert weight.namespace == "arguments" and attributes["sharding"] == '<@mesh, [{"model"}, {}]>'
    assert any(edge.sourceNodeId == weight.id for one in main.nodes for edge in one.incomingEdges)


def test_overlays_are_for_nodes_of_the_graph(extension: Any) -> None:
    provider = extension.CostProvider()
    (editor,) = provider.get_config_editors("pyshardy_costs").configEditors
    assert {"none", "h100"} <= {one.value for one in editor.options}
    main, *_ = extension.PlanAdapter().convert(str(EXAMPLE), {})["graphs"]
    for chosen, names in (("none", 2), ("h100", 3)):
        overlays = provider.run("pyshardy_costs", str(EXAMPLE), "main", {"hardware": chosen}, None).result
        assert len(overlays) == names
        assert all(set(one.results) <= {node.id for node in main.nodes} for one in overlays)
    json.dumps({name: asdict(one) for name, one in extension.node_data(EXAMPLE, "h100").items()})


def test_what_is_wrong_is_said(extension: Any, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.mlir"
    wrong.write_text("func.func @main(")
    with pytest.raises(ValueError, match="error"):
        extension.PlanAdapter().convert(str(wrong), {})
    assert "error" in extension.CostProvider().run("pyshardy_costs", str(wrong), "main", {}, None).error


def test_without_the_package_the_command_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from pyshardy.viewers.model_explorer.__main__ import run

    for name in ("main", "launch"):
        monkeypatch.delitem(sys.modules, f"pyshardy.viewers.model_explorer.{name}", raising=False)
    monkeypatch.setitem(sys.modules, "model_explorer", None)
    assert run([str(EXAMPLE)]) == 1
    assert "pip install 'pyshardy[viewers]'" in capsys.readouterr().err
