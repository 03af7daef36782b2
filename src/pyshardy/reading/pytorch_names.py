"""The names that PyTorch/XLA saves beside a program: ``layers.0.weight`` for ``%arg17``.

``StableHLOGraphModule.save`` writes ``functions/forward.mlir``, the same as bytecode, and in ``forward.meta``, as JSON,
which parameter, buffer or input each argument is, since the program itself has no names.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from pyshardy.dialects.func import set_argument_attributes
from pyshardy.dialects.main_function import find_main_function
from pyshardy.ir.attributes import StringAttr
from pyshardy.ir.locations import name_location
from pyshardy.module import Module
from pyshardy.reading.names import ARGUMENT_NAME

_BESIDE = ".meta"
_MOST_BYTES = 10_000_000


def name_arguments(module: Module, path: str | os.PathLike[str]) -> None:
    """Names the arguments of the program that was read from ``path`` as PyTorch/XLA did in a file beside it, if there
    is one for this program."""
    main = find_main_function(module.op)
    if main is None or main.regions[0].empty:
        return
    names = _saved_names(Path(path).with_suffix(_BESIDE)) if Path(path).suffix else ()
    arguments = main.body.arguments
    if len(names) != len(arguments):
        return
    for argument, name in zip(arguments, names, strict=True):
        argument.location = name_location(name)
    # Locations may be missing in the text.
    set_argument_attributes(main, ARGUMENT_NAME, {index: StringAttr(name) for index, name in enumerate(names)})


def _saved_names(path: Path) -> tuple[str, ...]:
    """The names in the file, in the order of the arguments; none if it is another kind of file."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            return ()
        found = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return ()
    rows = found.get("input_locations") if isinstance(found, Mapping) else None
    names = tuple(_name(row) for row in rows) if isinstance(rows, list) else ()
    return names if all(names) else ()


def _name(row: object) -> str:
    """``linear.weight`` for a parameter, ``input_0`` for an input of the module; empty if it is neither."""
    if not isinstance(row, Mapping):
        return ""
    name, position = row.get("name"), row.get("position")
    if isinstance(name, str) and name:
        return name
    return f"input_{position}" if isinstance(position, int) and position >= 0 else ""
