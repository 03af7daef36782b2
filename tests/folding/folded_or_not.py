"""Whether a program is folded, and which of its layers are alike."""

from __future__ import annotations

from pyshardy import parse
from pyshardy.dialects.main_function import find_main_function
from pyshardy.folding.detecting.detection import detected_layers
from pyshardy.folding.detecting.layers import Layers
from tests.folding.fuzz import by_few, outcome, small_programs_too, wrong_of


def layers_of(text: str) -> Layers:
    """The layers of the main function."""
    main = find_main_function(parse(text).op)
    assert main is not None
    return detected_layers(main)


def layers_alike(text: str) -> range:
    """The layers that are alike."""
    found = layers_of(text)
    return range(found.first, found.end)


def is_folded(text: str) -> bool:
    """Whether few layers were enough for plans, after seeing that the outcome is that of all of them."""
    with small_programs_too():
        folded, wrong = by_few(lambda: wrong_of(text, lambda one: outcome(one, chips=["v5e"])))
    assert wrong is None
    return folded
