"""The conditions that fail at the end of propagation: at each operation, between which tensors, along which factor.

Equal operations with equal shardings are analysed once. ``failed_conditions`` finds the condition; ``blockers`` uses it
for the operations around one tensor, ``conflicts`` for all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pyshardy.analysis.why.failed_conditions import FailedCondition, failed_condition
from pyshardy.analysis.why.traced_program import TracedProgram
from pyshardy.propagation.actions import Action
from pyshardy.propagation.directions import ALL_AT_ONCE, NONE
from pyshardy.propagation.transfer_function import ActionSpec, Shardings
from pyshardy.sharding.mesh import Mesh

_Condition = tuple[int, int, FailedCondition]
"""Number of the tensor that has an axis, factor, and the condition that stops the axis."""


@dataclass(frozen=True)
class OperationConditions:
    """The final ``shardings`` of an operation's tensors, and the conditions that fail between them, by the number and
    dimension of the tensor that does not get an axis. ``on_several_meshes`` says that they have no mesh in common."""

    shardings: Shardings
    on_several_meshes: bool
    conditions: dict[tuple[int, int], list[_Condition]]

    def at(self, target: int, dim: int) -> list[_Condition]:
        """The conditions that stop axes from propagating to dimension ``dim`` of tensor number ``target``."""
        return self.conditions.get((target, dim), [])


class FinalConditions:
    """The conditions that fail in ``traced``."""

    def __init__(self, traced: TracedProgram) -> None:
        self._traced = traced
        self._known: dict[tuple[ActionSpec, Shardings], OperationConditions] = {}

    def of(self, action: Action) -> OperationConditions:
        """The conditions that fail at an operation, between the tensors of ``action``."""
        shardings = self._traced.final_view(action)
        key = (action.spec, shardings)
        if key not in self._known:
            self._known[key] = self._analysed(action.spec, shardings)
        return self._known[key]

    def _analysed(self, spec: ActionSpec, shardings: Shardings) -> OperationConditions:
        common = self._traced.run.transfer.common_mesh(shardings)
        if common is None:
            return OperationConditions(shardings, True, {})
        found: dict[tuple[int, int], list[_Condition]] = {}
        if not common[1].is_maximal:
            for target, dim, one in self._conditions(spec, shardings, common[1]):
                found.setdefault((target, dim), []).append(one)
        return OperationConditions(shardings, False, found)

    def _conditions(self, spec: ActionSpec, shardings: Shardings, mesh: Mesh) -> Iterator[tuple[int, int, _Condition]]:
        directions = spec.directions[ALL_AT_ONCE] or (NONE,) * spec.rule.num_factors
        projection = self._traced.run.transfer.projection(spec, shardings, mesh)
        tensors = projection.tensors
        for target, mapping in enumerate(spec.rule.tensor_mappings):
            for dim, factors in enumerate(mapping):
                for factor in factors:
                    if factor not in tensors[target].factors:
                        continue
                    for source, tensor in enumerate(tensors):
                        if source == target or factor not in tensor.factors:
                            continue
                        failed = failed_condition(spec, directions, projection, source, target, factor)
                        if failed is not None:
                            yield target, dim, (source, factor, failed)
