"""The third text form of GSPMD's shardings, with named axes: ``{mesh['a'=4,'b'=2], [{'a'}, {'b', ?}]}``.

It corresponds directly to a sharding of Shardy, and ``conversion`` converts it as it is. ``sharding_text`` parses the
other forms.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from pyshardy.reading.gspmd.sharding_tokens import Tokens
from pyshardy.sharding.axes import AxisRef
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import DimSharding

_LISTS = ("replicated", "unreduced", "manual")
_WHOLE = ("replicated", "unreduced", "manual")


@dataclass(frozen=True)
class NamedSharding:
    """One sharding as written: ``dims`` is None where it says ``replicated``, ``unreduced`` or ``manual`` of a tensor
    of any rank; ``manual`` are names of full axes."""

    mesh: Mesh
    dims: tuple[DimSharding, ...] | None = None
    replicated: tuple[AxisRef, ...] = ()
    unreduced: tuple[AxisRef, ...] = ()
    manual: tuple[str, ...] = ()

    @property
    def axes(self) -> tuple[AxisRef, ...]:
        """Every reference to an axis."""
        of_dims = [axis for dim in self.dims or () for axis in dim.axes]
        return (*of_dims, *self.replicated, *self.unreduced)


def read_maximal(reader: Tokens) -> int:
    """The device in ``[device_id=5]``; the reader is after ``maximal_mesh``."""
    for token in ("[", "device_id", "="):
        reader.expect(token)
    device = reader.number()
    reader.expect("]")
    return device


def read_named(reader: Tokens) -> NamedSharding:
    """The sharding behind ``mesh``, up to the brace that ends it.

    Raises:
        BadSharding: it is none.
    """
    mesh = _mesh(reader)
    dims: tuple[DimSharding, ...] | None = None
    lists: dict[str, tuple[AxisRef, ...]] = {}
    while reader.takes(","):
        if reader.takes("["):
            dims = tuple(reader.separated(lambda: _dim(reader), "]"))
            continue
        word = reader.word()
        if word == "metadata":
            reader.expect("=")
            reader.skip_braces()
        elif word not in _LISTS:
            reader.fail(f"'{word}' is nothing that pyshardy knows in a sharding")
        elif reader.takes("="):
            reader.expect("{")
            lists[word] = tuple(reader.separated(lambda: _axis(reader), "}"))
        elif word != "replicated":
            lists[word] = tuple(AxisRef(axis.name) for axis in mesh.axes)
    manual = lists.get("manual", ())
    if any(axis.sub_size is not None for axis in manual):
        reader.fail("it is manual along a part of an axis")
    found = NamedSharding(
        mesh, dims, lists.get("replicated", ()), lists.get("unreduced", ()), tuple(axis.name for axis in manual)
    )
    for axis in (*found.axes, *manual):
        if axis.name not in mesh.sizes:
            reader.fail(f"its mesh has no axis '{axis.name}'")
    return found


def _mesh(reader: Tokens) -> Mesh:
    reader.expect("[")
    axes = reader.separated(lambda: _mesh_axis(reader), "]")
    ids: list[int] = []
    if reader.next == "," and reader.behind_next == "device_ids":
        for token in (",", "device_ids", "=", "("):
            reader.expect(token)
        if reader.takes("["):
            ids = _counted_devices(reader, reader.separated(reader.number, "]"))
            reader.expect(")")
        else:
            ids = reader.separated(reader.number, ")")
    try:
        return Mesh(axes, ids)
    except ValueError as error:
        reader.fail(str(error))


def _counted_devices(reader: Tokens, shape: list[int]) -> list[int]:
    """Devices 0, 1, … as an array of ``shape``, transposed as the text says."""
    order = list(range(len(shape)))
    if reader.takes("T"):
        reader.expect("(")
        order = reader.separated(reader.number, ")")
    if sorted(order) != list(range(len(shape))):
        reader.fail("its device ids are transposed by no permutation")
    if prod(shape) > reader.MOST_DEVICES:
        reader.fail(f"it lists more than {reader.MOST_DEVICES} devices")
    places = [0]
    for dimension in order:
        stride = prod(shape[dimension + 1 :])
        places = [place + step * stride for place in places for step in range(shape[dimension])]
    return places


def _mesh_axis(reader: Tokens) -> tuple[str, int]:
    name = reader.name()
    reader.expect("=")
    return name, reader.number()


def _dim(reader: Tokens) -> DimSharding:
    reader.expect("{")
    axes: list[AxisRef] = []
    is_closed = True
    while not reader.takes("}"):
        if axes or not is_closed:
            reader.expect(",")
        if reader.takes("?"):
            is_closed = False
        else:
            axes.append(_axis(reader))
    return DimSharding(axes, is_closed)


def _axis(reader: Tokens) -> AxisRef:
    name = reader.name()
    if not reader.takes(":"):
        return AxisRef(name)
    reader.expect("(")
    pre = reader.number()
    reader.expect(")")
    return AxisRef(name, pre, reader.number())
