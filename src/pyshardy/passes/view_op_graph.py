"""The pass ``view-op-graph``: prints the program as a graph in Graphviz's dot, on standard error, and changes nothing.

MLIR's pass of that name, letter for letter. An operation without regions is a node with a port for each operand and
result, one with regions is a cluster, and so is each of their blocks.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import NamedTuple

from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import ArrayAttr, DictionaryAttr
from pyshardy.ir.context import Context
from pyshardy.ir.elements import DenseElementsAttr, StringElementsAttr
from pyshardy.ir.operation import Block, Operation, Value
from pyshardy.ir.passes import ANY, Pass, PassFailure, option, register_pass
from pyshardy.ir.printing.naming import Names
from pyshardy.ir.types import element_count

_LARGE = 16
"""Arrays and constants of more elements are left out."""


@register_pass("view-op-graph", on=ANY)
class ViewOpGraph(Pass):
    """Prints the program as a graph in dot (on stderr)."""

    max_label_len: int = option(20, "attributes and types are cut to so many characters")
    print_attrs: bool = option(True, "show the attributes of operations")
    print_control_flow_edges: bool = option(False, "connect each operation with the next one of its block")
    print_data_flow_edges: bool = option(True, "connect values with their users")
    print_result_types: bool = option(True, "show the types of results")

    def apply(self, op: Operation, context: Context) -> bool:
        try:
            text = graph_text(op, self)
        except RecursionError:
            context.emit("error", op.location, "regions nest too deep to be shown as a graph")
            raise PassFailure from None
        sys.stderr.write(text)
        return False


def graph_text(root: Operation, options: ViewOpGraph) -> str:
    """The graph of ``root`` in dot."""
    return _Graph(root, options).text(root)


class _Node(NamedTuple):
    """A node of the graph; ``cluster`` is the number of the cluster that it stands for, if any."""

    number: int
    cluster: int | None = None


class _Graph:
    def __init__(self, root: Operation, options: ViewOpGraph) -> None:
        self._options = options
        *_, top = root, *root.ancestors()
        self._names = Names(top).values
        self._lines: list[str] = []
        self._edges: list[str] = []
        self._uses: list[tuple[Value, _Node]] = []
        self._makers: dict[Value, _Node] = {}
        self._numbers = 0
        kinds = list(dict.fromkeys(op.name for op in root.walk_postorder()))
        self._hues = {name: index / len(kinds) for index, name in enumerate(kinds)}

    def text(self, root: Operation) -> str:
        self._operation(root, "  ")
        for value, node in self._uses:
            name = _port(self._names[value])
            self._edge(self._makers[value], node, "solid", f":res_{name}:s", f":arg_{name}:n")
        body = [*self._lines, *(f"  {edge}" for edge in self._edges)]
        return "\n".join(["digraph G {", "  compound = true;", *body, "}", ""])

    def _operation(self, op: Operation, indent: str) -> _Node:
        if op.regions:

            def blocks(inner: str) -> None:
                for region in op.regions:
                    for block in region.blocks:
                        self._block(block, inner)

            node = self._cluster(self._cluster_label(op), indent, blocks)
        else:
            hue = f"{self._hues[op.name]:f} 0.3 0.95"
            style = f'fillcolor = "{hue}", label = "{self._record_label(op)}", shape = Mrecord, style = filled'
            node = self._node(style, indent)
        if self._options.print_data_flow_edges:
            self._uses += [(operand, node) for operand in op.operands]
        self._makers.update(dict.fromkeys(op.results, node))
        return node

    def _block(self, block: Block, indent: str) -> None:
        def contents(inner: str) -> None:
            for argument in block.arguments:
                label = self._result_label(argument)
                self._makers[argument] = self._node(f'label = "{label}", shape = Mrecord', inner)
            before: _Node | None = None
            for op in block:
                node = self._operation(op, inner)
                if before is not None and self._options.print_control_flow_edges:
                    self._edge(before, node, "dashed")
                before = node

        self._cluster("", indent, contents)

    def _next_number(self) -> int:
        self._numbers += 1
        return self._numbers

    def _node(self, style: str, indent: str) -> _Node:
        node = _Node(self._next_number())
        self._lines.append(f"{indent}v{node.number} [{style}];")
        return node

    def _cluster(self, label: str, indent: str, contents: Callable[[str], None]) -> _Node:
        """A cluster; edges to and from it go to a node without a shape in it."""
        number = self._next_number()
        inner = indent + "  "
        self._lines.append(f"{indent}subgraph cluster_{number} {{")
        anchor = self._node('label = " ", shape = plain', inner)
        self._lines.append(f'{inner}label = "{label}";')
        contents(inner)
        self._lines.append(f"{indent}}}")
        return _Node(anchor.number, number)

    def _edge(self, source: _Node, target: _Node, style: str, result: str = "", operand: str = "") -> None:
        attributes = []
        if target.cluster is not None:
            operand = ""
            attributes.append(f"lhead = cluster_{target.cluster}")
        if source.cluster is not None:
            result = ""
            attributes.append(f"ltail = cluster_{source.cluster}")
        listed = ", ".join([*attributes, f"style = {style}"])
        self._edges.append(f"v{source.number}{result} -> v{target.number}{operand}[{listed}];")

    # --- labels -----------------------------------------------------------------------------------------------------

    def _cluster_label(self, op: Operation) -> str:
        label = op.name
        if self._options.print_result_types:
            label += f" : ({self._cut(', '.join(str(result.type) for result in op.results))})"
        return label + ("\\l" + self._attributes(op) if self._options.print_attrs else "")

    def _record_label(self, op: Operation) -> str:
        parts = []
        if op.operands:
            names = [self._names[value] for value in op.operands]
            parts.append("{" + "|".join(f"<arg_{_port(name)}> {_escaped(name)}" for name in names) + "}")
        attributes = self._attributes(op) if self._options.print_attrs else ""
        parts.append(op.name + "\\l" + ("\\l" + attributes if attributes else ""))
        if op.results:
            parts.append("{" + "|".join(map(self._result_label, op.results)) + "}")
        return "{" + "|".join(parts) + "}"

    def _result_label(self, value: Value) -> str:
        name = self._names[value]
        type = f" {_escaped(self._cut(str(value.type)))}" if self._options.print_result_types else ""
        return f"<res_{_port(name)}> {_escaped(name)}{type}"

    def _attributes(self, op: Operation) -> str:
        everything = DictionaryAttr({**op.properties.entries, **op.attributes.entries})
        return "".join(f"{_escaped(name)}: {self._attribute(value)}\\l" for name, value in everything)

    def _attribute(self, value: Attribute) -> str:
        if isinstance(value, DenseElementsAttr | StringElementsAttr):
            if value.is_splat:
                return _escaped(str(value))
            if element_count(value.type) > _LARGE:
                rank = len(value.type.shape)
                brackets = "[" * rank + "..." + "]" * rank
                return f"{brackets} : {_escaped(self._cut(str(value.type)))}"
        if isinstance(value, ArrayAttr) and len(value) > _LARGE:
            return "[...]"
        return _escaped(self._cut(str(value)))

    def _cut(self, text: str) -> str:
        longest = self._options.max_label_len
        return text if len(text) <= longest else text[:longest] + "..."


def _port(name: str) -> str:
    return name.removeprefix("%").replace("#", "_")


_SPECIAL = str.maketrans({character: "\\" + character for character in '{}|<>"'})


def _escaped(text: str) -> str:
    return text.translate(_SPECIAL)
