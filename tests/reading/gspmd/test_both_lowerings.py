"""JAX programs lowered for GSPMD and for Shardy: the same tiles on every device, and the same numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import PartitionSpec as P

import pyshardy
from pyshardy import Module
from pyshardy.dialects.func import function_type
from pyshardy.dialects.main_function import find_main_function
from pyshardy.dialects.sdy import placement
from pyshardy.interpreter import run
from pyshardy.ir.types import TensorType
from pyshardy.sharding.tensor import TensorSharding
from tests.differential.jax_lowering import array, lower, mesh, pin
from tests.differential.jax_programs import PROGRAMS
from tests.sampling import sampled

Program = Callable[[], str]
HANDMADE: dict[str, Program] = {}


def program(make: Program) -> Program:
    HANDMADE[make.__name__] = make
    return make


@pytest.fixture(autouse=True)
def _keeps_shardy_on() -> Iterator[None]:
    yield
    jax.config.update("jax_use_shardy_partitioner", True)


def lowered(make: Program, *, shardy: bool) -> Module:
    jax.clear_caches()
    jax.config.update("jax_use_shardy_partitioner", shardy)
    text = make()
    assert shardy or "sdy." not in text
    return pyshardy.parse(text)


# --- programs of this page --------------------------------------------------------------------------------------------


@program
def axes_in_every_order() -> str:
    over = mesh(a=2, b=3, c=2)

    def f(x: jax.Array, y: jax.Array, z: jax.Array) -> Any:
        x = pin(x, over, ("c", "a"), "b")
        return x @ y, pin(z, over, None, ("b", "c"))

    specs = (P(("a", "b")), P("b", ("c", "a")), P(None, "a"))
    return lower(
        f, over, (array(12, 12), array(12, 24), array(24, 12)), specs, (P("c", ("b", "a")), P(("a", "b", "c")))
    )


@program
def one_device_and_scalars() -> str:
    over = mesh(x=1)
    return lower(lambda x, s: (x * s, s), over, (array(4), array()), (P("x"), P()), (P("x"), P()))


@program
def uneven_dimensions() -> str:
    over = mesh(x=4, y=2)
    return lower(lambda x: pin(jnp.tanh(x), over, "y", "x") + 1, over, (array(6, 7),))


@program
def shards_by_hand_between_constraints() -> str:
    over = mesh(a=2, b=2, c=2)

    def body(x: jax.Array, y: jax.Array) -> Any:
        index = jax.lax.axis_index("a") * 2 + jax.lax.axis_index("c")
        return jax.lax.psum(x, "b") + index, y * 2

    def f(x: jax.Array, y: jax.Array) -> Any:
        specs = (P(("c", "a"), "b"), P("b"))
        u, v = jax.shard_map(body, mesh=over, in_specs=specs, out_specs=(P(("c", "a")), P("b")))(x, y)
        w, _ = jax.shard_map(body, mesh=over, in_specs=specs, out_specs=(P(("c", "a")), P("b")))(x * 3, v)
        return pin(u + w, over, "a", None), v

    return lower(f, over, (array(8, 4), array(4, 4)), (P("a"), None), (None, P(None, "c")))


@program
def tensors_sharded_alike() -> str:
    from jax.experimental.shard_alike import shard_alike

    over = mesh(a=4, b=2)

    def f(x: jax.Array, y: jax.Array) -> Any:
        x, y = shard_alike(x, y)
        return x + 1, y * 2

    return lower(f, over, (array(8, 8), array(8, 8)), (P("a"), None))


# --- the comparison ---------------------------------------------------------------------------------------------------


def tiles(module: Module, sharding: TensorSharding) -> dict[int, tuple[int, ...]]:
    """Device → the index of its shard in each dimension."""
    mesh = placement.resolve_mesh(sharding, placement.meshes(module.op))
    assert mesh is not None
    found = {}
    for position, at in enumerate(product(*(range(axis.size) for axis in mesh.axes))):
        index = []
        for dim in sharding.dims:
            number = 0
            for axis in dim.axes:
                size, whole = axis.size(mesh), mesh.sizes[axis.name]
                number = number * size + at[mesh.positions[axis.name]] // (whole // axis.end(mesh)) % size
            index.append(number)
        found[mesh.device_ids[position] if mesh.device_ids else position] = tuple(index)
    return found


def declared(module: Module) -> list[TensorSharding | None]:
    main = find_main_function(module.op)
    assert main is not None
    type = function_type(main)
    arguments = [placement.function_argument_sharding(main, index) for index in range(len(type.inputs))]
    return arguments + [placement.function_result_sharding(main, index) for index in range(len(type.results))]


def random_arrays(module: Module) -> list[np.ndarray[Any, Any]]:
    main = find_main_function(module.op)
    assert main is not None
    rng = np.random.default_rng(0)
    found: list[np.ndarray[Any, Any]] = []
    for type in function_type(main).inputs:
        assert isinstance(type, TensorType)
        values = rng.standard_normal(type.shape).astype(np.float32)
        found.append(values if str(type.element) == "f32" else np.abs(values * 3).astype(np.int32))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled([*PROGRAMS, *HANDMADE], 2))
def test_arguments_and_results_lie_as_with_shardy(name: str) -> None:
    make = PROGRAMS.get(name) or HANDMADE[name]
    shardy, gspmd = lowered(make, shardy=True), lowered(make, shardy=False)
    assert gspmd.notes and not gspmd.context.diagnostics
    assert "mhlo.sharding" not in str(gspmd) and "SPMD" not in str(gspmd)
    for wanted, found in zip(declared(shardy), declared(gspmd), strict=True):
        assert (wanted is None) == (found is None)
        if wanted is not None and found is not None:
            assert tiles(gspmd, found) == tiles(shardy, wanted)
            assert [dim.is_closed for dim in found.dims] == [dim.is_closed for dim in wanted.dims]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        *HANDMADE,
        "all_collectives_by_hand",
        "gradient_through_a_manual_computation",
        "manual_computation_inside_a_scan",
        "manual_over_some_axes",
        "mixture_of_experts",
        "nested_calls_with_their_own_shardings",
        "nested_manual_computations",
        "pipeline_of_stages",
        "ring_attention",
        "the_same_axes_in_another_order",
        "transformer_with_sequence_parallelism",
        "two_meshes_in_one_program",
        "unconstrained_dimensions",
    ],
)
def test_the_program_computes_the_same_and_its_partition_too(name: str) -> None:
    make = PROGRAMS.get(name) or HANDMADE[name]
    shardy, gspmd = lowered(make, shardy=True), lowered(make, shardy=False)
    inputs = random_arrays(gspmd)
    for wanted, found in zip(run(shardy, inputs), run(gspmd, inputs), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)
    plan = pyshardy.partition(gspmd)
    assert plan.devices == pyshardy.partition(shardy).devices
    assert plan.check().agrees
