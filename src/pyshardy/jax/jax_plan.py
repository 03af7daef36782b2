"""``pyshardy.jax.partition``: makes a plan of a JAX function, which compiles to a function again.

``lowering`` makes the program, ``pyshardy.partition`` plans it, ``runnable`` and ``partitioned`` run it, ``saved``
keeps it in a file. To run, the manual form of the plan replaces the program inside a ``jax.export.Exported``, which XLA
takes as it is.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import jax
from jax import export

from pyshardy.analysis.cost.candidate_price import price_for
from pyshardy.api.plan import Plan
from pyshardy.api.programs import parse
from pyshardy.jax.artifact import artifact
from pyshardy.jax.gradients import lowered_vjp
from pyshardy.jax.host_callbacks import refuse
from pyshardy.jax.lowering import Lowering, lower, under
from pyshardy.jax.partitioned import Partitioned
from pyshardy.jax.problems import JaxProblem
from pyshardy.jax.runnable import Runnable, axis_types_of
from pyshardy.jax.specs import Spec, as_mesh, spec_of
from pyshardy.module import Module
from pyshardy.partitioning.boundary import Boundary
from pyshardy.planning import partition as partition_module
from pyshardy.rules.properties import string

if TYPE_CHECKING:
    import os

    from pyshardy.reading.sharding_files.strategies import Shardings, Source


class _NotGiven:
    """What stands for an option of ``jax.jit`` that was not given: None is an option."""

    def __repr__(self) -> str:
        return "not given"


NOT_GIVEN: Any = _NotGiven()


def given_options(**options: Any) -> dict[str, Any]:
    """Those of ``options`` that somebody gave."""
    return {name: value for name, value in options.items() if value is not NOT_GIVEN}


@dataclasses.dataclass(repr=False, kw_only=True)
class JaxPlan(Plan):
    """A ``Plan`` of a JAX function: report, check, collectives, memory and names as there. ``compile`` gives the
    callable, ``save`` writes it to a file, ``vjp`` plans its gradient. ``lowering`` is what JAX made of the function,
    ``replica_groups`` how the program names the devices of a collective; ``is_sharded_from_outside`` says that the
    shardings of arguments and results are not those that JAX knows of."""

    lowering: Lowering
    replica_groups: str = "list"
    is_sharded_from_outside: bool = False

    @cached_property
    def runnable(self) -> Runnable:
        """The partitioned program for JAX, without devices.

        Raises:
            JaxProblem: the function calls back to Python, or ``jax.export`` refuses it for another reason.
        """
        return self._runnable(portable=False)

    def compile(self, mesh: Any = None) -> Partitioned:
        """The partitioned function, to be called as the function, on ``mesh`` or on the mesh that the plan was made
        with. Each mesh is compiled once.

        Raises:
            JaxProblem: there are no devices, the mesh is another one, or the function cannot be exported.
        """
        found = self.runnable
        mesh = self.lowering.mesh if mesh is None else mesh
        found.check_mesh(mesh)
        if mesh not in self._compiled:
            self._compiled[mesh] = Partitioned(found, mesh)
        return self._compiled[mesh]

    def vjp(self) -> JaxPlan:
        """The plan of the gradient: a flat function of the arguments and the cotangents of the results, which gives
        the cotangents of the arguments. ``jax.grad`` of the compiled function runs it.

        Raises:
            PyshardyError: it cannot be partitioned.
        """
        return self._vjp

    def save(self, path: str | os.PathLike[str], *, vjp_order: int = 0) -> None:
        """Writes the partitioned program to a file that ``pyshardy.jax.load`` reads where the devices are; with
        ``vjp_order`` its gradients up to that order too.

        Raises:
            JaxProblem: what ``runnable`` raises; a class in the arguments' tree cannot be written.
        """
        from pyshardy.jax.saved import save

        save(self._runnable(portable=True), path, self.report(), vjp_order)

    def __repr__(self) -> str:
        return f"<JaxPlan of {self.lowering.name}: {super().__repr__()[len('<Plan ') : -1]}>"

    @cached_property
    def _compiled(self) -> dict[Any, Partitioned]:
        return {}

    @cached_property
    def _vjp(self) -> JaxPlan:
        return plan_of(lowered_vjp(self.runnable, self.lowering), self.replica_groups)

    @property
    def axis_types(self) -> tuple[str, ...]:
        """The types of the mesh's axes, as JAX has them."""
        for mesh in (self.lowering.mesh, self.lowering.given_mesh, *self._meshes_of_exported()):
            if mesh is not None:
                return axis_types_of(mesh)
        return ("Auto",) * len(self.mesh.axes if self.mesh is not None else ())

    def _meshes_of_exported(self) -> list[Any]:
        exported = self._exported
        both = (*getattr(exported, "_in_named_shardings", ()), *getattr(exported, "_out_named_shardings", ()))
        return [one.mesh for one in both if one is not None]

    @cached_property
    def _exported(self) -> Any:
        """JAX's own export, whose program is not partitioned yet."""
        refuse(self.lowering.callbacks)
        targets = sorted(_custom_call_targets(self.source))
        # What runs it is the jax that made it, or one that ``load`` has compared.
        checks = [export.DisabledSafetyCheck.custom_call(name) for name in targets]
        one = self.lowering
        try:
            with under(one.given_mesh):
                make = export.export(one.jitted, platforms=[one.platform], disabled_checks=checks)
                return make(*one.args, **one.kwargs)
        except Exception as error:
            reason = str(error).strip().partition("\n")[0]
            raise JaxProblem(
                f"the plan of {one.name} cannot be compiled, because jax.export refuses the function: {reason}"
            ) from error

    def _runnable(self, *, portable: bool) -> Runnable:
        exported, one = self._exported, self.lowering
        kept = exported.module_kept_var_idx
        in_specs: list[Spec | None] = [None] * len(exported.in_avals)
        for index, boundary in zip(kept, self.arguments, strict=True):
            in_specs[index] = _spec_for(exported.in_avals[index], boundary)
        out_specs = [_spec_for(*both) for both in zip(exported.out_avals, self.results, strict=True)]
        replaced: dict[str, Any] = {
            "mlir_module_serialized": artifact(self.module, one.lowered, portable=portable),
            # A mesh that only a constraint names is not counted by JAX.
            "nr_devices": self.devices,
        }
        if self.is_sharded_from_outside:
            # JAX would bring everything to its own shardings, and XLA from there to ours.
            replaced |= _without_shardings(exported)
        gradient: dict[str, Any] = {"_get_vjp": lambda _: self.vjp().runnable.exported}
        try:
            ours = dataclasses.replace(exported, **replaced, **gradient)
        except TypeError:
            ours = dataclasses.replace(exported, **replaced)
        return Runnable(
            ours,
            one.form,
            tuple(bool(info.donated) for info in jax.tree.leaves(one.lowered.args_info)),
            one.form.names(exported.in_tree),
            tuple(in_specs),
            tuple(out_specs),
            dict(self.mesh.sizes) if self.mesh is not None else {},
            self.axis_types if self.mesh is not None else (),
        )


