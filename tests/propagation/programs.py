"""Runs a propagate pass on a small program and reads the shardings off it."""

from __future__ import annotations

from pyshardy.api.programs import parse
from pyshardy.dialects.sdy import placement
from pyshardy.module import run_passes


def propagated(body: str, *, passes: str = "sdy-basic-propagate", mesh: str = '["a"=2, "b"=4]') -> dict[str, str]:
    """The shardings (dimension lists, ``""`` for none) after ``passes`` by tag: arguments are ``arg0``, …, function
    results ``out0``, …, and the operations that carry ``tag = "name"`` in their attributes go by that name."""
    module = run_passes(parse(f"sdy.mesh @m = <{mesh}>\n{body}"), passes)
    found: dict[str, str] = {}
    for op in module.op.walk():
        tag = op.get("tag")
        if tag is not None:
            found[str(tag).strip('"')] = _dims(placement.sharding_of(op.results[0]))
        if op.name == "func.func" and op.symbol_name == "main":
            for argument in op.body.arguments:
                found[f"arg{argument.index}"] = _dims(placement.sharding_of(argument))
            for index in range(len(op.body.terminator.operands)):
                found[f"out{index}"] = _dims(placement.function_result_sharding(op, index))
    return found


def _dims(sharding: object) -> str:
    dims = getattr(sharding, "dims", None)
    return "" if dims is None else "[" + ", ".join(dim.body_text for dim in dims) + "]"
