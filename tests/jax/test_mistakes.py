"""Every mistake is a sentence that says where it is and what would be right."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import PartitionSpec as P

import pyshardy.jax
from tests.jax.programs import SPECS, Meshes, arguments, loss, meshes, placed, step

X = np.ones((8, 4), np.float32)


def message_of(call: Callable[[], Any]) -> str:
    """What ``call`` is refused with."""
    with pytest.raises(pyshardy.jax.JaxProblem) as problem:
        call()
    return str(problem.value)


def test_an_axis_that_the_mesh_does_not_have(mesh: Meshes) -> None:
    specs = ({"down": P("modle"), "up": P()}, P("data"))
    assert message_of(lambda: pyshardy.jax.partition(loss, *arguments(), mesh=mesh, in_shardings=specs)) == (
        "in_shardings[0]['down'] = P('modle',): the mesh has no axis 'modle', only 'data' and 'model'; did you mean "
        "'model'?"
    )


def test_more_entries_than_dimensions(mesh: Meshes) -> None:
    specs = (P("model"), P("data", None, None))
    assert message_of(lambda: pyshardy.jax.partition(loss, *arguments(), mesh=mesh, in_shardings=specs)) == (
        "in_shardings[1] = P('data', None, None) has 3 entries, and x has 2 dimensions: at most one entry for each "
        "dimension is expected"
    )


def test_a_dimension_that_does_not_divide(mesh: Meshes) -> None:
    specs = (P(), P(("data", "model")))
    params, x = arguments()
    assert message_of(lambda: pyshardy.jax.partition(loss, params, x[:30], mesh=mesh, in_shardings=specs)) == (
        "in_shardings[1] = P(('data', 'model'),) cuts dimension 0 of x into 8 shards, and its 30 elements do not "
        "divide: shard another dimension, or pad the tensor"
    )


def test_a_mesh_that_is_none() -> None:
    assert message_of(lambda: pyshardy.jax.partition(jnp.sin, X, mesh=8)) == (
        "mesh= is a jax.sharding.Mesh, an AbstractMesh, or the sizes of the axes ({'data': 4, 'model': 2}), not 8 of "
        "type int"
    )


def test_another_mesh_than_planned(mesh: Meshes) -> None:
    plan = pyshardy.jax.partition(jnp.sin, X, mesh=mesh, in_shardings=P("data"))
    assert message_of(lambda: plan.compile(meshes(data=2, model=4))) == (
        "the plan of sin is for a mesh (data=4, model=2) of 8 devices, and this mesh is (data=2, model=4) of 8: give "
        "one with the same axes in the same order, or plan for this one"
    )
    assert message_of(lambda: plan.compile(meshes(data=4))).startswith(
        "the plan of sin is for a mesh (data=4, model=2) of 8 devices, and this mesh is (data=4) of 4"
    )


def test_axes_of_other_types(mesh: Meshes) -> None:
    plan = pyshardy.jax.partition(jnp.sin, X, mesh=mesh, in_shardings=P("data"))
    assert message_of(lambda: plan.compile(meshes(explicit=True, data=4, model=2))) == (
        "the plan of sin is for axes of the types Auto, Auto, and this mesh has Explicit, Explicit: "
        "jax.make_mesh((4, 2), ('data', 'model'), axis_types=(AxisType.Auto, AxisType.Auto)) makes one that fits"
    )


def test_a_mesh_without_devices(mesh: Meshes) -> None:
    plan = pyshardy.jax.partition(jnp.sin, X, mesh=mesh, in_shardings=P("data"))
    assert "compile() wants a mesh of devices, and " in message_of(lambda: plan.compile(mesh.abstract_mesh))


def test_devices_of_another_platform(mesh: Meshes) -> None:
    plan = pyshardy.jax.partition(jnp.sin, X, mesh=mesh, in_shardings=P("data"), platform="tpu")
    assert message_of(plan.compile) == (
        "the plan of sin is for the platform tpu, and this mesh has devices of cpu: plan with platform='cpu'"
    )


def test_a_donated_argument_a_second_time(mesh: Meshes) -> None:
    run = pyshardy.jax.partition(step, *arguments(), mesh=mesh, in_shardings=SPECS, donate_argnums=0).compile()
    params, x = placed(mesh)
    jax.block_until_ready(run(params, x))
    assert message_of(lambda: run(params, x)) == (
        "params['down'] has been donated in an earlier call, and its memory holds something else now: use the result "
        "that took its place, or plan without donating it"
    )


def test_another_shape_or_type(mesh: Meshes) -> None:
    run = pyshardy.jax.partition(loss, *arguments(), mesh=mesh, in_shardings=SPECS).compile()
    params, x = arguments()
    assert message_of(lambda: run(params, x[:8])) == (
        "x is float32[8,16], and the plan of loss is for float32[32,16]: give one of that type, or plan for this one"
    )
    assert message_of(lambda: run(params, x.astype(np.int32))).startswith("x is int32[32,16], and the plan of loss")


def test_another_structure(mesh: Meshes) -> None:
    run = pyshardy.jax.partition(loss, *arguments(), mesh=mesh, in_shardings=SPECS).compile()
    params, x = arguments()
    assert message_of(lambda: run({"up": params["up"], "more": x}, x)) == (
        "this call of loss is without params['down'] and with params['more'], other than planned: give the same "
        "structure, or plan for this one"
    )
    assert message_of(lambda: run(params)) == (
        "the plan is for a call with 2 positional arguments, and this one has 1 positional argument: give the same "
        "arguments, or plan for these"
    )


def test_an_argument_that_lies_elsewhere(mesh: Meshes) -> None:
    run = pyshardy.jax.partition(loss, *arguments(), mesh=mesh, in_shardings=SPECS).compile()
    params, _ = placed(mesh)
    elsewhere = jax.device_put(arguments()[1], jax.sharding.NamedSharding(mesh, P("model")))
    assert message_of(lambda: run(params, elsewhere)) == (
        "x lies as NamedSharding(mesh, P('model',)), and the plan of loss is for NamedSharding(mesh, P('data', None)): "
        "put it there with jax.device_put, or plan for where it lies"
    )
    alone = jax.device_put(arguments()[1], jax.devices()[0])
    assert "x lies on 1 device, and loss runs on the 8 of" in message_of(lambda: run(params, alone))


def test_host_callbacks_are_named_with_their_lines(mesh: Meshes) -> None:
    def talking(x: Any) -> Any:
        jax.debug.print("the sum is {}", x.sum())
        return jax.pure_callback(np.sin, jax.ShapeDtypeStruct(x.shape, x.dtype), x)

    plan = pyshardy.jax.partition(talking, X, mesh=mesh, in_shardings=P("data"))
    line = talking.__code__.co_firstlineno
    found = re.sub(r"\S*test_mistakes", "test_mistakes", message_of(plan.compile))
    assert found == (
        "a partitioned program cannot call back to Python, and this function does: "
        f"jax.debug.print at test_mistakes.py:{line + 1}, jax.pure_callback at test_mistakes.py:{line + 2}. Return the "
        "value and use it outside of the function, or leave the call out of what is partitioned; the plan and its "
        "report need no change"
    )


def test_ordered_callbacks_are_found_inside_of_loops(mesh: Meshes) -> None:
    def talking(x: Any) -> Any:
        def body(carry: Any, _: None) -> tuple[Any, None]:
            jax.debug.print("{}", carry.sum(), ordered=True)
            return carry, None

        return jax.lax.scan(body, x, None, length=2)[0]

    assert "jax.debug.print at " in message_of(lambda: pyshardy.jax.partition(talking, X, mesh=mesh))


def test_calls_into_foreign_code_are_kept(mesh: Meshes) -> None:
    def opaque(x: Any) -> Any:
        return jax.ffi.ffi_call("somewhere_else", jax.ShapeDtypeStruct(x.shape, x.dtype))(x)

    plan = pyshardy.jax.partition(opaque, X, mesh=mesh)
    assert "somewhere_else" in plan.runnable.exported.mlir_module()


_PRETENDING = """
import sys, types
{pretend}
import pyshardy
pyshardy.Module
assert "pyshardy.jax" not in sys.modules
try:
    import pyshardy.jax
except ImportError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("pretend", "message"),
    [
        (
            "sys.modules['jax'] = None",
            "pyshardy.jax needs jax, which cannot be imported (import of jax halted; None in sys.modules): "
            "pip install 'pyshardy[jax]'",
        ),
        (
            "sys.modules['jax'] = types.SimpleNamespace(__version__='0.6.2')",
            "pyshardy.jax needs jax 0.7 or newer, and this is jax 0.6.2: pip install 'pyshardy[jax]'",
        ),
    ],
)
def test_a_jax_that_is_missing_or_too_old(pretend: str, message: str) -> None:
    program = _PRETENDING.format(pretend=pretend)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == message


def test_importing_pyshardy_does_not_import_jax() -> None:
    program = "import sys, pyshardy; pyshardy.partition; print('jax' in sys.modules); print(pyshardy.jax.partition)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("False\n<function partition")
