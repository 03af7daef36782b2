"""Attributes as tables of fields: what the annotations of a class make of it."""

from __future__ import annotations

import pytest

from pyshardy.dialects.stablehlo.attributes import AxisRef, ChannelHandle, GatherDimensionNumbers, SubAxisInfo
from pyshardy.dialects.structures import DimensionNumbers, Structure


class Window(Structure, mnemonic="test.window"):
    name: str
    sizes: tuple[int, ...] = ()
    ceil: bool = False


class Dims(DimensionNumbers, mnemonic="test.dims", suffix="_dimension"):
    batch: int = 0
    spatial: tuple[int, ...] = ()


def test_text_and_constructor_follow_from_the_fields() -> None:
    assert str(Window("a", ceil=True)) == '#test.window<name = "a", sizes = [], ceil = true>'
    assert Window("a", (), True) is Window(name="a", ceil=True)
    assert Window("a") is not Window("b")


def test_dimensions_that_are_zero_or_empty_are_not_written() -> None:
    assert Dims.written == {"batch_dimension": int, "spatial_dimensions": tuple}
    assert str(Dims(0, (1, 2))) == "#test.dims<spatial_dimensions = [1, 2]>"
    assert str(Dims()) == "#test.dims<>"


def test_children_are_the_attributes_among_the_fields() -> None:
    part = SubAxisInfo(1, 2)
    assert list(AxisRef("x", part).children()) == [part]
    assert not list(GatherDimensionNumbers((1,)).children())


@pytest.mark.parametrize(("values", "named"), [((1, 2, 3), {}), ((1, 2), {"kind": 3})])
def test_what_is_no_field_is_refused(values: tuple[int, ...], named: dict[str, int]) -> None:
    with pytest.raises(TypeError, match="the fields of ChannelHandle are handle, type"):
        ChannelHandle(*values, **named)
