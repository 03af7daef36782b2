"""Ways of printing that the flags of ``*-opt`` tools ask for: elided constants, local scope, graphs, trees of files."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyshardy import parse, run_passes
from pyshardy.cli import sdy_opt
from pyshardy.ir.pipeline_text import parse_pipeline
from pyshardy.ir.printing.program_text import Style
from pyshardy.passes.view_op_graph import ViewOpGraph, graph_text
from tests.differential.jax_programs import PROGRAMS
from tests.differential.reference import run_reference
from tests.generator.program import random_program

GRAPHS = """
module @m {
func.func private @decl(tensor<8xf32>)
func.func @main(%a: tensor<8xf32>, %p: i1) -> tensor<8xf32> {
  %cst = stablehlo.constant dense<0.> : tensor<f32>
  %values, %indices = chlo.top_k(%a, k = 2) : tensor<8xf32> -> (tensor<2xf32>, tensor<2xi32>)
  %x:2 = "d.two"(%a, %a) {a, b = [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17], c = "a{b}|c<d>\\0A",
    long.name.of.attribute.thing = dense<[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]> : tensor<17xi32>,
    n = dense<[[1,2,3],[4,5,6]]> : tensor<2x3xi32>, o = dense<"abc"> : tensor<3x!d.string>,
    m = dense<1> : tensor<2x2x2x2x2x2x2xi64>} : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  "d.none"() : () -> ()
  "d.one"(%x#1) {q = "short"} : (tensor<8xf32>) -> ()
  %u = "d.source"() : () -> tensor<8x16x1024x2048x4096x11111xf32>
  cf.cond_br %p, ^bb1(%a : tensor<8xf32>), ^bb2
^bb1(%y: tensor<8xf32>):
  cf.br ^bb2
^bb2:
  %r = "stablehlo.reduce"(%a, %cst) <{dimensions = array<i64: 0>}> ({
   ^bb0(%l: tensor<f32>, %m: tensor<f32>):
    %s = stablehlo.add %l, %m : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %w:2 = "d.reg"(%r) ({
    "d.in"(%r, %x#0) : (tensor<f32>, tensor<8xf32>) -> ()
  }, {}) {v = 1 : i32} : (tensor<f32>) -> (tensor<f32>, i32)
  "d.regs"(%w#1) ({
    "d.reg"(%w#0) ({
      "d.in"() : () -> ()
    }) : (tensor<f32>) -> ()
  }) : (i32) -> ()
  return %a : tensor<8xf32>
}
}
"""

OPTIONS = [
    "",
    "print-control-flow-edges=true",
    "print-attrs=false print-result-types=false print-data-flow-edges=false print-control-flow-edges=true",
    "max-label-len=4",
]


def our_graph(text: str, options: str) -> str:
    pipeline = parse_pipeline(f"builtin.module(view-op-graph{{{options}}})" if options else "view-op-graph")
    (one,) = pipeline.items
    assert isinstance(one, ViewOpGraph)
    return graph_text(parse(text, allow_unregistered=True).op, one)


@pytest.mark.parametrize("options", OPTIONS)
def test_a_graph_is_that_of_mlir(options: str) -> None:
    reference = run_reference(GRAPHS, f"builtin.module(view-op-graph{{{options}}})", allow_unregistered=True)
    assert our_graph(GRAPHS, options) == reference.printed


@pytest.mark.parametrize("name", list(PROGRAMS)[::5])
def test_graphs_of_jax_programs_are_those_of_mlir(name: str) -> None:
    text = PROGRAMS[name]()
    assert our_graph(text, "") == run_reference(text, "builtin.module(view-op-graph)").printed


PRINTING = [
    ({"large_elements_limit": 3}, {"most_elements": 3}, {}),
    ({"large_elements_limit": 0, "print_generic_op_form": True}, {"most_elements": 0}, {"generic": True}),
    ({"use_local_scope": True}, {"local_scope": True}, {}),
    ({"use_local_scope": True, "enable_debug_info": True}, {"local_scope": True}, {"debug_info": True}),
    ({"large_elements_limit": 2, "enable_debug_info": True}, {"most_elements": 2}, {"debug_info": True}),
]

CONSTANTS = """
#map = affine_map<(d0) -> (d0)>
module attributes {t.map = #map, t.strings = dense<["a", "b", "c", "d"]> : tensor<4x!t.string>} {
  func.func @main() -> tensor<2x2xi32> attributes {t.nested = [dense<[1, 2, 3, 4]> : tensor<4xi8>, {a = dense<2> : tensor<9xi8>}]} {
    %0 = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
    %1 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
    %2 = stablehlo.constant dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f32>>
    %3 = "t.op"() {s = sparse<[[0, 0], [1, 1]], [1, 5]> : tensor<8x8xi32>, e = dense<> : tensor<0xi32>} : () -> i32
    %4 = "t.op"() {array = array<i64: 1, 2, 3, 4, 5>} : () -> tuple<i32>
    return %0 : tensor<2x2xi32>
  }
}
"""  # noqa: E501


@pytest.mark.parametrize(("theirs", "style", "ours"), PRINTING)
def test_styles_of_printing_are_those_of_mlir(
    theirs: dict[str, object], style: dict[str, int], ours: dict[str, bool]
) -> None:
    programs = [CONSTANTS, *(PROGRAMS[name]() for name in list(PROGRAMS)[::9]), *map(random_program, range(5))]
    for text in programs:
        reference = run_reference(text, "builtin.module()", allow_unregistered=True, printing=[theirs])
        printed = parse(text, "-", allow_unregistered=True).text(style=Style(**style), **ours)  # type: ignore[arg-type]
        assert printed.strip() == reference.printings[0].strip()


TREE = (
    "builtin.module(symbol-dce,func.func(canonicalize,sdy-sharding-constraint-to-reshard),cse,func.func(canonicalize))"
)


def test_a_tree_of_dumps_is_that_of_mlir(tmp_path: Path) -> None:
    program = tmp_path / "program.mlir"
    text = PROGRAMS[next(iter(PROGRAMS))]().replace("module @jit", "module @a.b_jit", 1)
    text += "\n// end\n"
    program.write_text(text)
    assert run_reference(text, TREE, tree_directory=str(tmp_path / "theirs")).ok
    tree = f"--mlir-print-ir-tree-dir={tmp_path / 'ours'}"
    flags = [tree, "--mlir-print-ir-before-all", "--mlir-print-ir-after-all", "-o", "/dev/null"]
    assert sdy_opt.run([str(program), f"--pass-pipeline={TREE}", *flags]) == 0
    theirs, ours = (
        {path.relative_to(tmp_path / who): path.read_text() for path in (tmp_path / who).rglob("*.mlir")}
        for who in ("theirs", "ours")
    )
    assert ours == theirs and len(ours) > 5


def test_merging_common_subexpressions_is_that_of_mlir() -> None:
    for text in [*(PROGRAMS[name]() for name in list(PROGRAMS)[::4]), *map(random_program, range(10))]:
        reference = run_reference(text, "builtin.module(cse)")
        assert str(run_passes(parse(text), "builtin.module(cse)")).strip() == reference.pretty.strip()
