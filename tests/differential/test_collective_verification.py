"""Random collectives, right ones and wrong ones: the verifier says what the reference says, first diagnostic and place.

A collective is derived from its operand's sharding as it should be, and then one or two things about it are changed.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

import pyshardy
from tests.differential.reference import run_reference
from tests.sampling import sampled

_PROGRAMS = 40
_MESHES = """sdy.mesh @m = <["a"=2, "b"=2, "c"=4, "d"=6]>
sdy.mesh @n = <["a"=2, "b"=2, "c"=4, "d"=6], device_ids=[{}]>
sdy.mesh @same = <["a"=2, "b"=2, "c"=4, "d"=6]>
sdy.mesh @o = <["a"=2, "x"=4]>
sdy.mesh @one = <[], device_ids=[3]>
""".format(", ".join(map(str, reversed(range(96)))))
_AXES = [
    *('"a"', '"b"', '"c"', '"d"'),
    *('"c":(1)2', '"c":(2)2', '"d":(1)2', '"d":(2)3', '"d":(1)3', '"d":(3)2'),
]
_WRONG_AXES = ['"x"', '"c":(1)4', '"c":(2)4', '"c":(3)2', '"a":(1)2', '"d":(1)4', '"zz"']

_Lists = list[list[str]]


def _braces(axes: list[str], open: bool = False) -> str:
    return "{" + ", ".join([*axes, *(["?"] if open else [])]) + "}"


def _lists(lists: _Lists) -> str:
    return "[" + ", ".join(map(_braces, lists)) + "]"


class _Case:
    """One collective in the making: shardings before and behind, and the axes that it names."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.rank = random.randint(1, 3)
        self.name = random.choice(list(_MAKERS))
        self.before, self.behind, self.named = self._some(), self._none(), self._none()
        self.unreduced_before: list[str] = []
        self.unreduced_behind: list[str] = []
        self.replicated: list[str] = []
        self.meshes = ["m", "m"]
        self.params: list[tuple[list[str], int, int]] = []

    def _none(self) -> _Lists:
        return [[] for _ in range(self.rank)]

    def _some(self) -> _Lists:
        chosen = self.random.sample(_AXES, self.random.randint(0, 4))
        lists = self._none()
        for axis in chosen:
            if not any(axis.split(":")[0] in other for axes in lists for other in axes) or self.random.random() < 0.2:
                self.random.choice(lists).append(axis)
        return lists

    def free(self) -> list[str]:
        used = {axis.split(":")[0] for axes in self.before for axis in axes}
        return [axis for axis in _AXES[:4] if axis not in used]

    def spoil(self) -> None:
        """Changes one thing."""
        random = self.random
        place = random.choice([self.before, self.behind, self.named])
        kind = random.randrange(9)
        if kind == 0:
            random.choice(place).append(random.choice([*_AXES, *_WRONG_AXES]))
        elif kind == 1 and any(place):
            random.choice([axes for axes in place if axes]).pop()
        elif kind == 2:
            random.shuffle(place)
        elif kind == 3:
            self.meshes[random.randrange(2)] = random.choice(["n", "same", "o", "one", "missing"])
        elif kind == 4:
            place.append([])
        elif kind == 5:
            random.choice([self.unreduced_before, self.unreduced_behind, self.replicated]).append(random.choice(_AXES))
        elif kind == 6 and self.params:
            axes, source, target = self.params.pop()
            self.params.append((axes, source + random.choice([-1, 0, 3]), target + random.choice([-1, 0, 1])))
        elif kind == 7:
            self.params.append((random.sample(_AXES, 1), random.randrange(self.rank), random.randrange(self.rank)))
        elif kind == 8 and len(place) > 1:
            place.pop()

    def text(self) -> str:
        type = f"tensor<{'8x' * self.rank}f32>"
        return (
            f"{_MESHES}func.func @main(%x: {type} {{sdy.sharding = #sdy.sharding"
            f"{self._sharding(0, self.before, self.unreduced_before)}}}) -> {type} {{\n"
            f"  %0 = sdy.{self.name} {self._argument()}%x "
            f"out_sharding={self._sharding(1, self.behind, self.unreduced_behind)} : {type}\n"
            f"  return %0 : {type}\n}}\n"
        )

    def _sharding(self, side: int, dims: _Lists, unreduced: list[str]) -> str:
        opened = [_braces(axes, self.random.random() < 0.1) for axes in dims]
        lists = (("replicated", self.replicated if side == 0 else []), ("unreduced", unreduced))
        named = "".join(f", {word}={_braces(axes)}" for word, axes in lists if axes)
        return f"<@{self.meshes[side]}, [{', '.join(opened)}]{named}>"

    def _argument(self) -> str:
        if self.name == "collective_permute":
            return ""
        if self.name == "all_to_all":
            return (
                "[" + ", ".join(f"{_braces(axes)}: {source}->{target}" for axes, source, target in self.params) + "] "
            )
        if self.name in ("all_reduce", "replicated_to_unreduced"):
            return _braces([axis for axes in self.named for axis in axes]) + " "
        return _lists(self.named) + " "


