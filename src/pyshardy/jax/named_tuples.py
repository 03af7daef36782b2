"""Registers named tuples in the trees of a saved plan, such as the states of Optax, by module and name.

JAX wants each class registered before it writes or reads one, and libraries do not do so.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from functools import reduce
from typing import Any

from jax import export

from pyshardy.jax.problems import JaxProblem


def register(trees: Iterable[Any]) -> list[tuple[str, str]]:
    """Makes the classes of named tuples in ``trees`` known to JAX's files: the module and the name of each that is
    found by them again. What somebody has registered stays as it is."""
    places = []
    for one in dict.fromkeys(one for tree in trees for one in _classes(tree)):
        if _found(one.__module__, one.__qualname__) is one:
            _register(one)
            places.append((one.__module__, one.__qualname__))
    return places


def register_again(places: Iterable[tuple[str, str]], file: str) -> None:
    """Makes the classes at ``places`` known. Nothing is imported for a file: whoever makes the arguments has done so.

    Raises:
        JaxProblem: there is no such class in this process.
    """
    for module, name in places:
        one = _found(module, name)
        if not _is_named_tuple(one):
            raise JaxProblem(
                f"{file} holds a plan with arguments or results of the class {module}.{name}, which this process does "
                f"not know: import {module.partition('.')[0]} before the plan is loaded"
            )
        _register(one)


def _classes(tree: Any) -> Iterator[Any]:
    node = tree.node_data()
    if node is not None and _is_named_tuple(node[0]):
        yield node[0]
    for child in tree.children():
        yield from _classes(child)


def _is_named_tuple(one: Any) -> bool:
    return isinstance(one, type) and issubclass(one, tuple) and hasattr(one, "_fields")


def _found(module: str, name: str) -> Any:
    return reduce(lambda inside, part: getattr(inside, part, None), name.split("."), sys.modules.get(module))


def _register(one: Any) -> None:
    try:
        export.register_namedtuple_serialization(one, serialized_name=f"{one.__module__}.{one.__qualname__}")
    except ValueError:
        # It is known already.
        return
