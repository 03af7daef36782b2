"""Plans for machines that are elsewhere, and the way there: a file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import AbstractMesh, NamedSharding
from jax.sharding import PartitionSpec as P

import pyshardy.jax
from tests.jax.programs import SPECS, Meshes, apart, arguments, loss, meshes, placed, step

SIZES = {"data": 4, "model": 2}


def layer(x: Any, w: Any) -> Any:
    """A product that is summed over devices."""
    return x @ w


@pytest.mark.parametrize(
    ("sizes", "platform"), [((256, 16), "tpu"), ((4096, 16), "cuda"), ((4096, 16), "tpu"), ((512, 8), "cpu")]
)
def test_thousands_of_devices_are_planned_and_exported_here(sizes: tuple[int, int], platform: str) -> None:
    mesh = AbstractMesh(sizes, ("data", "model"))
    shapes = jax.ShapeDtypeStruct((65536, 1024), jnp.bfloat16), jax.ShapeDtypeStruct((1024, 64), jnp.bfloat16)
    specs = P("data", "model"), P("model")
    plan = pyshardy.jax.partition(
        layer, *shapes, mesh=mesh, in_shardings=specs, platform=platform, replica_groups="mesh-axes"
    )
    assert plan.devices == sizes[0] * sizes[1]
    assert plan.arguments[0].local_shape == (65536 // sizes[0], 1024 // sizes[1])
    assert {one.group_size for one in plan.collectives} == {sizes[1]}
    assert plan.runnable.exported.platforms == (platform,)
    assert len(plan.runnable.exported.mlir_module_serialized) < 5000


def test_compiling_says_what_is_missing() -> None:
    x = jax.ShapeDtypeStruct((4096, 16), jnp.float32)
    plan = pyshardy.jax.partition(jnp.sin, x, mesh={"data": 256, "model": 16}, in_shardings=P("data"))
    with pytest.raises(pyshardy.jax.JaxProblem) as problem:
        plan.compile()
    assert str(problem.value) == (
        "the plan of sin is for 4096 devices and names none of them, and there are 8 here: give the mesh to run on, "
        "compile(jax.make_mesh((256, 16), ('data', 'model'), axis_types=(AxisType.Auto, AxisType.Auto))), where the "
        "devices are"
    )


def test_shardings_on_shapes_say_the_mesh_too() -> None:
    mesh = AbstractMesh((256, 16), ("data", "model"))
    x = jax.ShapeDtypeStruct((4096, 16), jnp.float32, sharding=NamedSharding(mesh, P("data")))
    plan = pyshardy.jax.partition(jnp.sin, x, platform="tpu")
    assert plan.devices == 4096 and plan.results[0].local_shape == (16, 16)


def test_a_saved_plan_computes_what_was_planned(tmp_path: Path, mesh: Meshes) -> None:
    plan = pyshardy.jax.partition(step, *arguments(), mesh=SIZES, in_shardings=SPECS, donate_argnums=0)
    plan.save(tmp_path / "step.plan")
    saved = pyshardy.jax.load(tmp_path / "step.plan")
    assert repr(saved) == "<SavedPlan of step for cpu devices (data=4, model=2)>"
    assert saved.report() == plan.report() and saved.axes == SIZES
    params, x = placed(mesh)
    run = saved.compile(mesh)
    assert apart(run(params, x=x), jax.jit(step)(*arguments())) < 1e-4
    assert params["up"].is_deleted()
    with pytest.raises(pyshardy.jax.JaxProblem, match=r"params\['down'\] has been donated"):
        run(params, x)


def test_a_saved_plan_has_the_gradients_that_were_saved_with_it(tmp_path: Path, mesh: Meshes) -> None:
    plan = pyshardy.jax.partition(loss, *arguments(), mesh=SIZES, in_shardings=SPECS)
    plan.save(tmp_path / "loss.plan", vjp_order=1)
    run = pyshardy.jax.load(tmp_path / "loss.plan").compile(mesh)
    assert apart(jax.grad(run)(*placed(mesh)), jax.grad(loss)(*arguments())) < 1e-4
    plan.save(tmp_path / "loss.plan")
    run = pyshardy.jax.load(tmp_path / "loss.plan").compile(mesh)
    with pytest.raises(ValueError, match="No VJP is available"):
        jax.grad(run)(*placed(mesh))


def test_static_values_of_a_saved_plan_are_held_to_it(tmp_path: Path, mesh: Meshes) -> None:
    def scaled(x: Any, times: int) -> Any:
        return x * times

    x = np.ones((8, 4), np.float32)
    pyshardy.jax.partition(scaled, x, 3, mesh=mesh, static_argnums=1).save(tmp_path / "scaled.plan")
    run = pyshardy.jax.load(tmp_path / "scaled.plan").compile(mesh)
    assert apart(run(x, times=3), 3 * x) == 0
    with pytest.raises(pyshardy.jax.JaxProblem, match="times is static, and the plan is for times=3, not 4"):
        run(x, 4)


@pytest.mark.slow
def test_another_process_runs_a_saved_plan(tmp_path: Path) -> None:
    path = tmp_path / "step.plan"
    pyshardy.jax.partition(step, *arguments(), mesh=SIZES, in_shardings=SPECS).save(path)
    program = (
        "import jax, sys; jax.config.update('jax_num_cpu_devices', 8)\n"
        "import pyshardy.jax; from tests.jax.programs import meshes, placed\n"
        "mesh = meshes(data=4, model=2)\n"
        "print(float(pyshardy.jax.load(sys.argv[1]).compile(mesh)(*placed(mesh))[1]))\n"
    )
    command = [sys.executable, "-c", program, str(path)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env=os.environ | {"JAX_PLATFORMS": "cpu"}
    )
    assert done.returncode == 0, done.stderr
    assert apart(float(done.stdout), jax.jit(step)(*arguments())[1]) < 1e-4


def test_other_devices_than_planned_are_named(tmp_path: Path, mesh: Meshes) -> None:
    path = tmp_path / "sin.plan"
    x = jax.ShapeDtypeStruct((8, 4), jnp.float32)
    pyshardy.jax.partition(jnp.sin, x, mesh=SIZES, in_shardings=P("data"), platform="tpu").save(path)
    saved = pyshardy.jax.load(path)
    with pytest.raises(pyshardy.jax.JaxProblem, match="for the platform tpu, and this mesh has devices of cpu"):
        saved.compile(mesh)
    with pytest.raises(pyshardy.jax.JaxProblem, match=r"for a mesh \(data=4, model=2\) of 8 .* is \(a=2, b=4\) of 8"):
        saved.compile(meshes(a=2, b=4))


def test_a_file_of_a_newer_jax_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "sin.plan"
    pyshardy.jax.partition(jnp.sin, np.ones(8, np.float32), mesh=SIZES).save(path)
    magic, header, rest = path.read_bytes().split(b"\n", 2)
    newer = json.loads(header) | {"jax": "99.1.0"}
    path.write_bytes(b"\n".join([magic, json.dumps(newer).encode(), rest]))
    with pytest.raises(pyshardy.jax.JaxProblem, match=r"was made with jax 99\.1\.0, and this is jax "):
        pyshardy.jax.load(path)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"module {}", "is not a plan: pyshardy.jax.load reads what plan.save"),
        (b"pyshardy.jax 1\n{not json", "is a plan that is damaged"),
        (b"pyshardy.jax 1\n{}\nrubbish", "is a plan that is damaged"),
    ],
)
def test_a_file_that_is_none_says_so(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(data)
    with pytest.raises(pyshardy.jax.JaxProblem, match=message):
        pyshardy.jax.load(path)


def test_a_file_that_is_cut_off_says_so(tmp_path: Path) -> None:
    path = tmp_path / "sin.plan"
    pyshardy.jax.partition(jnp.sin, np.ones(8, np.float32), mesh=SIZES).save(path)
    magic, header, program = path.read_bytes().split(b"\n", 2)
    path.write_bytes(b"\n".join([magic, header, program[:100]]))
    with pytest.raises(pyshardy.jax.JaxProblem, match=r"sin\.plan cannot be read by jax .* \(it was made with"):
        pyshardy.jax.load(path)


class State(NamedTuple):
    """Like the states of Optax, which nobody makes known to files."""

    x: Any


def test_a_saved_plan_knows_named_tuples(tmp_path: Path, mesh: Meshes) -> None:
    x = np.ones(8, np.float32)
    plan = pyshardy.jax.partition(lambda states: [State(one.x * 2) for one in states], (State(x), State(x)), mesh=mesh)
    plan.save(tmp_path / "states.plan")
    plan.save(tmp_path / "states.plan")
    found = pyshardy.jax.load(tmp_path / "states.plan").compile(mesh)((State(x), State(x)))
    assert [type(one) for one in found] == [State, State] and apart(found[0].x, x * 2) == 0


@pytest.mark.slow
def test_another_process_has_to_know_the_named_tuples_of_a_file(tmp_path: Path) -> None:
    plan = pyshardy.jax.partition(lambda state: state.x * 2, State(np.ones(8, np.float32)), mesh=SIZES)
    plan.save(tmp_path / "state.plan")
    done = subprocess.run(
        [sys.executable, "-c", f"import pyshardy.jax; pyshardy.jax.load({str(tmp_path / 'state.plan')!r})"],
        env=os.environ | {"JAX_PLATFORMS": "cpu"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "of the class tests.jax.test_without_devices.State, which this process does not know: import " in done.stderr


def test_a_class_that_cannot_be_written_says_how_it_can(tmp_path: Path) -> None:
    class State(NamedTuple):
        x: Any

    plan = pyshardy.jax.partition(lambda state: State(state.x * 2), State(np.ones(8, np.float32)), mesh=SIZES)
    with pytest.raises(pyshardy.jax.JaxProblem, match=r"cannot be saved: .*register_namedtuple_serialization"):
        plan.save(tmp_path / "state.plan")


def test_a_mesh_that_only_a_constraint_names_counts() -> None:
    sharding = NamedSharding(AbstractMesh((4, 2), ("data", "model")), P("data"))
    plan = pyshardy.jax.partition(lambda x: jax.lax.with_sharding_constraint(x * 2, sharding), np.ones((8, 4)))
    assert plan.devices == plan.runnable.devices == 8
    with pytest.raises(pyshardy.jax.JaxProblem, match="for 8 devices and names none of them: give the mesh"):
        plan.compile()
