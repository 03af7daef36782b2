"""Where an operation comes from, read from locations as frameworks write them."""

import os

import pytest

from pyshardy import parse
from pyshardy.ir.source_location import SourceLocation, short_path, source_location


def location_of(text: str) -> SourceLocation:
    module = parse(
        f"func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {{\n"
        f"  %0 = stablehlo.tanh %a : tensor<4xf32> {text}\n  return %0 : tensor<4xf32>\n}}",
        "program.mlir",
    )
    tanh = next(op for op in module.op.walk() if op.name == "stablehlo.tanh")
    return source_location(tanh.location, module.context)


def test_the_innermost_line_and_its_function_and_the_scope_are_told() -> None:
    stack = 'callsite("loss"("/code/model.py":14:20 to :44) at "step"("/code/train.py":3:1))'
    found = location_of(f'loc("jit(step)/transpose(jvp(mlp))/tanh"({stack}))')
    assert found == SourceLocation("/code/model.py", 14, 20, "loss", "jit(step)/transpose(jvp(mlp))", "tanh")
    assert found.inner_scope == "transpose(jvp(mlp))"
    assert str(found) == f"{short_path('/code/model.py')}:14 transpose(jvp(mlp))"


def test_a_slash_in_brackets_belongs_to_a_name() -> None:
    found = location_of('loc("jit(f)/jvp(a/b)/tanh"("m.py":1:1))')
    assert (found.scope, found.operation) == ("jit(f)/jvp(a/b)", "tanh")
    found = location_of('loc("jit(f)/jvp(a/b)"("m.py":1:1))')
    assert (found.scope, found.operation) == ("jit(f)", "jvp(a/b)")


def test_a_name_without_a_line_is_a_scope_still() -> None:
    found = location_of('loc("model/dense/Tanh:")')
    assert (found.scope, found.operation, found.line) == ("model/dense", "Tanh", 0)


def test_a_fusion_goes_by_its_first_name() -> None:
    found = location_of('loc(fused["jit(f)/a/tanh"("m.py":7:1), "jit(f)/b/tanh"("m.py":8:1)])')
    assert (found.line, found.inner_scope) == (7, "a")


def test_without_locations_the_place_is_that_in_the_text() -> None:
    assert location_of("") == SourceLocation("program.mlir", 2, 8)


def test_an_unknown_location_is_nowhere() -> None:
    assert str(location_of("loc(unknown)")) == "unknown"


@pytest.mark.parametrize(
    ("path", "shown"),
    [("model.py", "model.py"), ("/opt/lib/flax/linen.py", "…/flax/linen.py"), ("/m.py", "/m.py")],
)
def test_paths_elsewhere_are_cut_to_two_parts(path: str, shown: str) -> None:
    assert short_path(path) == shown


def test_paths_below_the_working_directory_are_relative() -> None:
    assert short_path(os.path.join(os.getcwd(), "models", "gpt.py")) == os.path.join("models", "gpt.py")
