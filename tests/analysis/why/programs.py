"""Small programs to ask questions about, and how answers are read in the tests."""

from __future__ import annotations

from pyshardy import parse
from pyshardy.analysis.why.blocking_annotations import Blocker
from pyshardy.analysis.why.chains import Chain
from pyshardy.analysis.why.explainer import Explainer
from pyshardy.analysis.why.explanation import Dimension, TensorExplanation

MESH = '["x"=2, "y"=4]'


def program(body: str, mesh: str = MESH) -> str:
    """The text of a program with a mesh; in ``body`` ``<dims>`` behind ``#`` is a sharding on it:
    ``tensor<8xf32> #[{"x"}]``."""
    return f"sdy.mesh @mesh = <{mesh}>\n{body}"


def sharded(dims: str) -> str:
    """The attribute of an argument or result: ``{sdy.sharding = …}``."""
    return f"{{sdy.sharding = #sdy.sharding<@mesh, {dims}>}}"


def explained(text: str, what: str, *, edits: bool = False) -> TensorExplanation:
    """The one answer about the tensor ``what`` of the program ``text``."""
    (answer,) = Explainer(parse(text)).explain(what, edits=edits)
    assert isinstance(answer, TensorExplanation)
    return answer


def chain(text: str, what: str, dim: int, axis: str) -> Chain:
    """The chain of ``axis``, written as in a sharding, in dimension ``dim`` of ``what``."""
    found = explained(text, what).dimensions[dim].chains
    return next(one for one in found if one.axis.body_text == axis)


def steps(found: Chain) -> list[str]:
    """The steps of a chain in a line each: ``dot_general i forward %arg0:0 -> %0:0``, with a priority if it is later,
    and what cut off further axes."""
    return [
        " ".join(filter(None, (one.operation.partition(".")[2], one.factor, one.direction, one.source)))
        + f":{one.source_dim} -> {one.target}:{one.target_dim}"
        + (f", priority {one.priority}" if one.priority else "")
        + (f", then {one.cut_off.cause}" if one.cut_off is not None else "")
        for one in found.steps
    ]


def origin(found: Chain) -> str:
    """Where a chain begins: ``argument %arg0``."""
    return found.origin.text if found.origin is not None else ""


def blocker(dimension: Dimension, axis: str) -> Blocker | None:
    """What kept ``axis`` away from a dimension."""
    return next((one for one in dimension.blockers if one.axis.body_text == axis), None)
