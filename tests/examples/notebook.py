"""Runs the notebook of the examples: ``python -m tests.examples.notebook`` writes into it what comes out."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

PATH = Path(__file__).parents[2] / "examples" / "notebook.ipynb"
_SECONDS = 120


def stored() -> Any:
    """The notebook as it stands in the file."""
    import nbformat

    return nbformat.read(PATH, as_version=4)


def executed(notebook: Any) -> Any:
    """The same with what its cells give now, without what differs from machine to machine."""
    from nbclient import NotebookClient

    made = copy.deepcopy(notebook)
    where = {"metadata": {"path": str(PATH.parent)}}
    NotebookClient(made, timeout=_SECONDS, resources=where, record_timing=False).execute()
    made.metadata.language_info = {"name": "python"}
    return made


if __name__ == "__main__":
    import nbformat

    nbformat.write(executed(stored()), PATH)