def _gathered(case: _Case) -> None:
    for dim, axes in enumerate(case.before):
        count = case.random.randint(0, len(axes))
        case.behind[dim], case.named[dim] = axes[:count], axes[count:]


def _unsharded(case: _Case) -> None:
    _gathered(case)
    case.unreduced_behind = sorted(axis for axes in case.named for axis in axes)


def _sliced(case: _Case) -> None:
    for axis in case.free():
        if case.random.random() < 0.6:
            case.random.choice(case.named).append(axis)
    case.behind = [old + new for old, new in zip(case.before, case.named, strict=True)]


def _reduced(case: _Case) -> None:
    case.behind = [list(axes) for axes in case.before]
    case.named[0] = [axis for axis in case.free() if case.random.random() < 0.5]
    case.unreduced_before = list(case.named[0]) if case.random.random() < 0.5 else []


def _becoming_unreduced(case: _Case) -> None:
    _reduced(case)
    case.unreduced_before, case.unreduced_behind = [], list(case.named[0])


def _exchanged(case: _Case) -> None:
    case.behind = [list(axes) for axes in case.before]
    dims = list(range(case.rank))
    case.random.shuffle(dims)
    if case.rank > 1 and case.before[dims[0]]:
        axes = [case.behind[dims[0]].pop()]
        case.behind[dims[1]] += axes
        case.params.append((axes, dims[0], dims[1]))


def _permuted(case: _Case) -> None:
    case.behind = [list(reversed(axes)) for axes in case.before]
    if case.random.random() < 0.3:
        case.meshes[1] = "n"


_MAKERS: dict[str, Callable[[_Case], None]] = {
    "all_gather": _gathered,
    "all_reduce": _reduced,
    "all_slice": _sliced,
    "all_to_all": _exchanged,
    "collective_permute": _permuted,
    "reduce_scatter": _sliced,
    "replicated_to_unreduced": _becoming_unreduced,
    "sharded_to_unreduced": _unsharded,
}


def random_collective(seed: int) -> str:
    """A program with one collective, which is more often wrong than right."""
    random = Random(seed)
    case = _Case(random)
    _MAKERS[case.name](case)
    for _ in range(random.choice((0, 1, 1, 1, 2, 2))):
        case.spoil()
    return case.text()


@pytest.mark.parametrize("first", sampled(range(0, 10 * _PROGRAMS, _PROGRAMS), 2))
def test_the_verifier_says_what_the_reference_says(first: int) -> None:
    for seed in range(first, first + _PROGRAMS):
        program = random_collective(seed)
        reference = run_reference(program, "builtin.module()")
        if reference.crashed:  # an orderly error, or none, is all that can be asked for
            continue
        said = next((line for line in reference.diagnostics), "")
        try:
            module = pyshardy.parse(program)
        except pyshardy.PyshardyError as error:
            assert said.split("\n")[0].rstrip() == str(error).split("\n")[0].rstrip(), program
        else:
            assert reference.ok, f"{program}\n{reference.diagnostics}"
            assert str(module).strip() == reference.pretty.strip()
