"""Suggestions for a name that does not exist: the nearest of the known ones, or all of them."""

from __future__ import annotations

from collections.abc import Iterable

_MOST_LISTED = 8


def meant(owner: str, what: str, name: str, known: Iterable[str]) -> str:
    """A sentence for a note below an error about ``name``: ``what`` is the plural of what it should name, ``owner`` has
    them, ``known`` are spelled as a user writes them.

    >>> meant("the mesh", "axes", '"modle"', ['"data"', '"model"'])
    'is "model" meant? the mesh has the axes "data", "model"'
    >>> meant("the program", "meshes", "@m", [])
    'the program has no meshes'
    """
    names = list(known)
    if not names:
        return f"{owner} has no {what}"
    rest = len(names) - _MOST_LISTED
    listed = f"{owner} has the {what} {', '.join(names[:_MOST_LISTED])}" + (f" and {rest} more" if rest > 0 else "")
    near = nearest(name, names, 0.5)
    return f"is {near} meant? {listed}" if near is not None else listed


def nearest(name: str, known: Iterable[str], alike: float = 0.6) -> str | None:
    """The one of ``known`` that is most like ``name``; None if none is as much ``alike``, from 0 to 1."""
    # Loaded for errors alone.
    from difflib import get_close_matches

    return next(iter(get_close_matches(name, list(known), 1, alike)), None)
