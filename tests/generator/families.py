"""The table of everything that can be emitted into a body, by family; the families' files fill it by decorator.

A maker gets a `Body` and emits one operation (and what it needs). It may emit nothing if it finds no place to start.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.generator.body import Body

Maker = Callable[[Body], object]

MAKERS: dict[str, list[tuple[Maker, float]]] = {}


def makes(family: str, weight: float = 1.0) -> Callable[[Maker], Maker]:
    """Registers a maker in a family (a field of `Features`); `weight` is relative to its family."""

    def register(maker: Maker) -> Maker:
        MAKERS.setdefault(family, []).append((maker, weight))
        return maker

    return register


def make_something(body: Body, families: dict[str, float]) -> None:
    """Chooses a family by weight, then a maker in it by weight, and lets it emit."""
    names = [name for name, weight in families.items() if weight > 0]
    family = body.rng.choices(names, [families[name] for name in names])[0]
    makers = MAKERS[family]
    maker = body.rng.choices([maker for maker, _ in makers], [weight for _, weight in makers])[0]
    maker(body)
