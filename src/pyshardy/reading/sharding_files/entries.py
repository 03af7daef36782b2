"""The values of a sharding file: ``[["data", "fsdp"], "model"]``, or the long form with priorities.

An ``Entry`` does not depend on a mesh or tensor; ``Entry.sharding`` makes a sharding for given ones. ``strategies``
reads entries from files, ``writing`` makes them from the shardings of a program.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from pyshardy.sharding.axes import AxisRef
from pyshardy.sharding.mesh import LARGEST_INTEGER, Mesh
from pyshardy.sharding.plain import ShardingProblem, did_you_mean, tensor_sharding
from pyshardy.sharding.tensor import CLOSED, DimSharding, TensorSharding, fully_open
from pyshardy.sharding.text import REDUCTIONS

OPEN_SIGN = "?"
_KEYS = ("spec", "priority", "replicated", "unreduced", "reduction", "mesh", "optional")
_DIMENSION_KEYS = ("axes", "priority")
_PART = re.compile(r"(.+):\((\d+)\)(\d+)")


@dataclass(frozen=True)
class Entry:
    """A sharding as a file has it: ``dims`` is None if all dimensions are open, whatever the rank; ``mesh`` is the name
    of a mesh, if a program has several; the pattern of an ``optional`` entry may match nothing."""

    dims: tuple[DimSharding, ...] | None
    replicated: tuple[AxisRef, ...] = ()
    unreduced: tuple[AxisRef, ...] = ()
    reduction: str = "sum"
    mesh: str | None = None
    optional: bool = False

    def sharding(self, mesh: Mesh, name: str, shape: tuple[int, ...]) -> TensorSharding:
        """The sharding of a tensor with ``shape`` on ``mesh``, whose name in the program is ``name``.

        Raises:
            ShardingProblem: it does not fit the tensor or the mesh.
        """
        dims = fully_open(len(shape), name).dims if self.dims is None else self.dims
        # Shardings list replicated and unreduced axes in the order of the mesh.
        replicated, unreduced = (
            sorted(axes, key=lambda axis: (mesh.positions.get(axis.name, -1), axis.pre))
            for axes in (self.replicated, self.unreduced)
        )
        given = TensorSharding(name, dims, replicated, unreduced, self.reduction)
        return tensor_sharding(mesh, given, name=name, shape=shape)


def read_entry(value: object) -> Entry:
    """Parses a value of TOML, or the equivalent Python object.

    Raises:
        ShardingProblem: it is none.

    >>> read_entry([["data", "?"], "model"]).dims
    (<DimSharding #sdy<dimension_sharding{"data", ?}>>, <DimSharding #sdy<dimension_sharding{"model"}>>)
    """
    if not isinstance(value, Mapping):
        return Entry(_dimensions(value, None))
    _check_keys(value, _KEYS, "a sharding")
    if "spec" not in value:
        raise ShardingProblem(
            'a sharding in its long form has a spec, {spec = ["data"], priority = 1}; '
            "a pattern with a dot in it stands in quotes"
        )
    dims = _dimensions(value["spec"], _priority(value))
    mesh = value.get("mesh")
    if not (mesh is None or isinstance(mesh, str)):
        raise ShardingProblem(f"mesh is the name of a mesh, not {mesh!r}")
    optional = value.get("optional", False)
    if not isinstance(optional, bool):
        raise ShardingProblem(f"optional is true or false, not {optional!r}")
    replicated, unreduced = _axes(value, "replicated"), _axes(value, "unreduced")
    return Entry(dims, replicated, unreduced, _reduction(value), mesh, optional)


def _reduction(value: Mapping[object, object]) -> str:
    reduction = value.get("reduction", "sum")
    if reduction not in REDUCTIONS or not isinstance(reduction, str):
        near = did_you_mean(str(reduction), REDUCTIONS)
        raise ShardingProblem(f"reduction is one of {', '.join(REDUCTIONS)}, not {reduction!r}{near}")
    if "reduction" in value and not value.get("unreduced"):
        raise ShardingProblem("reduction says how shards along unreduced axes combine, and there are none")
    return reduction


def _check_keys(value: Mapping[object, object], known: tuple[str, ...], what: str) -> None:
    for key in value:
        if key not in known:
            listed = ", ".join(known)
            raise ShardingProblem(f"{what} has no {key!r}, only {listed}{did_you_mean(str(key), known)}")


def _priority(value: Mapping[object, object]) -> int | None:
    priority = value.get("priority")
    if priority is None:
        return None
    if not isinstance(priority, int) or isinstance(priority, bool) or not 0 <= priority <= LARGEST_INTEGER:
        raise ShardingProblem(f"a priority is a whole number, 0 for the most urgent, not {priority!r}")
    return priority


def _axes(value: Mapping[object, object], key: str) -> tuple[AxisRef, ...]:
    listed = value.get(key, [])
    if not isinstance(listed, list | tuple) or not all(isinstance(one, str) for one in listed):
        raise ShardingProblem(f'{key} is a list of axes, ["pod"], not {listed!r}')
    return tuple(map(_axis, listed))


def _axis(text: str) -> AxisRef:
    """An axis, or a part of one as MLIR writes it: ``model:(2)4``."""
    part = _PART.fullmatch(text)
    return AxisRef(text) if part is None else AxisRef(part[1], int(part[2]), int(part[3]))


def _dimensions(value: object, priority: int | None) -> tuple[DimSharding, ...] | None:
    if value == OPEN_SIGN:
        if priority is not None:
            raise ShardingProblem('"?" leaves every dimension open and has no priority')
        return None
    if isinstance(value, str):
        raise ShardingProblem(f'a sharding is a list with an entry for each dimension: ["{value}"], not "{value}"')
    if not isinstance(value, list | tuple):
        raise ShardingProblem(f'a sharding is a list with an entry for each dimension, [[], "model"], not {value!r}')
    dims = tuple(_dimension(one, number, priority) for number, one in enumerate(value))
    if priority is not None and not any(dim.axes or not dim.is_closed for dim in dims):
        raise ShardingProblem("a sharding without axes has no priority: nothing of it propagates")
    return dims


def _dimension(value: object, number: int, priority: int | None) -> DimSharding:
    if isinstance(value, Mapping):
        _check_keys(value, _DIMENSION_KEYS, f"dimension {number}")
        own = _priority(value)
        return _dimension(value.get("axes", []), number, priority if own is None else own)
    if isinstance(value, DimSharding):
        return value
    if value is None:
        return CLOSED
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, list | tuple) or not all(isinstance(one, str) for one in listed):
        raise ShardingProblem(
            f'dimension {number} is an axis "data", a list of axes, [] where it is whole, or ends with "?" where it is '
            f"open, not {value!r}"
        )
    is_open = OPEN_SIGN in listed
    if is_open and listed.index(OPEN_SIGN) != len(listed) - 1:
        raise ShardingProblem(f'in dimension {number} "?" stands last, behind the axes')
    axes = tuple(map(_axis, listed[:-1] if is_open else listed))
    return DimSharding(axes, not is_open, priority if axes or is_open else None)


# --- writing ----------------------------------------------------------------------------------------------------------


def axis_text(axis: AxisRef) -> str:
    """The axis as a file names it, without quotes."""
    return axis.name if axis.sub_size is None else f"{axis.name}:({axis.pre}){axis.sub_size}"


def entry_value(sharding: TensorSharding, mesh: str | None) -> object:
    """The value that ``read_entry`` parses as ``sharding``, in its short form if possible. ``mesh`` is included if
    given."""
    priorities = {dim.priority for dim in sharding.dims if dim.axes or not dim.is_closed}
    one_priority = priorities.pop() if len(priorities) == 1 else None
    spec: list[object] = [_dimension_value(dim, dim.priority != one_priority) for dim in sharding.dims]
    while spec and spec[-1] == []:
        spec.pop()
    more: dict[str, object] = {}
    if one_priority is not None:
        more["priority"] = one_priority
    if sharding.replicated:
        more["replicated"] = [axis_text(axis) for axis in sharding.replicated]
    if sharding.unreduced:
        more["unreduced"] = [axis_text(axis) for axis in sharding.unreduced]
        if sharding.reduction_op != "sum":
            more["reduction"] = sharding.reduction_op
    if mesh is not None:
        more["mesh"] = mesh
    return {"spec": spec, **more} if more else spec


def _dimension_value(dim: DimSharding, with_priority: bool) -> object:
    axes: list[object] = [axis_text(axis) for axis in dim.axes]
    if not dim.is_closed:
        axes.append(OPEN_SIGN)
    short = axes[0] if len(axes) == 1 else axes
    return {"axes": short, "priority": dim.priority} if with_priority and dim.priority is not None else short
