"""Shardy's operations on one value: constraint, reshard, propagation barrier, sharding group."""

from __future__ import annotations

from tests.generator.body import Body
from tests.generator.families import makes
from tests.generator.types import Value


@makes("constraints")
def sharding_constraint(body: Body) -> None:
    x = body.pick_shaped()
    if body.chance(body.features.generic_form):
        sharding = f"sharding = #sdy.sharding{body.sharding(x.type)}"
        body.emit(f'"sdy.sharding_constraint"({x}) <{{{sharding}}}> : ({x.type}) -> {x.type}', [x], [x.type])
        return
    body.emit(f"sdy.sharding_constraint {x} {body.sharding(x.type)} : {x.type}", [x], [x.type])


@makes("reshards")
def reshard(body: Body) -> None:
    x = body.pick_shaped()
    body.emit(f"sdy.reshard {x} {body.sharding(x.type)} : {x.type}", [x], [x.type])


@makes("propagation_barriers")
def propagation_barrier(body: Body) -> None:
    x = body.pick_shaped()
    direction = body.rng.choice(("NONE", "FORWARD", "BACKWARD"))
    body.emit(f"sdy.propagation_barrier {x} allowed_direction={direction} : {x.type}", [x], [x.type])


@makes("sharding_groups")
def sharding_group(body: Body) -> None:
    """Two values of one shape join a group, each with the same number of its own for all programs of that shape."""
    x = body.pick_shaped(1)
    if body.features.tangled_groups and body.chance(body.features.tangled_groups):
        _join_any(body, x)
        return
    shapes = body.program.group_shapes
    number = shapes.setdefault(x.type.shape, len(shapes))
    for value in (x, body.pick(lambda type: type.shape == x.type.shape)):
        if value is not None and (value.name, body.scope) not in body.program.grouped:
            body.program.grouped.append((value.name, body.scope))
            body.emit(f"sdy.sharding_group {value} group_id={number} : {value.type}", [value], [])


def _join_any(body: Body, x: Value) -> None:
    """A value joins a group of its shape and manual computation, seldom of others, which is an error."""
    wrong = body.chance(0.01)
    place = None if wrong else body.scope.computation
    kinds = body.program.group_kinds
    number = 10 * kinds.setdefault((x.type.shape, place), len(kinds)) + body.rng.randrange(4) - 3
    for _ in range(body.rng.choice((1, 1, 1, 2))):
        body.emit(f"sdy.sharding_group {x} group_id={number} : {x.type}", [x], [])
