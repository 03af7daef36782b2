"""Recipes: how the result of an operation on replicated operands is computed in any layout, without communication.

``with_recipe_if_replicated`` decorates localizers of operations that only rearrange elements. If all operands are
replicated or have recipes, the result has a recipe, too, and a user that needs another layout computes it instead of
resharding it. Constants and iotas (``families.constants``) have recipes of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from pyshardy.emitting.layout import Layout
from pyshardy.emitting.sharded import Sharded
from pyshardy.partitioning.localizing.site import Site, replicated_layout

LONGEST_CHAIN = 16
"""How many recipes, or rematerializations, may call one another: each computes its operands by theirs."""

_Localizer = Callable[[Site], Sequence[Sharded]]

_with_recipes: set[_Localizer] = set()
"""The localizers that ``with_recipe_if_replicated`` has made."""


class _Recipe:
    """Computes the only result of an operation by its localizer. At most ``chain`` recipes call one another for
    that."""

    __slots__ = ("_localize", "_site", "chain")

    def __init__(self, localize: _Localizer, site: Site, chain: int) -> None:
        self._localize = localize
        self._site = site
        self.chain = chain

    def __call__(self, layout: Layout) -> Sharded:
        site = self._site
        (made,) = self._localize(Site(site.run, site.op, site.operands, [layout]))
        return Sharded(site.reshard(made, layout).value, made.type, layout, self)

    def for_site(self, site: Site) -> _Recipe:
        """A copy of the recipe for another operation that is made alike, with operands in the same layouts."""
        return _Recipe(self._localize, site, self.chain)


def recipe_key(sharded: Sharded) -> Hashable:
    """Whether and how ``sharded`` is computed again: the length of its chain of recipes (0 for a recipe without
    operands), the key of its rematerialization, or None if it has neither."""
    recipe = sharded.recipe
    if recipe is None:
        return None if sharded.rematerialize is None else sharded.rematerialize.key
    return recipe.chain if isinstance(recipe, _Recipe) else 0


def with_recipe_if_replicated(localize: _Localizer) -> _Localizer:
    """A localizer that does what ``localize`` does, for operations with one result. If all operands are replicated or
    have recipes, the result has a recipe, too, and comes out in the requested layout, or replicated if none is."""

    def localized(site: Site) -> Sequence[Sharded]:
        chain = 1
        for operand in site.operands:
            if operand.recipe is None and not operand.layout.is_replicated:
                return localize(site)
            if isinstance(operand.recipe, _Recipe):
                chain = max(chain, operand.recipe.chain + 1)
        if chain > LONGEST_CHAIN:
            return localize(site)
        return [_Recipe(localize, site, chain)(site.requested_or(0, replicated_layout(site.op.results[0].type)))]

    _with_recipes.add(localized)
    return localized


def may_make_recipes(localize: _Localizer | None) -> bool:
    """Whether results of the localizer ``localize`` may have recipes that ``with_recipe_if_replicated`` has made."""
    return localize in _with_recipes
