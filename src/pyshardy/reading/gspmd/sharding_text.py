"""Reads the text of a GSPMD sharding, as in ``mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"``.

The syntax is that of ``HloSharding`` in XLA. ``device_digits`` interprets a tiled sharding.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod
from typing import Literal

from pyshardy.reading.gspmd.named_sharding import NamedSharding, read_maximal, read_named
from pyshardy.reading.gspmd.sharding_tokens import BadSharding, Tokens

Kind = Literal["tiled", "replicated", "maximal", "manual", "unreduced", "unknown", "tuple", "named"]

DEEPEST_TUPLE = 100
_SUBGROUPS = ("replicated", "manual", "unreduced")
_OF_ONE_WORD: tuple[Kind, ...] = ("replicated", "manual", "unreduced", "unknown")
_WORDS = {kind: kind for kind in _OF_ONE_WORD}


@dataclass(frozen=True)
class GspmdSharding:
    """One sharding as written.

    ``tiles`` is the shape of the array of devices: one entry for each dimension of the tensor, then one for each of
    ``subgroups`` (``replicated``, ``manual``, ``unreduced``). The devices in it are ``0, 1, …`` seen as an array of
    shape ``reshape`` and transposed by ``permutation``, or ``listed``. ``device`` is that of a maximal sharding,
    ``elements`` are the members of a tuple, ``named`` is the sharding of a text with named axes; ``group`` is the
    number of a ``shard_as`` or ``shard_like``.
    """

    kind: Kind
    tiles: tuple[int, ...] = ()
    subgroups: tuple[str, ...] = ()
    reshape: tuple[int, ...] = ()
    permutation: tuple[int, ...] = ()
    listed: tuple[int, ...] = ()
    device: int = 0
    elements: tuple[GspmdSharding, ...] = ()
    group: int | None = None
    named: NamedSharding | None = None

    @property
    def num_devices(self) -> int | None:
        """The number of devices in it; None if it does not determine it."""
        if self.named is not None:
            return self.named.mesh.total_size
        return prod(self.tiles) if self.kind == "tiled" else None

    @property
    def rank(self) -> int:
        """The number of dimensions of the tensor, if it is tiled."""
        return len(self.tiles) - len(self.subgroups)


def parse_gspmd(text: str) -> GspmdSharding:
    """The sharding that ``text`` describes.

    Raises:
        BadSharding: it describes none, or one that pyshardy does not know.
    """
    reader = _Reader(text)
    found = reader.sharding()
    if reader.next is not None:
        raise BadSharding(f"'{reader.next}' stands behind its end")
    return found


class _Reader(Tokens):
    """Reads one text."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._depth = 0

    def sharding(self) -> GspmdSharding:
        """The sharding that begins here."""
        self.expect("{")
        if self.next in ("{", "}"):
            self._depth += 1
            if self._depth > DEEPEST_TUPLE:
                raise BadSharding("its tuples are nested too deeply")
            elements = self.separated(self.sharding, "}")
            self._depth -= 1
            return GspmdSharding("tuple", elements=tuple(elements))
        word = self.word()
        if word == "mesh":
            found = GspmdSharding("named", named=read_named(self))
        elif word == "maximal_mesh":
            found = GspmdSharding("maximal", device=read_maximal(self))
            self.takes(",")
        elif word == "devices":
            found = self._tiled()
        elif word == "maximal":
            self.expect("device")
            self.expect("=")
            found = GspmdSharding("maximal", device=self.number())
        elif word in _WORDS:
            found = GspmdSharding(_WORDS[word])
        else:
            raise BadSharding(f"'{word}' is no kind of sharding that pyshardy knows")
        group = self._ending()
        self.expect("}")
        return found if group is None else replace(found, group=group)

    def _tiled(self) -> GspmdSharding:
        self.expect("=")
        tiles = self._numbers()
        reshape: list[int] = []
        permutation: list[int] = []
        listed: list[int] = []
        if self.takes("<="):
            reshape = self._numbers()
            permutation = list(range(len(reshape)))
            if self.takes("T"):
                self.expect("(")
                permutation = self.separated(self.number, ")")
        else:
            listed = [self.number()]
            while self.takes(","):
                listed.append(self.number())
        subgroups: list[str] = []
        if self.takes("last_tile_dim_replicate"):
            subgroups = ["replicated"]
        elif self.takes("last_tile_dims"):
            self.expect("=")
            self.expect("{")
            subgroups = self.separated(self.word, "}")
        return checked_tiling(tiles, reshape, permutation, listed, subgroups)

    def _ending(self) -> int | None:
        """Parses the text before the last brace: metadata, which is ignored, and the number of a group."""
        group = None
        while self.next not in ("}", None):
            word = self.word()
            if word in ("shard_as", "shard_like"):
                group = self.number()
            elif word == "metadata":
                self.expect("=")
                self.skip_braces()
            else:
                raise BadSharding(f"'{word}' is nothing that pyshardy knows in a sharding")
        return group

    def _numbers(self) -> list[int]:
        self.expect("[")
        return self.separated(self.number, "]")


def checked_tiling(
    tiles: list[int],
    reshape: list[int],
    permutation: list[int],
    listed: list[int],
    subgroups: list[str],
    group: int | None = None,
) -> GspmdSharding:
    """A tiled sharding of these parts.

    Raises:
        BadSharding: they do not fit together, or a subgroup is of a kind without counterpart.
    """
    total = prod(tiles)
    if min((*tiles, *reshape), default=1) < 1:
        raise BadSharding("a size in it is less than 1")
    if listed:
        if len(listed) != total or sorted(listed) != list(range(total)):
            raise BadSharding(f"the devices of [{', '.join(map(str, tiles))}] are 0 to {total - 1}, each once")
    elif prod(reshape) != total or sorted(permutation) != list(range(len(reshape))):
        raise BadSharding(f"its {total} tiles are not the devices on the right of '<='")
    if len(subgroups) > len(tiles):
        raise BadSharding("it has more last tile dimensions than tile dimensions")
    for one in subgroups:
        if one not in _SUBGROUPS:
            raise BadSharding(f"devices that are '{one}' have no counterpart")
    return GspmdSharding(
        "tiled", tuple(tiles), tuple(subgroups), tuple(reshape), tuple(permutation), tuple(listed), group=group
    )
