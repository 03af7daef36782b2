"""Starts Model Explorer with a program in our adapter and its costs as overlays.

``main`` has both; without them Model Explorer opens ``.mlir`` files with its own adapter, which knows no shardings.
"""

from __future__ import annotations

import os
from pathlib import Path

from pyshardy.viewers.model_explorer.main import ADAPTER, HARDWARE, node_data


def visualize(
    path: str | os.PathLike[str], hardware: str | None = None, *, port: int = 8080, open_browser: bool = True
) -> None:
    """Serves the program at ``path`` in Model Explorer, from a terminal until Ctrl-C, in a notebook below the cell;
    with times on ``hardware``, the name of a preset or a TOML file.

    Raises:
        ValueError: the program is wrong, or there is no such hardware.
        OSError: a file cannot be read.
    """
    import model_explorer

    overlays = node_data(path, hardware)
    if hardware is not None:
        os.environ[HARDWARE] = hardware
    config = model_explorer.config()
    config.add_model_from_path(os.fspath(path), adapterId=ADAPTER)
    for name, overlay in overlays.items():
        config.add_node_data(name, overlay, model_name=Path(path).name)
    model_explorer.visualize_from_config(
        config, port=port, extensions=[__package__], no_open_in_browser=not open_browser
    )
