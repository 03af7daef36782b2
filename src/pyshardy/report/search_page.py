"""What a search has found, as one page for a browser."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any


def write_search_page(
    outcome: Mapping[str, Any],
    files: Sequence[str],
    points: Sequence[tuple[float, float]],
    path: str | os.PathLike[str],
) -> str:
    """Writes the page to ``path``: ``outcome`` is what ``Found.as_json(with_gains=True)`` gives, ``files`` the sharding
    file of each point of its front, ``points`` the seconds and bytes of all that was tried. The page is returned.

    Raises:
        ImportError: packages of ``pyshardy[report]`` are not installed.
        OSError: it cannot be written.
    """
    raise NotImplementedError
