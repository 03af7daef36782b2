"""The pass ``sdy-lift-inlined-meshes``: gives every mesh one name, and every ``sdy.mesh`` its StableHLO twin.

Afterwards no sharding contains its mesh and no two mesh operations are equal, so that later passes compare names. In
the import pipeline only ``symbol-dce`` runs before it; ``inline_meshes`` does the opposite.
"""

from __future__ import annotations

from collections.abc import Iterator

from pyshardy.dialects.sdy.every_sharding import transform_shardings
from pyshardy.dialects.sdy.names import STABLEHLO_MESH
from pyshardy.dialects.stablehlo.attributes import Mesh as StablehloMesh
from pyshardy.dialects.stablehlo.attributes import ReplicaGroupMeshAxes
from pyshardy.dialects.stablehlo.operations import DIALECT
from pyshardy.ir import rewriting
from pyshardy.ir.attributes import ArrayAttr, DictionaryAttr, IntegerAttr, StringAttr, SymbolRefAttr
from pyshardy.ir.change_log import structure_version
from pyshardy.ir.context import Context
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.locations import Location
from pyshardy.ir.opdef import COLLECTIVE
from pyshardy.ir.operation import Operation
from pyshardy.ir.operation_index import OperationIndex, operation_index
from pyshardy.ir.passes import Pass, register_pass
from pyshardy.ir.types import I64, TensorType
from pyshardy.passes.call_graph import SymbolTable
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding

_WITH_GROUPS = tuple(
    name
    for name, row in DIALECT.definitions.items()
    if row.traits & COLLECTIVE and "replica_groups" in row.properties and name != "stablehlo.cross-replica-sum"
)
"""The operations with replica groups, in the order in which their meshes get names."""


class _Lifting:
    """One run of the pass on one module."""

    def __init__(self, module: Operation) -> None:
        self.module = module
        self.symbols = SymbolTable(module)
        self.last_mesh_op: Operation | None = None
        self.name_of_mesh: dict[Mesh, str] = {}
        self.name_of_groups_mesh: dict[StablehloMesh, str] = {}
        self.renamed: dict[str, str] = {}

    def erase_duplicates(self) -> None:
        for op in _mesh_ops(self.module):
            name = op.symbol_name
            assert name is not None
            kept = self.name_of_mesh.setdefault(_mesh(op), name)
            if kept == name:
                self.last_mesh_op = op
            else:
                self.renamed[name] = kept
                self.symbols.erase(op)

    def named(self, sharding: TensorSharding) -> TensorSharding:
        mesh = sharding.mesh_or_ref
        name = self.renamed.get(mesh, mesh) if isinstance(mesh, str) else self._name_of(mesh)
        return sharding.replace(mesh_or_ref=name)

    def _name_of(self, mesh: Mesh) -> str:
        name = self.name_of_mesh.get(mesh)
        if name is None:
            name = self.name_of_mesh[mesh] = self._new_mesh_op(mesh, self.module.location)
        return name

    def name_replica_groups(self, found: OperationIndex) -> bool:
        changed = False
        for name in _WITH_GROUPS:
            for op in found.named(name):
                before = op.properties
                self._name_mesh_of_groups(op)
                changed = changed or op.properties is not before
        return changed

    def _name_mesh_of_groups(self, op: Operation) -> None:
        groups = op.properties.get("replica_groups")
        if not isinstance(groups, ReplicaGroupMeshAxes):
            return
        mesh = groups.mesh
        if isinstance(mesh, SymbolRefAttr):
            name = self.renamed.get(mesh.root, mesh.root)
        else:
            name = self.name_of_groups_mesh.get(mesh) or self._new_mesh_op(_without_devices(mesh), op.location)
            self.name_of_groups_mesh[mesh] = name
        rewriting.set_properties(
            op, op.properties.with_("replica_groups", ReplicaGroupMeshAxes(SymbolRefAttr(name), groups.axes))
        )

    def _new_mesh_op(self, mesh: Mesh, location: int | Location | None) -> str:
        properties = DictionaryAttr({"sym_name": StringAttr(_preferred_name(mesh)), "mesh": mesh})
        op = rewriting.create("sdy.mesh", properties=properties, location=location)
        if self.last_mesh_op is not None:
            rewriting.insert_after(self.last_mesh_op, op)
        else:
            rewriting.prepend(self.module.body, op)
        self.last_mesh_op = op
        return self.symbols.insert(op)


def lift_inlined_meshes(module: Operation, context: Context) -> bool:
    """Merges equal mesh operations of ``module``, makes one for each mesh that stands in a sharding or in replica
    groups, and gives all of them the attribute ``stablehlo.mesh``. Returns whether anything had to be done."""
    lifting = _Lifting(module)
    before = structure_version()
    lifting.erase_duplicates()
    changed = transform_shardings(operation_index(module, context).operations, lifting.named)
    changed = lifting.name_replica_groups(operation_index(module, context)) or changed
    for op in _mesh_ops(module):
        if STABLEHLO_MESH not in op.attributes:
            rewriting.set_attributes(op, op.attributes.with_(STABLEHLO_MESH, stablehlo_mesh(_mesh(op))))
            changed = True
    return changed or structure_version() != before


def stablehlo_mesh(mesh: Mesh) -> DictionaryAttr:
    """``mesh`` as a dictionary of StableHLO's: ``axes`` with name and size, and ``device_ids`` if there are any."""
    axes = ArrayAttr(
        DictionaryAttr({"name": StringAttr(axis.name), "size": IntegerAttr(axis.size, I64)}) for axis in mesh.axes
    )
    written = DictionaryAttr({"axes": axes})
    ids = device_ids_attribute(mesh)
    return written if ids is None else written.with_("device_ids", ids)


def device_ids_attribute(mesh: Mesh) -> DenseElementsAttr | None:
    """The device ids of ``mesh`` as StableHLO's meshes have them; None if they are in order."""
    ids = mesh.device_ids
    return DenseElementsAttr.of(TensorType((len(ids),), I64), ids) if ids else None


def _mesh_ops(module: Operation) -> Iterator[Operation]:
    return (op for op in module.body if op.name == "sdy.mesh")


def _mesh(op: Operation) -> Mesh:
    found = op.properties.get("mesh")
    assert isinstance(found, Mesh)
    return found


def _without_devices(mesh: StablehloMesh) -> Mesh:
    return Mesh([(axis.name, axis.size) for axis in mesh.axes])


def _preferred_name(mesh: Mesh) -> str:
    if mesh.is_maximal:
        return f"maximal_mesh_{mesh.device_ids[0]}"
    return "empty_mesh" if mesh.is_empty else "mesh"


@register_pass("sdy-lift-inlined-meshes", on="builtin.module")
class LiftInlinedMeshes(Pass):
    """Replaces meshes written into shardings by names of ``sdy.mesh`` operations, and merges equal ones."""

    def apply(self, op: Operation, context: Context) -> bool:
        return lift_inlined_meshes(op, context)
