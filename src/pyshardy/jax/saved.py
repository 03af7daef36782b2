"""Saves a partitioned program to a file, which runs on another machine that has the devices.

The file is a line that identifies it, a line of JSON with what the program requires of the machine, and JAX's
serialization of the export.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import jax
from jax import export

from pyshardy import __version__
from pyshardy.ir.input_files import read_input
from pyshardy.ir.whole_files import write_whole
from pyshardy.jax.call_form import CallForm
from pyshardy.jax.named_tuples import register, register_again
from pyshardy.jax.partitioned import Partitioned
from pyshardy.jax.problems import JaxProblem
from pyshardy.jax.requirement import ADVICE
from pyshardy.jax.runnable import Runnable
from pyshardy.jax.specs import Spec

_MAGIC = b"pyshardy.jax 1\n"


@dataclass(frozen=True)
class StaticText:
    """A static value of a file, where its text alone is kept: it equals whatever has the same one."""

    text: str

    def __eq__(self, other: object) -> bool:
        return repr(other) == self.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return self.text


@dataclass(frozen=True, eq=False)
class SavedPlan:
    """What a file holds: the partitioned program, its report, the versions that made it, the platform that it is for.
    ``compile`` makes it a function."""

    runnable: Runnable
    text: str
    jax_version: str
    pyshardy_version: str
    platform: str

    @property
    def axes(self) -> dict[str, int]:
        """The axes of the mesh that it is for."""
        return dict(self.runnable.axes)

    def report(self) -> str:
        """The report of the plan as it was saved."""
        return self.text

    def compile(self, mesh: Any = None) -> Partitioned:
        """The partitioned function on the devices of ``mesh``.

        Raises:
            JaxProblem: there is no mesh, it is another one than planned for, or its devices are of another platform.
        """
        self.runnable.check_mesh(mesh)
        return Partitioned(self.runnable, mesh)

    def __repr__(self) -> str:
        axes = ", ".join(f"{name}={size}" for name, size in self.axes.items())
        return f"<SavedPlan of {self.runnable.exported.fun_name} for {self.platform} devices ({axes})>"


def save(runnable: Runnable, path: str | os.PathLike[str], report: str, vjp_order: int) -> None:
    """Writes ``runnable`` to a file; ``vjp_order`` gradients with it.

    Raises:
        JaxProblem: the package flatbuffers is missing; JAX cannot write a class in the arguments' or results' tree.
    """
    _need_flatbuffers("written")
    exported, form = runnable.exported, runnable.form
    header = {
        "pyshardy": __version__,
        "jax": jax.__version__,
        "name": exported.fun_name,
        "platform": exported.platforms[0],
        "axes": dict(runnable.axes),
        "axis_types": runnable.axis_types,
        "donated": runnable.donated,
        "names": runnable.names,
        "in_specs": runnable.in_specs,
        "out_specs": runnable.out_specs,
        "count": form.count,
        "keywords": form.keywords,
        "parameters": form.parameters,
        "statics": [[place, repr(value)] for place, value in form.statics.items()],
        "named_tuples": register((exported.in_tree, exported.out_tree)),
        "report": report,
    }
    try:
        data = exported.serialize(vjp_order=vjp_order)
    except ValueError as error:
        reason = str(error).strip().partition("\n")[0].rstrip(".")
        raise JaxProblem(
            f"the plan of {exported.fun_name} cannot be saved: {reason}. Classes in arguments and results are made "
            "known to files by jax.export.register_pytree_node_serialization, named tuples that are defined inside of "
            "functions by jax.export.register_namedtuple_serialization, before saving and before loading"
        ) from error
    write_whole(path, _MAGIC + json.dumps(header).encode() + b"\n" + bytes(data))


def load(path: str | os.PathLike[str]) -> SavedPlan:
    """Reads what ``JaxPlan.save`` wrote; ``load(path).compile(mesh)`` is the function.

    Raises:
        JaxProblem: the file is none of these, or damaged; it was made by a newer jax than this one.
        OSError: the file cannot be read.
    """
    name = os.fspath(path)
    data = read_input(path, "a saved plan")
    if not data.startswith(_MAGIC):
        raise JaxProblem(f"{name} is not a plan: pyshardy.jax.load reads what plan.save(path) wrote")
    _need_flatbuffers("read")
    line, _, program = data[len(_MAGIC) :].partition(b"\n")
    try:
        header = json.loads(line)
        form, made = _form(header), _numbers(header["jax"])
        classes = [(str(module), str(one)) for module, one in header.get("named_tuples", ())]
        specs = _specs(header["in_specs"]), _specs(header["out_specs"])
        rest = [header[name] for name in ("axes", "axis_types", "donated", "names", "platform", "pyshardy", "report")]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise JaxProblem(f"{name} is a plan that is damaged: save it again") from None
    register_again(classes, name)
    axes, types, donated, names, platform, pyshardy_version, report = rest
    if _numbers(jax.__version__) < made:
        raise JaxProblem(
            f"{name} was made with jax {header['jax']}, and this is jax {jax.__version__}, which may not know all of "
            "it: install at least that version here, or make the plan with this one"
        )
    try:
        exported = export.deserialize(bytearray(program))
    except Exception as error:
        # Whatever a damaged file leads to; the reader of the format raises all kinds.
        raise JaxProblem(
            f"{name} cannot be read by jax {jax.__version__} (it was made with {header['jax']}): "
            f"{str(error).strip().partition(chr(10))[0] or type(error).__name__}"
        ) from error
    runnable = Runnable(exported, form, tuple(donated), tuple(names), *specs, axes, tuple(types))
    return SavedPlan(runnable, report, header["jax"], pyshardy_version, platform)


def _form(header: dict[str, Any]) -> CallForm:
    statics = {place: StaticText(text) for place, text in header["statics"]}
    return CallForm(header["count"], tuple(header["keywords"]), statics, tuple(header["parameters"]))


def _specs(given: list[list[Any] | None]) -> tuple[Spec | None, ...]:
    """JSON has lists for tuples."""
    return tuple(
        None if spec is None else tuple(tuple(one) if isinstance(one, list) else one for one in spec) for spec in given
    )


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:3] if part.isdigit())


def _need_flatbuffers(what: str) -> None:
    if find_spec("flatbuffers") is None:
        raise JaxProblem(f"a plan is {what} with the package flatbuffers, which is not installed: {ADVICE}")
