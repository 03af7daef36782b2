"""Indexes the operations of a program by name, so that a pass visits only those that it handles.

Most passes handle a few kinds of operations that most programs lack, and a large program does not fit into the
processor's caches: a walk over it costs as much as many a pass. So a program is indexed once, function by function, and
the index is updated from ``change_log.STRUCTURAL_CHANGES``: what was put into a block, taken out of one or renamed is
visited again, with all that is in it. That is exact since nothing else changes where an operation is and what it is
called; with ``ir.shortcuts`` off, every index is a new one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping

from pyshardy.ir import shortcuts
from pyshardy.ir.change_log import STRUCTURAL_CHANGES
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Block, Operation


class _Kind:
    """The operations of one name in one part. The list ``ops`` keeps what has gone until somebody asks: while it is
    ``loose``, it must be looked through and sorted first."""

    __slots__ = ("count", "loose", "name", "ops", "part")

    def __init__(self, part: _TopLevelIndex, name: str, ops: list[Operation]) -> None:
        self.part = part
        self.name = name
        self.ops = ops
        self.count = len(ops)
        self.loose = False

    def lose(self, op: Operation) -> None:
        """``op`` is not here any more."""
        self.part.gone.add(op)
        self.uncount(op)

    def uncount(self, op: Operation) -> None:
        """``op`` is not here any more, or not called so."""
        del self.part.home[op]
        self.loose = True
        self.count -= 1
        if not self.count:
            del self.part.kinds[self.name]

    def members(self) -> list[Operation]:
        """The operations, in some order if they are ``loose``."""
        if not self.loose:
            return self.ops
        home = self.part.home
        return [op for op in dict.fromkeys(self.ops) if home.get(op) is self]


class _TopLevelIndex:
    """What is in one operation directly in the program's body, itself included, by name. ``home`` is the program's
    table of where each operation is counted. ``flat`` are the operations in pre-order, some of which may have ``gone``,
    as long as none has come."""

    __slots__ = ("flat", "gone", "home", "kinds", "root")

    def __init__(self, root: Operation, home: dict[Operation, _Kind]) -> None:
        self.root = root
        self.home = home
        self.flat: list[Operation] | None = root.operations()
        self.gone: set[Operation] = set()
        by_name: dict[str, list[Operation]] = {}
        for op in self.flat:
            if op.name in by_name:
                by_name[op.name].append(op)
            else:
                by_name[op.name] = [op]
        self.kinds = {name: _Kind(self, name, ops) for name, ops in by_name.items()}
        for kind in self.kinds.values():
            home.update(dict.fromkeys(kind.ops, kind))

    @property
    def operations(self) -> list[Operation]:
        """Itself and what is in it, in pre-order."""
        flat = self.flat
        if flat is None:
            flat = self.flat = self.root.operations()
        elif self.gone:
            flat = self.flat = [op for op in flat if op not in self.gone]
        self.gone.clear()
        return flat

    def in_any_order(self, names: Collection[str]) -> list[Operation]:
        """Those of itself and of what is in it that have one of ``names``."""
        return [op for name in names if name in self.kinds for op in self.kinds[name].members()]

    def named(self, name: str) -> list[Operation]:
        """The operations of that name, in pre-order."""
        kind = self.kinds[name]
        if kind.loose:
            if self.has_many((name,)):
                kind.ops = [op for op in self.operations if op.name == name]
            else:
                there = kind.members()
                kind.ops = sorted(there, key=_place) if len(there) > 1 else there
            kind.loose = False
        return kind.ops

    def has_many(self, names: Collection[str]) -> bool:
        """Whether so many operations have one of ``names`` that sorting them takes longer than a look at all."""
        some = sum(self.kinds[name].count for name in names if name in self.kinds)
        return 8 * some > sum(kind.count for kind in self.kinds.values())

    def take(self, op: Operation, *, is_renamed: bool = False) -> None:
        """``op`` is here now, or at another place, or only ``is_renamed``."""
        if not is_renamed:
            self.flat = None
        name = op.name
        kind = self.kinds.get(name)
        before = self.home.get(op)
        if kind is None or before is not kind:
            if before is not None and is_renamed:
                before.uncount(op)
            elif before is not None:
                before.lose(op)
            if kind is None:
                kind = self.kinds[name] = _Kind(self, name, [])
            self.home[op] = kind
            kind.count += 1
        kind.ops.append(op)
        kind.loose = True


class _Program:
    """The index of a whole program, ``root``, the outermost operation."""

    __slots__ = ("_home", "_parts", "_structure_version", "root")

    def __init__(self, root: Operation) -> None:
        self.root = root
        self._take()

    def _take(self) -> None:
        self._structure_version = STRUCTURAL_CHANGES.count
        self._home: dict[Operation, _Kind] = {}
        self._parts = {op: _TopLevelIndex(op, self._home) for op in _body(self.root)}

    def keep_up(self) -> None:
        """Looks at what has moved since the last time."""
        now = STRUCTURAL_CHANGES.count
        if now == self._structure_version:
            return
        moved = STRUCTURAL_CHANGES.since(self._structure_version)
        if moved is None:
            self._take()
            return
        self._structure_version = now
        home = self._home
        for op, times in Counter(moved).items():
            kind = home.get(op)
            if op.parent is None and not op.regions:
                if kind is not None:
                    kind.lose(op)
                    self._parts.pop(op, None)
            elif times == 1 and kind is not None and kind.name != op.name:
                # One movement that gave it another name has left it in its place.
                kind.part.take(op, is_renamed=True)
            else:
                self._look(op)

    def _look(self, op: Operation) -> None:
        top = op
        above = op.parent_op
        while above is not None and above is not self.root:
            top, above = above, above.parent_op
        if above is None:
            gone = self._parts.pop(op, None)
            for one in op.operations() if op.regions else (op,):
                home = self._home.get(one)
                if home is not None:
                    home.lose(one)
            if gone is not None:
                self._look_again(gone)
        elif top not in self._parts:
            for one in top.operations():
                home = self._home.get(one)
                if home is not None:
                    home.lose(one)
            self._parts[top] = _TopLevelIndex(top, self._home)
        elif top is not op:
            part = self._parts[top]
            for one in op.operations() if op.regions else (op,):
                part.take(one)

    def _look_again(self, gone: _TopLevelIndex) -> None:
        """Whatever still counts as being in a function that has gone was taken to another place before."""
        for kind in [*gone.kinds.values()]:
            for one in [op for op in dict.fromkeys(kind.ops) if self._home.get(op) is kind]:
                kind.lose(one)
                self._look(one)

    def part(self, op: Operation) -> _TopLevelIndex | None:
        """The index of ``op``, if it stands directly in the program's body."""
        return self._parts.get(op)

    def parts(self) -> Iterator[_TopLevelIndex]:
        """Those of all operations in the program's body, in order."""
        return (self._parts[op] for op in _body(self.root))