def _without_shardings(exported: Any) -> dict[str, Any]:
    """The fields of ``exported`` that hold shardings, with none in them."""
    counts = {"in": len(exported.in_avals), "out": len(exported.out_avals)}
    fields = {f"{side}_shardings_hlo": count for side, count in counts.items()}
    fields |= {f"_{side}_named_shardings": count for side, count in counts.items()}
    return {name: (None,) * count for name, count in fields.items() if hasattr(exported, name)}


def _custom_call_targets(module: Module) -> set[str]:
    calls = (op for op in module.op.walk() if op.name == "stablehlo.custom_call")
    return {target for op in calls if (target := string(op, "call_target_name"))}


def _spec_for(aval: Any, boundary: Boundary) -> Spec | None:
    """The spec in dimensions of JAX's array: random keys have one dimension more in the program."""
    spec = spec_of(boundary)
    return None if spec is None else spec[: len(aval.shape)]


def partition(
    f: Callable[..., Any],
    *args: Any,
    mesh: Any = None,
    platform: str | None = None,
    replica_groups: str = "list",
    progress: Callable[[int, int], None] | None = None,
    shardings: Source | Shardings | None = None,
    strategy: str | None = None,
    in_shardings: Any = NOT_GIVEN,
    out_shardings: Any = NOT_GIVEN,
    donate_argnums: Any = NOT_GIVEN,
    donate_argnames: Any = NOT_GIVEN,
    static_argnums: Any = NOT_GIVEN,
    static_argnames: Any = NOT_GIVEN,
    keep_unused: Any = NOT_GIVEN,
    **kwargs: Any,
) -> JaxPlan:
    """Plans the call ``f(*args, **kwargs)``: ``f`` is a function, jitted or not, the arguments are arrays or
    ``jax.ShapeDtypeStruct``s in any trees. No device is needed, and nothing runs.

    The options of ``jax.jit`` mean what they mean there. ``mesh`` (a mesh of JAX, of devices or abstract, or sizes by
    name) is the one that ``PartitionSpec``s mean, in the shardings and inside of ``f``. ``platform`` (``"tpu"``,
    ``"cuda"``, ``"cpu"``) is the one to run on, that of the mesh's devices if not given. ``replica_groups`` and
    ``progress`` are those of ``pyshardy.partition``. ``shardings`` are shardings by name from outside, a sharding file
    or a dict, and ``strategy`` one of its strategies (docs/shardings.md): they stand instead of those that the function
    has in these places, on ``mesh`` if that is given. An argument of ``f`` with the name of an option goes into
    ``functools.partial``.

    Raises:
        JaxProblem: a sharding names an axis that the mesh does not have or has more entries than the tensor has
            dimensions; ``f`` has ordered host callbacks; there are no shardings that ``strategy`` could be of.
        PyshardyError: the program cannot be partitioned.
        ShardingProblem: ``shardings`` name what the program does not have, or do not fit.
        ValueError, TypeError: what JAX raises for ``f`` and these arguments.
    """
    options = given_options(
        in_shardings=in_shardings,
        out_shardings=out_shardings,
        donate_argnums=donate_argnums,
        donate_argnames=donate_argnames,
        static_argnums=static_argnums,
        static_argnames=static_argnames,
        keep_unused=keep_unused,
    )
    if shardings is None and strategy is not None:
        raise JaxProblem(
            f"strategy={strategy!r} is one of those in shardings=, which are not given; pyshardy.jax.search finds one"
        )
    lowering = lower(f, args, kwargs, options, as_mesh(mesh), platform)
    return plan_of(lowering, replica_groups, progress, shardings, strategy)


