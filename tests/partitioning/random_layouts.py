"""Random layouts for small programs: any axes and sub-axes in any dimension, on meshes of several orders.

``Case`` collects the arguments and the operations of one function, each in a layout; ``disagreements`` compares the
local programs of a family with the global ones. A test of a family of operations says how to make one case of it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pyshardy import Plan, parse, partition

MESHES = {
    "m": '<["x"=4, "y"=2]>',
    "r": '<["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>',
    "t": '<["x"=2, "y"=3]>',
}

_PARTS = {
    "m": (['"x"'], ['"y"'], ['"x"', '"y"'], ['"y"', '"x"'], ['"x":(1)2'], ['"x":(2)2'], ['"x":(2)2', '"y"']),
    "t": (['"x"'], ['"y"'], ['"x"', '"y"'], ['"y"', '"x"']),
}
_PARTS["r"] = _PARTS["m"]


def tensor(shape: Sequence[int], element: str = "f32") -> str:
    """``tensor<2x3xf32>``."""
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def random_shape(rng: random.Random, most: int, sizes: Sequence[int] = (1, 2, 3, 4, 5, 6, 8, 9)) -> list[int]:
    """One to ``most`` dimensions."""
    return [rng.choice(sizes) for _ in range(rng.randint(1, most))]


def random_sharding(rng: random.Random, mesh: str, type: str, share: float = 0.6) -> str:
    """``<@m, [{"x"}, {}]>`` for a value of ``type``, with axes in about ``share`` of its dimensions."""
    inside = type[type.index("<") + 1 : type.rindex(">")] if type.startswith("tensor<") else ""
    rank = inside.split("<")[0].count("x") if not inside.startswith("complex") else 0
    if "complex<" in inside:
        rank = inside[: inside.index("complex<")].count("x")
    dims: list[str] = [""] * rank
    taken: list[str] = []
    for dim in rng.sample(range(rank), rank):
        if rng.random() > share:
            continue
        parts = rng.choice(_PARTS[mesh])
        if not any(_clash(one, other) for one in parts for other in taken):
            dims[dim] = ", ".join(parts)
            taken += parts
    return f"<@{mesh}, [{', '.join('{' + one + '}' for one in dims)}]>"


def _clash(one: str, other: str) -> bool:
    (name, _, part), (other_name, _, other_part) = one.partition(":"), other.partition(":")
    return name == other_name and (part == other_part or not part or not other_part)


@dataclass
class Case:
    """One function in the making: ``argument`` and ``add`` give the names of values."""

    rng: random.Random
    mesh: str = "m"
    arguments: list[str] = field(default_factory=list)
    body: list[str] = field(default_factory=list)
    results: list[tuple[str, str]] = field(default_factory=list)
    functions: list[str] = field(default_factory=list)

    def argument(self, type: str, sharding: str | None = None) -> str:
        """A new argument of ``type``, sharded at random unless ``sharding`` is given."""
        name = f"%a{len(self.arguments)}"
        placed = sharding if sharding is not None else random_sharding(self.rng, self.mesh, type)
        self.arguments.append(f"{name}: {type} {{sdy.sharding = #sdy.sharding{placed}}}")
        return name

    def add(self, text: str) -> str:
        """Adds the operation ``text``, without its result."""
        name = f"%v{len(self.body)}"
        self.body.append(f"{name} = {text}")
        return name

    def add_sharded(self, text: str, types: Sequence[str], count: int = 1) -> list[str]:
        """Adds the operation ``text``, in which ``ATTRS`` stands for the attribute dictionary; its results, which the
        function returns, want random layouts or none."""
        name = f"%v{len(self.body)}"
        wanted = ""
        if self.rng.random() < 0.6:
            listed = ", ".join(random_sharding(self.rng, self.mesh, type) for type in types)
            wanted = f"{{sdy.sharding = #sdy.sharding_per_value<[{listed}]>}}"
        assert "ATTRS" in text
        names = [name] if count == 1 else [f"{name}#{index}" for index in range(count)]
        self.body.append(f"{name}{f':{count}' if count > 1 else ''} = {text.replace('ATTRS', wanted)}")
        self.results += zip(names, types, strict=True)
        return names

    def text(self) -> str:
        """The program."""
        meshes = "\n".join(f"sdy.mesh @{name} = {mesh}" for name, mesh in MESHES.items() if name == self.mesh)
        types = ", ".join(
            f"{type} {{sdy.sharding = #sdy.sharding{random_sharding(self.rng, self.mesh, type)}}}"
            for _, type in self.results
        )
        body = "\n".join(f"  {line}" for line in self.body)
        values, plain = (", ".join(one[part] for one in self.results) for part in (0, 1))
        returned = f"return {values} : {plain}"
        more = "".join(self.functions)
        return (
            f"{meshes}\n{more}func.func @main({', '.join(self.arguments)}) -> ({types}) {{\n{body}\n  {returned}\n}}\n"
        )


Family = Callable[[Case], None]


def random_text(family: Family, seed: int) -> str:
    """The program that ``family`` makes with ``seed``."""
    rng = random.Random(seed)
    case = Case(rng, rng.choice("mmrt"))
    family(case)
    return case.text()


def random_plan(family: Family, seed: int) -> Plan:
    """The plan of that program."""
    return partition(parse(random_text(family, seed)), propagated=True)


def disagreements(family: Family, seeds: range) -> list[str]:
    """The programs whose local form computes something else."""
    wrong = []
    for seed in seeds:
        if random_plan(family, seed).check(seed).differs:
            wrong.append(f"// seed {seed}\n{random_text(family, seed)}")
    return wrong
