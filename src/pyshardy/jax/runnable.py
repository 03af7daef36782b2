"""A partitioned program for JAX with everything that its callers must know, independent of how it was planned.

A plan makes one, a file holds one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import jax
from jax.sharding import Mesh as ConcreteMesh

from pyshardy.jax.call_form import CallForm
from pyshardy.jax.problems import JaxProblem
from pyshardy.jax.specs import Spec, platform_of, sharding_for


@dataclass(frozen=True, eq=False)
class Runnable:
    """A partitioned program: the ``jax.export.Exported`` that holds it; the form of its calls; which leaves of the
    arguments are donated and what they are called; where arguments and results lie if JAX was not told (``None`` where
    no ``PartitionSpec`` says it); the axes of the mesh and their types, by name."""

    exported: Any
    form: CallForm
    donated: tuple[bool, ...]
    names: tuple[str, ...]
    in_specs: tuple[Spec | None, ...]
    out_specs: tuple[Spec | None, ...]
    axes: Mapping[str, int]
    axis_types: tuple[str, ...]

    @property
    def devices(self) -> int:
        """On how many devices it runs."""
        return int(self.exported.nr_devices)

    def shardings(self, mesh: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """The shardings of arguments and results on ``mesh``, leaf by leaf; None where nothing is known."""
        if mesh is None:
            return (None,) * len(self.in_specs), (None,) * len(self.out_specs)
        try:
            given = self.exported.in_shardings_jax(mesh), self.exported.out_shardings_jax(mesh)
        except ValueError:
            # Nothing is sharded, and JAX holds an empty mesh against this one.
            given = (None,) * len(self.in_specs), (None,) * len(self.out_specs)
        planned = self.in_specs, self.out_specs
        inputs, outputs = (
            tuple(sharding_for(spec, mesh) if one is None else one for one, spec in zip(*both, strict=True))
            for both in zip(given, planned, strict=True)
        )
        return inputs, outputs

    def check_mesh(self, mesh: Any) -> None:
        """Holds ``mesh``, the one to run on, to the plan.

        Raises:
            JaxProblem: it is none of devices, has other axes, axes of other types, or devices of another platform.
        """
        name = self.exported.fun_name
        if mesh is None:
            if self.devices == 1:
                return
            here = jax.device_count()
            raise JaxProblem(
                f"the plan of {name} is for {self.devices} devices and names none of them"
                + (f", and there {'is' if here == 1 else 'are'} {here} here" if here < self.devices else "")
                + f": give the mesh to run on, compile({self._mesh_text()}), where the devices are"
            )
        if not isinstance(mesh, ConcreteMesh):
            raise JaxProblem(
                f"compile() wants a mesh of devices, and {mesh} has none: compile({self._mesh_text()}), where there "
                f"are {self.devices} devices"
            )
        axes = dict(mesh.shape)
        if list(axes.items()) != list(self.axes.items()):
            raise JaxProblem(
                f"the plan of {name} is for a mesh {_axes_text(self.axes)} of {self.devices} devices, and this mesh "
                f"is {_axes_text(axes)} of {mesh.size}: give one with the same axes in the same order, or plan for "
                "this one"
            )
        types = axis_types_of(mesh)
        if types != self.axis_types:
            raise JaxProblem(
                f"the plan of {name} is for axes of the types {', '.join(self.axis_types)}, and this mesh has "
                f"{', '.join(types)}: {self._mesh_text()} makes one that fits"
            )
        platform, here = self.exported.platforms[0], platform_of(mesh)
        if here != platform:
            raise JaxProblem(
                f"the plan of {name} is for the platform {platform}, and this mesh has devices of {here}: plan with "
                f"platform={here!r}"
            )

    def _mesh_text(self) -> str:
        sizes, names = tuple(self.axes.values()), tuple(self.axes)
        types = ", ".join(f"AxisType.{one}" for one in self.axis_types)
        return f"jax.make_mesh({sizes}, {names}, axis_types=({types}{',' if len(names) == 1 else ''}))"


def axis_types_of(mesh: Any) -> tuple[str, ...]:
    """The types of the axes of a mesh of JAX, by name: Auto, Explicit, Manual."""
    return tuple(one.name for one in mesh.axis_types)


def _axes_text(axes: Mapping[str, int]) -> str:
    return "(" + ", ".join(f"{name}={size}" for name, size in axes.items()) + ")"
