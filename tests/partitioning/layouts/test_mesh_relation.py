"""One placement in the words of two meshes."""

from __future__ import annotations

from pyshardy import parse, partition
from pyshardy.emitting.layout import Layout
from pyshardy.partitioning.layouts.mesh_relation import common_refinement, translated
from pyshardy.sharding.axes import AxisRef
from pyshardy.sharding.mesh import Mesh

AB, X = Mesh({"a": 2, "b": 4}), Mesh({"x": 8})


def test_an_axis_is_a_part_of_a_larger_one() -> None:
    assert translated(Layout(AB, [(AxisRef("a"),)]), X) is Layout(X, [(AxisRef("x", 1, 2),)])
    assert translated(Layout(AB, [(AxisRef("b"),)]), X) is Layout(X, [(AxisRef("x", 2, 4),)])
    assert translated(Layout(X, [(AxisRef("x"),)]), AB) is Layout(AB, [(AxisRef("a"), AxisRef("b"))])


def test_cuts_that_do_not_fit_have_no_common_words() -> None:
    other = Mesh({"c": 3, "d": 2})
    assert translated(Layout(other, [(AxisRef("c"),)]), Mesh({"e": 2, "f": 3})) is None
    assert common_refinement(other, Mesh({"e": 2, "f": 3})) is None
    assert translated(Layout(AB, [(AxisRef("a"),)]), Mesh({"x": 8}, [1, 0, 2, 3, 4, 5, 6, 7])) is None


def test_a_refined_mesh_has_the_cuts_of_both() -> None:
    mesh = common_refinement(Mesh({"a": 4, "b": 4}), Mesh({"c": 2, "d": 8}))
    assert mesh is not None
    assert [axis.size for axis in mesh.axes] == [2, 2, 4]


def test_a_tensor_goes_from_mesh_to_mesh_by_the_axes_that_change() -> None:
    text = """
      sdy.mesh @ab = <["a"=2, "b"=4]>
      sdy.mesh @x = <["x"=8]>
      func.func @main(%t: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@ab, [{"a"}, {"b"}]>})
          -> (tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@x, [{"x"}, {}]>}) {
        return %t : tensor<16x16xf32>
      }"""
    plan = partition(parse(text))
    assert [one.kind for one in plan.collectives] == ["all_to_all"]
    assert plan.check().agrees
