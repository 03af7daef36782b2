"""Reads the text of a GSPMD sharding, as in ``mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"``.

The syntax is that of ``HloSharding`` in XLA. ``device_digits`` interprets a tiled sharding.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import prod
from typing import ClassVar, Literal, NoReturn, TypeVar

from pyshardy.reading.gspmd.named_sharding import NamedSharding, read_maximal, read_named

Element = TypeVar("Element")

Kind = Literal["tiled", "replicated", "maximal", "manual", "unreduced", "unknown", "tuple", "named"]

_TOKEN = re.compile(r"""\s+|/\*.*?\*/|(<=|[{}\[\](),=:?]|'[^']*'|"(?:\\.|[^"\\])*"|[A-Za-z_]\w*|\d+)""")
DEEPEST_TUPLE = 100
_SUBGROUPS = ("replicated", "manual", "unreduced")
_OF_ONE_WORD: tuple[Kind, ...] = ("replicated", "manual", "unreduced", "unknown")
_WORDS = {kind: kind for kind in _OF_ONE_WORD}


class BadSharding(ValueError):
    """The text is no sharding, or one without counterpart; the message says why, without quoting the text."""


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
    reader = Reader(text)
    found = reader.sharding()
    if reader.next is not None:
        raise BadSharding(f"'{reader.next}' stands behind its end")
    return found


class Reader:
    """The tokens of one text."""

    MOST_DEVICES: ClassVar[int] = 2**20

    def __init__(self, text: str) -> None:
        self._tokens: list[str] = []
        place = 0
        while place < len(text):
            match = _TOKEN.match(text, place)
            if match is None:
                raise BadSharding(f"'{text[place]}' has no meaning in a sharding")
            if match[1] is not None:
                self._tokens.append(match[1])
            place = match.end()
        self._place = 0
        self._depth = 0

    @property
    def next(self) -> str | None:
        """The token that comes next; None at the end."""
        return self._tokens[self._place] if self._place < len(self._tokens) else None

    @property
    def behind_next(self) -> str | None:
        """The token behind the next one."""
        return self._tokens[self._place + 1] if self._place + 1 < len(self._tokens) else None

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

    def skip_braces(self) -> None:
        """Skips the text in the braces that begin with the next token."""
        depth = 0
        while True:
            token = self._take()
            depth += (token == "{") - (token == "}")
            if depth == 0:
                return

    def _numbers(self) -> list[int]:
        self.expect("[")
        return self.separated(self.number, "]")

    def separated(self, read: Callable[[], Element], end: str) -> list[Element]:
        """The elements that ``read`` parses between commas, up to ``end``."""
        found: list[Element] = []
        while not self.takes(end):
            if found:
                self.expect(",")
            found.append(read())
        return found

    def number(self) -> int:
        """A number."""
        token = self._take()
        if not token.isdigit():
            raise BadSharding(f"a number is expected in place of '{token}'")
        return int(token)

    def name(self) -> str:
        """The name of an axis, in quotes or a bare word."""
        token = self.next or ""
        if token[:1] in ("'", '"'):
            return self._take()[1:-1]
        return self.word()

    def word(self) -> str:
        """A bare word."""
        token = self._take()
        if not token[0].isalpha():
            raise BadSharding(f"a word is expected in place of '{token}'")
        return token

    def _take(self) -> str:
        token = self.next
        if token is None:
            raise BadSharding("it ends too early")
        self._place += 1
        return token

    def takes(self, token: str) -> bool:
        """Whether ``token`` comes next; it is taken then."""
        taken = self.next == token
        self._place += taken
        return taken

    def fail(self, why: str) -> NoReturn:
        """Refuses the text.

        Raises:
            BadSharding: always.
        """
        raise BadSharding(why)

    def expect(self, token: str) -> None:
        """Takes ``token``, which must come next."""
        found = self._take()
        if found != token:
            raise BadSharding(f"'{token}' is expected in place of '{found}'")


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
