"""The debug options that the propagate passes and ``sdy-apply-sharding-constraints`` have in common.

``trace`` does what they ask for; it is loaded only if one of them is on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation

if TYPE_CHECKING:
    from pyshardy.propagation.trace import Trace

ORIGINS_HELP = "write on each value from which sharding of the program each of its axes came"
EDGES_HELP = "write on each operation from where to where it moved axes, and in which step"


def trace_of(module: Operation, context: Context, *, origins: bool, edges: bool) -> Trace | None:
    """The trace that a pass with these debug options keeps; None if both are off.

    Raises:
        PassFailure: origins are asked for and a manual computation has no data-flow edges.
    """
    if not (origins or edges):
        return None
    from pyshardy.propagation.trace import Trace

    return Trace(module, context, origins=origins, edges=edges)
