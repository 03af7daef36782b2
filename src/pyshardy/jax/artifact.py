"""Serializes the text of a partitioned program to the bytes that JAX runs, a portable artifact of StableHLO.

Meshes get symbols that contain their axes, since every program of JAX calls its own ``@mesh``: so programs for
different meshes can be in one.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any

import jax
from jax import export

from pyshardy.dialects.sdy import placement
from pyshardy.jax.problems import JaxProblem
from pyshardy.module import Module


def artifact(module: Module, lowered: Any, *, portable: bool = False) -> bytes:
    """``module`` as an artifact, in the version of the jaxlib that is installed, or if ``portable`` in one that jaxlib
    of a few weeks before and of later reads as well.

    ``lowered`` is a ``jax.stages.Lowered``, whose context knows the dialects.

    Raises:
        JaxProblem: replica groups are axes of a mesh, and this jaxlib does not know those.
    """
    try:
        from jax.extend.mlir import ir
        from jax.extend.mlir.dialects import stablehlo
    except ImportError:
        from jaxlib.mlir import ir
        from jaxlib.mlir.dialects import stablehlo

    text = module.text(debug_info=True)
    if _KNOWS_ANY_MESH:
        text = with_names_of_axes(text, module)
    with _context(lowered):
        try:
            parsed = ir.Module.parse(text)
        except Exception as error:
            if _AXES_AS_GROUPS in text:
                raise JaxProblem(
                    f"jax {jax.__version__} does not know replica groups as axes of a mesh: plan with "
                    'replica_groups="list", or use a newer jax'
                ) from error
            raise
        version = stablehlo.get_current_version()
        if portable and _AXES_AS_GROUPS not in text:
            four_weeks = stablehlo.StablehloCompatibilityRequirement.WEEK_4
            version = stablehlo.get_version_from_compatibility_requirement(four_weeks)
        # Other dialects stay as they are: sdy has no portable form, JAX's own exports do the same.
        return bytes(stablehlo.serialize_portable_artifact(parsed, version, True))


_KNOWS_ANY_MESH = "_has_named_shardings" in export.Exported.__dataclass_fields__
"""Before that JAX took the mesh of an export to be called ``@mesh``."""

_AXES_AS_GROUPS = "#stablehlo.replica_group_mesh_axes"
"""What older versions of StableHLO do not know."""


def _context(lowered: Any) -> Any:
    try:
        return lowered.compiler_ir().context
    except (AttributeError, ValueError):
        from jax.interpreters import mlir

        return mlir.make_ir_context()


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|@[A-Za-z_][\w$.]*')


def with_names_of_axes(text: str, module: Module) -> str:
    """``text`` of ``module`` with meshes called by their axes: ``@mesh_data4_model2``."""
    renamed: dict[str, str] = {}
    taken = {op.symbol_name for op in module.op.body}
    for name, mesh in placement.meshes(module.op).items():
        axes = "".join(f"_{re.sub(r'[^A-Za-z0-9]', '', axis.name)}{axis.size}" for axis in mesh.axes)
        new = f"mesh{axes}_{hashlib.sha256(str(mesh).encode()).hexdigest()[:8]}"
        if new in taken:
            continue
        taken.add(new)
        renamed[f"@{name}"] = f"@{new}"
    # Strings are passed over: a name in a location is not a symbol.
    return _TOKEN.sub(lambda found: renamed.get(found[0], found[0]), text)
