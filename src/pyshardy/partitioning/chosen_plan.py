"""The plan that is chosen for a program, on its main mesh."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from pyshardy.module import Module
from pyshardy.partitioning.account.counted import CountedPlan
from pyshardy.partitioning.candidate_plan import CandidatePlan
from pyshardy.partitioning.candidate_plans import PlanOptions
from pyshardy.partitioning.main_mesh import main_mesh_of
from pyshardy.partitioning.plan_price import Pricing
from pyshardy.sharding.mesh import Mesh


class ChosenPlan(NamedTuple):
    """The ``best`` plan for ``module``, which is propagated, on its main mesh."""

    module: Module
    mesh_name: str | None
    mesh: Mesh | None
    best: CandidatePlan
    is_verified: bool = False
    """Whether the program of one device is known to be legal."""
    counted_form: Callable[[], CountedPlan | None] | None = None
    """Makes the plan's counted form, where it has one besides that with every operation."""


def chosen_plan(
    module: Module,
    best_plan: Callable[[PlanOptions], CandidatePlan],
    options: PlanOptions,
    emit: str,
    price: Pricing | None,
) -> ChosenPlan:
    """What ``best_plan`` finds for ``module``, which is propagated, with ``options`` for its main mesh. ``emit`` is one
    of ``FORMS``; for ``manual`` what comes from outside and goes there is sharded on the main mesh alone.

    Raises:
        PyshardyError: its meshes have different numbers of devices, or ``best_plan`` says so.
        ValueError: the mesh does not fit the hardware that the price is for.
    """
    mesh_name, mesh = main_mesh_of(module)
    comparison = None if price is None else price.for_mesh(mesh)
    boundary_mesh = mesh_name if emit == "manual" else None
    best = best_plan(options._replace(boundary_mesh=boundary_mesh, comparison=comparison))
    return ChosenPlan(module, mesh_name, mesh, best)