def plan_of(
    lowering: Lowering,
    replica_groups: str = "list",
    progress: Callable[[int, int], None] | None = None,
    shardings: Source | Shardings | None = None,
    strategy: str | None = None,
) -> JaxPlan:
    """The plan of a function that is lowered already.

    Raises:
        PyshardyError: the program cannot be partitioned.
        ShardingProblem: ``shardings`` do not fit.
    """
    module = parse(lowering.lowered)
    mesh = lowering.given_mesh if lowering.given_mesh is not None else lowering.mesh
    if shardings is not None:
        sizes = dict(mesh.shape) if mesh is not None and not mesh.empty else None
        module.apply_shardings(shardings, strategy, mesh=sizes)
    if not any(one.axes for one in module.meshes.values()) and mesh is not None and not mesh.empty:
        # Nothing in the program is sharded; it runs on all devices all the same.
        module.add_mesh(dict(mesh.shape), "mesh_of_devices")
    price = price_for(module)
    plan = partition_module(module, emit="manual", replica_groups=replica_groups, progress=progress, price=price)
    values = {field.name: getattr(plan, field.name) for field in dataclasses.fields(Plan)}
    outside = shardings is not None
    return JaxPlan(**values, lowering=lowering, replica_groups=replica_groups, is_sharded_from_outside=outside)
