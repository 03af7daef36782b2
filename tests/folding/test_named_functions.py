"""Functions of layers: names that were left out are not free, and names are not lost and found again."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from pyshardy import Module, PyshardyError, parse, partition, propagate
from pyshardy.folding.fold import fold
from pyshardy.folding.folded import NoCertificate
from pyshardy.folding.function_names import ExportedFunctions, names_with_all_layers
from pyshardy.folding.program import layers_of
from tests.folding.fuzz import by_few, outcome, wrong_of
from tests.folding.named_functions import call, composite, named_functions

_LAYERS = 46


def _with_own_functions(name: str) -> str:
    """Each layer calls a function of its own; ``@act`` is that of a composite, and its result has another layout in the
    first layer than in the others."""
    own = [f"{name}_{layer}" for layer in range(_LAYERS)]
    return named_functions(
        _LAYERS,
        lambda layer, x: [composite(f"c{layer}", x, "act"), call(f"f{layer}", f"c{layer}", own[layer])],
        ["act", *own],
    )


@pytest.mark.parametrize(("name", "is_folded"), [("act", False), ("own", True)])
def test_the_partitioner_gives_no_name_of_a_function_that_was_left_out(name: str, is_folded: bool) -> None:
    text = _with_own_functions(name)
    assert by_few(lambda: wrong_of(text, partial(outcome, chips=["v5e"]), everything=True)) == (is_folded, None)


def test_passes_give_no_name_of_a_function_that_was_left_out() -> None:
    module = parse(_with_own_functions("act"))
    layers = layers_of(module.op)
    assert layers is not None
    folded = fold(module.op, layers, layers.first + 3, layers.end - 3)
    assert folded is not None
    exported, end = ExportedFunctions(), folded.function.body.terminator.location
    exported.taken = frozenset({"act"})
    exported.made = [(end, "act", "act_0")]
    assert names_with_all_layers(folded, exported).kept == {"act_0": "act_0"}
    exported.taken = frozenset({"act", *(f"act_{number}" for number in range(5))})
    exported.made = [(end, "act", "act_5")]
    with pytest.raises(NoCertificate, match="the name of one of a layer that was left out"):
        names_with_all_layers(folded, exported)


@pytest.mark.parametrize("layers", [1, 60])
@pytest.mark.parametrize("run", [propagate, partition])
def test_what_loses_a_function_between_two_passes_is_refused(layers: int, run: Callable[[Module], object]) -> None:
    """As the reference does, which verifies after each pass: a call becomes a computation, its function is erased, and
    a function of that name is made again at the end."""
    text = named_functions(
        layers, lambda layer, x: [call(f"c{layer}", x, "act"), composite(f"f{layer}", f"c{layer}", "act")], ["act"]
    )
    with pytest.raises(PyshardyError, match="'act' does not reference a valid function"):
        run(parse(text))
