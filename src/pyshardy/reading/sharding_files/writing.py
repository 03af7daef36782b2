"""Writes the shardings of a program as a sharding file, which can be edited.

Applied to the same program, the file changes nothing. ``shardable_tensors`` has the names of tensors, ``entries``
formats their shardings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pyshardy.dialects.sdy import placement
from pyshardy.module import HardwareName, Module
from pyshardy.reading.sharding_files.boundary_tensors import BoundaryTensor, ShardableTensor
from pyshardy.reading.sharding_files.entries import OPEN_SIGN, entry_value
from pyshardy.reading.sharding_files.shardable_tensors import (
    Maker,
    ShardableTensors,
    inside_parts,
)
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding

_WIDE = 60
_HOLDS_OTHERS = frozenset({"sdy.manual_computation"})
"""Operations whose shardings belong to the author's code and not to a file."""


def shardings_text(module: Module, *, everything: bool = False) -> str:
    """The text of a sharding file with the mesh of ``module`` and every sharding that a line can express: of arguments
    and results of the main function, and of results of operations. With ``everything`` arguments and results without a
    sharding have a line, too, which leaves all their dimensions open.

    Raises:
        ShardingProblem: the program has no main function.
    """
    mesh_name, mesh = _first_mesh(module)
    tensors = ShardableTensors(module)
    lines = []
    for pattern, tensor in _patterns(tensors):
        sharding = tensor.sharding
        if sharding is not None and isinstance(sharding.mesh_or_ref, str):
            lines.append((pattern, _value(sharding, mesh_name)))
        elif sharding is None and everything and tensor.is_boundary:
            lines.append((pattern, _string(OPEN_SIGN)))
    return _mesh_text(mesh) + "[shardings]\n" + _aligned(lines)


def line_values(module: Module) -> dict[str, object]:
    """The lines of a sharding file for the shardings of ``module``: values of TOML by patterns."""
    mesh_name, _ = _first_mesh(module)
    return {
        pattern: _plain_value(sharding, mesh_name)
        for pattern, tensor in _patterns(ShardableTensors(module))
        if (sharding := tensor.sharding) is not None and isinstance(sharding.mesh_or_ref, str)
    }


def _first_mesh(module: Module) -> tuple[str, Mesh | None]:
    meshes = {name: mesh for name, mesh in placement.meshes(module.op).items() if mesh.axes}
    return next(iter(meshes.items()), ("", None))


def toml_tables(
    mesh: Mapping[str, int], lines: Mapping[str, object], *, clear: bool = False, hardware: object = None
) -> str:
    """The text of a sharding file with ``mesh`` and these ``lines``, values by patterns; ``hardware`` is a result of
    ``hardware_value``, or None."""
    listed = [(pattern, toml_text(value)) for pattern, value in lines.items()]
    head = "clear = true\n" if clear else ""
    head += f"hardware = {toml_text(hardware)}\n" if hardware is not None else ""
    return head + ("\n" if head else "") + _mesh_text(Mesh(mesh)) + "[shardings]\n" + _aligned(listed)


def hardware_value(hardware: HardwareName) -> object:
    """The value of TOML for the hardware that candidate plans are chosen for."""
    name, attention = hardware
    return name if attention is None else {"name": name, "attention": attention}


def _patterns(tensors: ShardableTensors) -> Iterator[tuple[str, ShardableTensor]]:
    """Each tensor with a pattern that matches only this tensor."""
    for boundary in tensors.boundary:
        yield _boundary_pattern(tensors, boundary), boundary.tensor
    for maker in tensors.makers:
        listed = list(maker.tensors())
        if maker.op.name in _HOLDS_OTHERS or not any(tensor.sharding is not None for tensor in listed):
            continue
        name = _maker_pattern(tensors, maker)
        for tensor in listed:
            yield (f"{name}#{tensor.result_number}" if len(maker.op.results) > 1 else name), tensor


def _boundary_pattern(tensors: ShardableTensors, boundary: BoundaryTensor) -> str:
    """The path if it is unique, else the symbol in MLIR's text."""
    path = "/".join(boundary.path)
    is_plain = path and not set(path) & set("*:[]")
    return (
        path if is_plain and [one.slot for one in tensors.find(path)] == [boundary.tensor.slot] else boundary.names[1]
    )


def _maker_pattern(tensors: ShardableTensors, maker: Maker) -> str:
    """Scope and operation, and the number if several operations have both."""
    for scope in (maker.plain, maker.scope, ()):
        pattern = f"{'/'.join(scope)}:{maker.short_name}"
        parts = inside_parts(pattern) if "*" not in pattern else None
        if parts is not None:
            same = tensors.named(parts)
            number = next((number for number, one in enumerate(same) if one.op is maker.op), None)
            if number is not None:
                return pattern if len(same) == 1 else f"{pattern}:{number}"
    raise AssertionError(f"{maker.op.name} is not found by its own name")


def _value(sharding: TensorSharding, mesh_name: str) -> str:
    return toml_text(_plain_value(sharding, mesh_name))


def _plain_value(sharding: TensorSharding, mesh_name: str) -> object:
    return entry_value(sharding, None if sharding.mesh_or_ref == mesh_name else str(sharding.mesh_or_ref))


def _mesh_text(mesh: Mesh | None) -> str:
    if mesh is None:
        return ""
    return "[mesh]\n" + "".join(f"{_key(axis.name)} = {axis.size}\n" for axis in mesh.axes) + "\n"


def _key(name: str) -> str:
    return name if name.isascii() and name.replace("_", "").replace("-", "").isalnum() else _string(name)


def _aligned(lines: list[tuple[str, str]]) -> str:
    keys = [_string(pattern) for pattern, _ in lines]
    width = min(_WIDE, max(map(len, keys), default=0))
    return "".join(f"{key:<{width}} = {value}\n" for key, (_, value) in zip(keys, lines, strict=True))


def toml_text(value: object) -> str:
    """``value`` as text of TOML."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key} = {toml_text(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml_text, value)) + "]"
    return _string(value) if isinstance(value, str) else str(value)


def _string(text: str) -> str:
    """A basic string of TOML."""
    import json

    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
