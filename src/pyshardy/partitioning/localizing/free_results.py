"""What is made of operands that every device holds whole can be made in any layout, without communication.

``free_from_whole`` is put on localizers that only rearrange elements: then their result has a recipe, and a user that
needs another layout makes it anew instead of gathering. Constants and iotas (``constants``) have recipes of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from pyshardy.emitting.layout import Layout, Sharded
from pyshardy.partitioning.localizing.site import Site, replicated_layout

_LONGEST_CHAIN = 16

_Localizer = Callable[[Site], Sequence[Sharded]]


class _Recipe:
    """Makes the only result of an operation by its localizer; ``chain`` recipes at most call one another for that."""

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
        """The same for an operation that was made alike, whose operands lie alike."""
        return _Recipe(self._localize, site, self.chain)


def chain_of(sharded: Sharded) -> Hashable:
    """How many recipes call one another to make ``sharded`` anew, 0 if it is made of nothing; of what it is remade, if
    that is so; None if it cannot be made anew."""
    recipe = sharded.recipe
    if recipe is None:
        return None if sharded.remake is None else sharded.remake.key
    return recipe.chain if isinstance(recipe, _Recipe) else 0


def free_from_whole(localize: _Localizer) -> _Localizer:
    """``localize`` for an operation with one result, which is made anew in each layout if all operands are whole."""

    def localized(site: Site) -> Sequence[Sharded]:
        chain = 1
        for operand in site.operands:
            if operand.recipe is None and not operand.layout.is_replicated:
                return localize(site)
            if isinstance(operand.recipe, _Recipe):
                chain = max(chain, operand.recipe.chain + 1)
        if chain > _LONGEST_CHAIN:
            return localize(site)
        return [_Recipe(localize, site, chain)(site.wanted_or(0, replicated_layout(site.op.results[0].type)))]

    return localized