class OperationIndex:
    """The operations of one operation as they are now, itself included: what is ``above``, then those of ``parts``."""

    __slots__ = ("_above", "_parts")

    def __init__(self, above: list[Operation], parts: list[_TopLevelIndex]) -> None:
        self._above = above
        self._parts = parts

    @property
    def operations(self) -> list[Operation]:
        """The operations in pre-order, ``root`` first; a list that is not to be changed."""
        parts = self._parts
        if len(parts) == 1 and not self._above:
            return parts[0].operations
        found = self._above.copy()
        for part in parts:
            found += part.operations
        return found

    @property
    def operations_postorder(self) -> list[Operation]:
        """The operations in post-order: those in its regions, then an operation itself."""
        found: list[Operation] = []
        # Operations whose regions are not finished, and the block that the last one looked at stood in.
        around: list[Operation] = []
        block: Block | None = None
        for op in self.operations:
            if op.parent is not block:
                block = op.parent
                owner = op.parent_op
                while around and around[-1] is not owner:
                    found.append(around.pop())
            if op.regions:
                around.append(op)
                block = None
            else:
                found.append(op)
        return [*found, *reversed(around)]

    def in_any_order(self, names: Collection[str] | None = None) -> list[Operation]:
        """The operations, or those with one of ``names``, in an order that says nothing: the cheapest list of them."""
        found = [op for op in self._above if names is None or op.name in names]
        for part in self._parts:
            if names is None and part.flat is not None:
                found += part.operations
            else:
                found += part.in_any_order(part.kinds if names is None else names)
        return found

    @property
    def counts(self) -> Mapping[str, int]:
        """How often each name is among them."""
        counts = {op.name: 1 for op in self._above}
        for part in self._parts:
            for name, kind in part.kinds.items():
                counts[name] = counts.get(name, 0) + kind.count
        return counts

    def has(self, *names: str) -> bool:
        """Whether there is an operation with one of ``names``."""
        return any(name in part.kinds for part in self._parts for name in names) or any(
            op.name in names for op in self._above
        )

    def named(self, *names: str) -> list[Operation]:
        """The operations with one of ``names``, in pre-order."""
        found = [op for op in self._above if op.name in names]
        for part in self._parts:
            present = [name for name in names if name in part.kinds]
            if len(present) == 1:
                found += part.named(present[0])
            elif part.has_many(present):
                found += [op for op in part.operations if op.name in names]
            else:
                found += sorted([op for name in present for op in part.named(name)], key=_place)
        return found

    def named_postorder(self, *names: str) -> list[Operation]:
        """Like ``named``, but an operation comes behind those in its regions."""
        found: list[Operation] = []
        around: list[Operation] = []
        for op in self.named(*names):
            while around and not around[-1].is_proper_ancestor_of(op):
                found.append(around.pop())
            around.append(op)
        return [*found, *reversed(around)]


def operation_index(root: Operation, context: Context) -> OperationIndex:
    """The index of ``root`` as it is now, kept up in the memory of the run."""
    top = root
    while (above := top.parent_op) is not None:
        top = above
    known = context.operation_indexes.get(top)
    if not isinstance(known, _Program) or not shortcuts.enabled():
        context.operation_indexes.clear()
        known = context.operation_indexes[top] = _Program(top)
    known.keep_up()
    if root is top:
        return OperationIndex([root], list(known.parts()))
    part = known.part(root)
    return OperationIndex([], [part if part is not None else _TopLevelIndex(root, {})])


def _body(root: Operation) -> Iterator[Operation]:
    return (op for region in root.regions for block in region.blocks for op in block)


def _place(op: Operation) -> list[int]:
    """Numbers that stand in the order of the text: for each operation around ``op``, then for itself, the region, the
    block and the place in it."""
    found: list[int] = []
    one: Operation | None = op
    while one is not None and one.parent is not None:
        block = one.parent
        if not block._ordered:
            block._number()
        region, owner = block.parent, block.parent_op
        assert region is not None and owner is not None
        number = region.blocks.index(block) if len(region.blocks) > 1 else 0
        found += (one._order, number, owner.regions.index(region) if len(owner.regions) > 1 else 0)
        one = owner
    found.reverse()
    return found
