"""The extension that Model Explorer loads: an adapter that makes a graph of a program, and a provider of costs as
overlays.

Source: the extension interface of ai-edge-model-explorer (``Adapter``, ``NodeDataProvider``). ``plan_graph`` makes the
graph; this file converts it to the viewer's format. ``PYSHARDY_HARDWARE`` in the environment names the hardware that
times are for.
"""

from __future__ import annotations

import os
from typing import Any

try:
    from model_explorer import (
        Adapter,
        AdapterMetadata,
        GetConfigEditorsResult,
        NodeDataProvider,
        NodeDataProviderFilter,
        NodeDataProviderMetadata,
        NodeDataProviderResult,
        config_editor,
        graph_builder,
        node_data_builder,
    )
except ImportError as error:
    raise ImportError(
        f"Model Explorer is not installed, or too old: pip install 'pyshardy[viewers]' ({error})"
    ) from None

from pyshardy.analysis.cost.hardware import Hardware
from pyshardy.analysis.cost.preset_files import presets
from pyshardy.analysis.cost.targets import target
from pyshardy.analysis.why.explainer import Explainer
from pyshardy.api.programs import load
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.viewers.plan_graph import FIGURES, MOVED, TIME, Graph, Node, plan_graphs

ADAPTER = "pyshardy"
HARDWARE = "PYSHARDY_HARDWARE"
_FILES = ["mlir", "mlirbc", "bc", "stablehlo", "gz"]
_NONE = "none"
_COLOURS = {MOVED: "#d55e00", TIME: "#cc79a7"}
_COLOUR = "#0072b2"


class PlanAdapter(Adapter):  # type: ignore[misc]
    """A StableHLO program, propagated and partitioned."""

    metadata = AdapterMetadata(
        id=ADAPTER,
        name="pyshardy: shardings and costs",
        description="Propagates and partitions a StableHLO program: sharding, local shape, bytes, time and causes of "
        "every tensor.",
        source_repo="https://pypi.org/project/pyshardy",
        fileExts=_FILES,
    )

    def __init__(self) -> None:
        super().__init__()

    def convert(self, model_path: str, settings: dict[str, Any]) -> dict[str, Any]:
        """The graphs of the program at ``model_path``."""
        return {"graphs": [_graph(one) for one in _graphs(model_path, _hardware(os.environ.get(HARDWARE)))]}


class CostProvider(NodeDataProvider):  # type: ignore[misc]
    """Costs as colours: bytes received, bytes on a device, and with a choice of hardware seconds."""

    metadata = NodeDataProviderMetadata(
        id="pyshardy_costs",
        name="pyshardy: costs",
        description="Colours operations by the bytes that a device receives for them, the bytes of what they make, and "
        "their time on some hardware.",
        icon="paid",
        filter=NodeDataProviderFilter(adapterIds=[ADAPTER]),
    )

    def __init__(self) -> None:
        super().__init__()

    def get_config_editors(self, provider_id: str) -> Any:
        """Asks for the hardware."""
        options = [config_editor.OptionItem(value=name, label=name) for name in (_NONE, *presets())]
        chosen = os.environ.get(HARDWARE)
        default = chosen if chosen in presets() else _NONE
        editor = config_editor.DropDownConfigEditor(
            id="hardware", label="hardware", defaultValue=default, options=options
        )
        return GetConfigEditorsResult(configEditors=[editor])

    def run(self, provider_id: str, model_path: str, graph_id: str, config_values: dict[str, Any], graph: Any) -> Any:
        """The overlays of the graph ``graph_id``."""
        try:
            found = _graphs(model_path, _hardware(config_values.get("hardware")))
        except (OSError, ValueError) as error:
            return NodeDataProviderResult(error=str(error))
        overlays = [overlay for one in found if one.name == graph_id for overlay in _overlays(one).values()]
        return NodeDataProviderResult(result=overlays)


def node_data(path: str | os.PathLike[str], on: str | None = None) -> dict[str, Any]:
    """The overlays of the program at ``path`` by name, for ``node_data`` of ``model_explorer.visualize``; with times on
    the hardware ``on``.

    Raises:
        ValueError: the program is wrong, or there is no such hardware.
        OSError: a file cannot be read.
    """
    by_name: dict[str, dict[str, Any]] = {}
    for graph in _graphs(path, _hardware(on)):
        for name, overlay in _overlays(graph).items():
            by_name.setdefault(name, {})[graph.name] = overlay
    return {name: node_data_builder.ModelNodeData(graphsData=found) for name, found in by_name.items()}


def _hardware(name: str | None) -> Hardware | None:
    return target(name).hardware if name not in (None, "", _NONE) else None


def _graphs(path: str | os.PathLike[str], on: Hardware | None) -> list[Graph]:
    try:
        return plan_graphs(Explainer(load(path)), on)
    except PyshardyError as error:
        raise ValueError(str(error)) from None


def _graph(graph: Graph) -> Any:
    return graph_builder.Graph(id=graph.name, nodes=[_node(one) for one in graph.nodes])


def _node(node: Node) -> Any:
    return graph_builder.GraphNode(
        id=node.id,
        label=node.label,
        namespace="/".join(node.scope),
        subgraphIds=[node.calls] if node.calls else [],
        attrs=_pairs(node.texts),
        incomingEdges=[
            graph_builder.IncomingEdge(
                sourceNodeId=source, sourceNodeOutputId=str(output), targetNodeInputId=str(place)
            )
            for place, (source, output) in enumerate(node.sources)
        ],
        outputsMetadata=[
            graph_builder.MetadataItem(
                id=str(number),
                attrs=_pairs({"__tensor_tag": texts["tensor"], "shape": texts["type"]} | texts),
            )
            for number, texts in enumerate(node.outputs)
        ],
    )


def _pairs(texts: dict[str, str]) -> list[Any]:
    return [graph_builder.KeyValue(key=key, value=value) for key, value in texts.items()]


def _overlays(graph: Graph) -> dict[str, Any]:
    """An overlay for each figure that any node has, from white to its colour."""
    found = {}
    for name in FIGURES:
        values = {one.id: one.figures[name] for one in graph.nodes if one.figures.get(name)}
        if values:
            found[name] = node_data_builder.GraphNodeData(
                name=name,
                results={id: node_data_builder.NodeDataResult(value=value) for id, value in values.items()},
                gradient=[
                    node_data_builder.GradientItem(stop=0, bgColor="#ffffff"),
                    node_data_builder.GradientItem(stop=1, bgColor=_COLOURS.get(name, _COLOUR)),
                ],
            )
    return found
