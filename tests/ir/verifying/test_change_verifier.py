"""Verifying what a pass has noted says what a walk over the whole program says."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import pyshardy
from pyshardy import Module, PyshardyError, parse
from pyshardy.dialects.func import set_argument_attribute
from pyshardy.ir import pipeline_run, rewriting
from pyshardy.ir.attributes import StringAttr, SymbolRefAttr
from pyshardy.ir.change_log import kept_changes
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Pass, Pipeline
from pyshardy.ir.pipeline_text import parse_pipeline
from pyshardy.ir.verifying.change_verifier import ProgramVersion, changed_since, is_legal_still
from pyshardy.ir.verifying.verifier import verify
from pyshardy.sharding.tensor import TensorShardingPerValue, fully_open
from tests.differential.pipelines import PIPELINES
from tests.generator import random_program

PROGRAM = """
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.negate %a : tensor<8xf32>
  %1 = call @other(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = stablehlo.while(%3 = %1) : tensor<8xf32>
  cond {
    %4 = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %4 : tensor<i1>
  } do {
    %5 = stablehlo.abs %3 : tensor<8xf32>
    %6 = stablehlo.tanh %5 : tensor<8xf32>
    stablehlo.return %6 : tensor<8xf32>
  }
  %7 = stablehlo.cosine %2 : tensor<8xf32>
  %8 = stablehlo.sine %7 : tensor<8xf32>
  return %8 : tensor<8xf32>
}
func.func private @other(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.exponential %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}
"""
SHARDED_ELSEWHERE = "stablehlo.abs %a {sdy.sharding = #sdy.sharding_per_value<[<@nowhere, [{}]>]>} : tensor<8xf32>"


class _Nothing(Pass):
    """Changes nothing, but does not say so."""

    name, anchor, class_name = "test-nothing", "builtin.module", "NothingPass"

    def apply(self, op: Operation, context: Context) -> None:
        """Looks at the program."""


class _Change(Pass):
    """Changes something."""

    name, anchor, class_name = "test-change", "builtin.module", "ChangePass"
    change: Callable[[Operation], None]

    def apply(self, op: Operation, context: Context) -> None:
        """Makes the change."""
        self.change(op)


class _NotedChange(_Change):
    """Changes something by ``ir.rewriting``."""

    notes_changes = True


def named(module: Operation, name: str) -> Operation:
    """The operation called so."""
    return next(op for op in module.walk() if op.name == f"stablehlo.{name}")


def said_of(change: Callable[[Operation], None], kind: type[_Change]) -> tuple[str, list[str]]:
    """What is said when a legal program is changed so."""
    module = parse(PROGRAM)
    with contextlib.suppress(PyshardyError):
        pipeline_run.run_pipeline(Pipeline("builtin.module", (_Nothing(), kind(change))), module.op, module.context)
    return str(module), [str(one) for one in module.context.diagnostics]


def _constrain(module: Operation) -> None:
    op = named(module, "abs")
    nowhere = TensorShardingPerValue([fully_open(1, "nowhere")])
    rewriting.set_attributes(op, op.attributes.with_("sdy.sharding", nowhere))


def _shard_argument(module: Operation) -> None:
    func = next(op for op in module.body if op.name == "func.func")
    set_argument_attribute(func, 0, "sdy.sharding", fully_open(1, "nowhere"))


def _copy_behind_terminator(module: Operation) -> None:
    rewriting.append(named(module, "abs").parent, rewriting.clone(named(module, "tanh")))  # type: ignore[arg-type]


def _erase_terminator(module: Operation) -> None:
    block = named(module, "abs").parent
    assert block is not None
    rewriting.erase(block.terminator)


def _call_another(module: Operation) -> None:
    call = next(op for op in module.walk() if op.name == "func.call")
    rewriting.set_properties(call, call.properties.with_("callee", SymbolRefAttr("nobody")))


def _name_alike(module: Operation) -> None:
    func = module.body.last
    assert func is not None
    rewriting.set_properties(func, func.properties.with_("sym_name", StringAttr("main")))


def _read_from_outside(module: Operation) -> None:
    rewriting.set_operand(named(module, "exponential"), 0, named(module, "negate").result)


def _empty_the_loop(module: Operation) -> None:
    loop = named(module, "while")
    rewriting.take_region(loop.regions[0], loop.regions[1])


BREAKING: dict[str, Callable[[Operation], None]] = {
    "a sharding on an unknown mesh": _constrain,
    "an argument with one": _shard_argument,
    "a property that is not there": lambda module: rewriting.set_properties(
        named(module, "constant"), named(module, "constant").properties.without("value")
    ),
    "a definition behind its use": lambda module: rewriting.move_before(
        named(module, "cosine"), next(iter(named(module, "sine").result.users))
    ),
    "an operation behind the terminator": _copy_behind_terminator,
    "no terminator": _erase_terminator,
    "an unknown callee": _call_another,
    "two functions of one name": _name_alike,
    "a value of another function": _read_from_outside,
    "two blocks in one region, none in the other": _empty_the_loop,
    "an inner value read outside": lambda module: rewriting.set_operand(
        named(module, "sine"), 0, named(module, "tanh").result
    ),
    "an operation out of nowhere": lambda module: rewriting.set_operand(
        named(module, "sine"), 0, rewriting.clone(named(module, "cosine")).result
    ),
}
HARMLESS: dict[str, Callable[[Operation], None]] = {
    "nothing": lambda module: None,
    "another attribute": lambda module: rewriting.set_attributes(
        named(module, "abs"), named(module, "abs").attributes.with_("a.b", StringAttr("c"))
    ),
    "a use less": lambda module: rewriting.replace_op(named(module, "abs"), named(module, "abs").operands),
    "a copy of a function": lambda module: rewriting.append(module.body, _renamed(rewriting.clone(module.body.last))),  # type: ignore[arg-type]
    "another kind of operation": lambda module: rewriting.rename(named(module, "tanh"), "stablehlo.sine", {}),
}


def _renamed(func: Operation) -> Operation:
    rewriting.set_properties(func, func.properties.with_("sym_name", StringAttr("another")))
    return func


@pytest.mark.parametrize("change", BREAKING.values(), ids=BREAKING)
def test_a_wrong_change_is_refused_in_the_same_words(change: Callable[[Operation], None]) -> None:
    text, said = said_of(change, _NotedChange)
    assert said
    assert (text, said) == said_of(change, _Change)


@pytest.mark.parametrize("change", HARMLESS.values(), ids=HARMLESS)
def test_of_a_small_change_nothing_else_is_looked_at(
    change: Callable[[Operation], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    walks: list[Operation] = []

    def walk(op: Operation, context: Context) -> bool:
        walks.append(op)
        return verify(op, context)

    monkeypatch.setattr(pipeline_run, "verify", walk)
    assert said_of(change, _Change)[1] == said_of(change, _NotedChange)[1] == []
    # The pass that says nothing and the change that is not noted are looked at whole, the noted one is not.
    assert len(walks) == 3


def test_a_change_that_is_not_noted_is_found_by_a_walk_alone() -> None:
    def unseen(module: Operation) -> None:
        op = named(module, "constant")
        op.properties = op.properties.without("value")

    assert said_of(unseen, _Change)[1]
    assert not said_of(unseen, _NotedChange)[1], "if this says something, the test of what is noted shows nothing"


def test_other_meshes_have_everything_looked_at_again() -> None:
    module = parse(PROGRAM)
    assert verify(module.op, module.context)
    mesh = module.op.body.first
    assert mesh is not None and mesh.name == "sdy.mesh"
    with kept_changes():
        moment = ProgramVersion.now()
        assert is_legal_still(module.op, module.context, moment)
        rewriting.erase(mesh)
        assert changed_since(moment) is not None
        assert not is_legal_still(module.op, module.context, moment)


# --- what passes note -------------------------------------------------------------------------------------------------


def _stale(root: Operation) -> Iterator[Operation]:
    """The operations in ``root`` that are not as they were when they were verified."""
    for op in root.walk():
        checked = op.checked
        if checked is None or checked[0] is not op.properties or checked[1] is not op.attributes:
            yield op


def _assert_all_noted(root: Operation, context: Context, moment: ProgramVersion) -> bool:
    changed = changed_since(moment)
    if changed is not None:
        noted = {*changed[0], *changed[1]}
        for op in _stale(root):
            # What was put into the program brings what is in it.
            around = (one for one in op.ancestors() if one is not root and one.checked is None)
            assert op is root or op in noted or not noted.isdisjoint(around), f"nobody has noted the change of {op}"
    return is_legal_still(root, context, moment)


def _run_and_watch(module: Module, pipeline: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline_run, "is_legal_still", _assert_all_noted)
    # A failed assertion would look like a pass that has broken down.
    with contextlib.suppress(PyshardyError):
        pipeline_run.run_pipeline(parse_pipeline(pipeline), module.op, module.context)


@pytest.mark.parametrize("seed", range(150))
def test_passes_note_all_that_they_change(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    pipeline = list(PIPELINES.values())[seed % len(PIPELINES)]
    _run_and_watch(parse(random_program(seed, pipeline.features)), pipeline.text, monkeypatch)


@pytest.mark.parametrize("path", sorted(Path("examples").glob("*.mlir")), ids=lambda path: path.stem)
def test_passes_note_all_that_they_change_in_examples(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = "func.func(sdy-insert-explicit-reshards{enable-full-version=true},sdy-reshard-to-collectives,canonicalize)"
    _run_and_watch(parse(path.read_text()), f"builtin.module(sdy-propagation-pipeline,{whole})", monkeypatch)


WRITERS = {
    "ir/rewriting.py": "what notes them",
    "emitting/builder.py": "makes operations",
    "emitting/reducers.py": "makes operations",
    "partitioning/localizing/lowering_cache.py": "writes signatures",
    "propagation/fixed_point.py": "writes all operations, and is verified by a walk",
    "propagation/sharding_table.py": "writes all operations, and is verified by a walk",
    "dialects/sdy/every_sharding.py": "writes all operations, and is verified by a walk",
    "passes/exporting/drop_sharding_rules.py": "writes all operations, and is verified by a walk",
}


def test_dictionaries_are_written_where_that_is_noted() -> None:
    """A pass calls code from everywhere, so that everything but what is listed notes what it writes."""
    source = Path(pyshardy.__file__).parent
    found = set()
    for path in source.rglob("*.py"):
        text = path.read_text()
        if "properties" not in text and "attributes" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            assigned = node.targets if isinstance(node, ast.Assign) else ()
            for one in [inner for target in assigned for inner in ast.walk(target)]:
                if not isinstance(one, ast.Attribute) or one.attr not in ("properties", "attributes"):
                    continue
                if isinstance(one.ctx, ast.Store) and ast.unparse(one.value) != "self":
                    found.add(path.relative_to(source).as_posix())
    assert found == set(WRITERS)
