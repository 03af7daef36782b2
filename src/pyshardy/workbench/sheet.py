"""The sheet of a workbench: the rows of a program, and the cost of a step for a setting, evaluated on the short
program.

A row is a parameter with its moments, or an input of the step: all arguments of one name in all layers. ``searching``
evaluates settings as in a search; each setting is evaluated once.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from math import prod
from typing import NamedTuple

from pyshardy.analysis.cost.targets import Target
from pyshardy.dialects.sdy import placement
from pyshardy.ir.progress import Check
from pyshardy.ir.types import TensorType, size_in_bytes
from pyshardy.module import Module
from pyshardy.reading.tensors import main_of
from pyshardy.searching.evaluation import Evaluator
from pyshardy.searching.families import INPUT, MOMENT, RESULT, WEIGHT, Family
from pyshardy.searching.layouts import LATER, InnerSharding, Spec, plain_axes
from pyshardy.searching.preparation import prepared
from pyshardy.searching.scoring import Score
from pyshardy.searching.sharding_lines import Writer
from pyshardy.searching.short_program import short_program
from pyshardy.searching.space import Layouts, Space
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding
from pyshardy.workbench.setting import Setting, WrongRequest

_FIRST_AXIS = "data"


class Row(NamedTuple):
    """A family, the numbers of the families that always have its sharding, the names of its dimensions, and which of
    them a loop takes slices of."""

    family: Family
    followers: tuple[int, ...]
    names: tuple[str, ...]
    sliced: tuple[bool, ...]


class Sheet:
    """The rows of ``module`` on ``target``, which has a number of devices, or the mesh of the program; ``beside``
    identifies everything else that figures depend on, such as rules and plugins.

    Raises:
        ShardingProblem, PyshardyError: the program cannot be prepared.
        WrongRequest: neither the target nor the program says how many devices there are.
    """

    def __init__(self, module: Module, target: Target, beside: str = "") -> None:
        self._beside = beside
        self.module, self.target = module, target
        self.hardware = target.hardware
        ready = prepared(module, None)
        self.short = short_program(ready.source)
        self.space = Space(self.short)
        self.writer = Writer(self.space, clear=ready.clear)
        self.is_bound = ready.mesh is not None
        self.notes: list[str] = []
        self._evaluator = Evaluator(self.short, self.hardware)
        self._known: dict[Setting, Score | None] = {}
        self._inside: dict[str, tuple[Hashable, int]] = {}
        self.inside_shapes: dict[str, tuple[int, ...]] = {}
        """The shapes of tensors inside of the program that searches have constrained, by pattern."""
        self.shapes = [family.shape for family in self.space.listed]
        self.start = self._start()
        self.devices = target.devices or prod(self.start.sizes.values())
        if self.is_bound:
            self.notes.append("a manual computation in the program needs this mesh")
        if ready.clear:
            self.notes.append("shardings inside the program are left out")
        self.rows = self._rows()

    def _rows(self) -> list[Row]:
        space = self.space
        rows: list[Row] = []
        done: set[int] = set()
        for one in space.parameters:
            rows.append(self._row(space.listed[one.weight], one.moments))
            done |= {one.weight, *one.moments}
        others = [family for family in space.listed if family.number not in done and family.shape]
        order = {INPUT: 0, WEIGHT: 1, MOMENT: 2, RESULT: 3}
        others.sort(key=lambda one: (order[one.role], -one.bytes, one.number))
        inputs = [self._row(family, ()) for family in others if family.role != RESULT]
        return [*inputs, *rows]

    def _row(self, family: Family, followers: Sequence[int]) -> Row:
        names = tuple(self.space.names.get(one, "") for one in family.classes)
        sliced = tuple(self.space.classes.is_sliced(one) for one in family.classes)
        return Row(family, tuple(followers), names, sliced)

    # --- the initial setting ------------------------------------------------------------------------------------------

    def _start(self) -> Setting:
        """The setting of the program's shardings, on as many devices as the hardware has; for a program without any,
        nothing is sharded on a mesh of one axis."""
        own = next(((name, one) for name, one in placement.meshes(self.module.op).items() if one.axes), None)
        if own is None:
            if self.target.devices is None:
                raise WrongRequest(
                    "nobody says how many devices there are: --hardware h100x8, or a mesh in the program"
                )
            return Setting(((_FIRST_AXIS, self.target.devices),), ())
        name, mesh = own
        sizes = self._sizes_on_target(mesh)
        main = main_of(self.module)
        specs: dict[int, Spec] = {}
        for family in self.space.listed:
            if family.arguments:
                found = placement.function_argument_sharding(main, family.arguments[0])
                spec = _spec_of(found, name, family, sizes)
                if spec is not None:
                    specs[family.number] = spec
        return Setting(tuple(sizes.items()), ()).with_specs(specs)

    def _sizes_on_target(self, mesh: Mesh) -> dict[str, int]:
        """The sizes of the axes of ``mesh`` for the number of devices: if that differs, the first axis is resized, or
        replaced by a single axis."""
        sizes, devices = dict(mesh.sizes), self.target.devices
        own = prod(sizes.values())
        if devices is None or devices == own:
            return sizes
        words = f"the mesh of the program has {own} device{'s' if own > 1 else ''}, the hardware {devices}"
        if self.is_bound:
            raise WrongRequest(f"{words}; a manual computation needs that mesh: give hardware of {own}")
        if devices % own:
            sizes = {_FIRST_AXIS: devices}
        else:
            sizes[next(iter(sizes))] *= devices // own
        self.notes.append(f"{words}: this begins with {', '.join(f'{axis}={size}' for axis, size in sizes.items())}")
        return sizes

    # --- evaluation of a setting --------------------------------------------------------------------------------------

    def layouts(self, setting: Setting) -> Layouts:
        """The layouts of a setting."""
        given = dict(setting.specs)
        specs = [given.get(family.number, ((),) * len(family.shape)) for family in self.space.listed]
        inner = tuple(InnerSharding(*self._inside[pattern], spec) for pattern, spec in setting.inside)
        return Layouts(setting.mesh, tuple(specs), inner)

    def taken_over(self, layouts: Layouts, score: Score) -> Setting:
        """The setting for ``layouts``, which a search on this program has found, with its ``score``."""
        inside = []
        for one in layouts.inner:
            pattern = self.writer.inner_pattern(one)
            type = self.short.source_members[one.group][0].results[one.result].type
            assert isinstance(type, TensorType)
            self._inside[pattern] = one.group, one.result
            self.inside_shapes[pattern] = type.shape
            inside.append((pattern, one.spec))
        specs = {family.number: layouts.specs[family.number] for family in self.space.listed}
        setting = Setting(layouts.mesh, (), tuple(sorted(inside))).with_specs(specs)
        self._known.setdefault(setting, score)
        return setting

    @cached_property
    def digest(self) -> str:
        """A digest of the program without its shardings, and of the hardware."""
        text = self.short.source.text(generic=True)
        return sha256(f"{self.hardware}\n{self.devices}\n{self._beside}\n{text}".encode()).hexdigest()

    def take_results_of(self, before: Sheet) -> bool:
        """Takes over the results of ``before``, if its program and hardware are the same; returns whether they are."""
        if self.digest != before.digest:
            return False
        self._known.update(before._known)
        self._inside.update(before._inside)
        self.inside_shapes.update(before.inside_shapes)
        return True

    def score(self, setting: Setting, check: Check | None = None) -> Score | None:
        """The cost of a step; None if the program cannot be partitioned. An exception that ``check`` raises ends the
        evaluation. The caller must hold the turn of the scheduler."""
        if setting not in self._known:
            layouts = self.layouts(setting)
            boundary = self.space.boundary(layouts)
            self._known[setting] = self._evaluator.score(Mesh(setting.sizes), boundary, layouts.inner, check)
        return self._known[setting]

    def argument_bytes(self, setting: Setting) -> dict[str, float]:
        """The bytes on a device of parameters, of optimizer state, and of other inputs."""
        given, sizes = dict(setting.specs), setting.sizes
        found = {WEIGHT: 0.0, MOMENT: 0.0, INPUT: 0.0}
        for family in self.space.listed:
            if family.arguments:
                spec = given.get(family.number, ())
                parts = prod(sizes[axis] for axis in plain_axes(spec))
                found[family.role] += size_in_bytes(family.type) * len(family.arguments) / parts
        return found

    @property
    def capacity(self) -> float:
        """The memory of a chip that a program can use."""
        return self.hardware.chip.capacity

    def is_small(self, family: Family) -> bool:
        """Whether the family is too small for a row of its own."""
        return family.role in (WEIGHT, MOMENT) and self.space.is_small(family)


def _spec_of(sharding: TensorSharding | None, mesh: str, family: Family, sizes: Mapping[str, int]) -> Spec | None:
    """The sharding as whole axes that divide; None if it has sub-axes or axes that do not divide."""
    if sharding is None or sharding.mesh_or_ref != mesh or sharding.rank != len(family.shape):
        return None
    found: list[tuple[str, ...]] = []
    for dim, size in zip(sharding.dims, family.shape, strict=True):
        if any(axis.sub_size is not None for axis in dim.axes):
            return None
        mark = LATER if dim.priority else ""
        axes = tuple(mark + axis.name for axis in dim.axes)
        if any(axis.name not in sizes for axis in dim.axes) or size % prod(sizes[axis.name] for axis in dim.axes):
            return None
        found.append(axes)
    return tuple(found)
