"""Random programs to ask questions about: those of ``tests.generator`` with all that stops an axis somewhere."""

from __future__ import annotations

from dataclasses import replace

from pyshardy import PyshardyError, parse
from pyshardy.analysis.why.explainer import Explainer
from tests.generator import random_program
from tests.partitioning.fuzz import FEATURES

WIDER = replace(
    FEATURES,
    operations=14,
    named_computations=0.2,
    propagation_barriers=0.3,
    sharding_groups=0.4,
    second_mesh=0.2,
    crowded_dimensions=0.1,
)
"""With what stands between tensors besides: computations, barriers, groups, another mesh."""


def random_explainer(seed: int) -> Explainer | None:
    """The random program ``seed``, propagated and partitioned; None if it is refused."""
    try:
        return Explainer(parse(random_program(seed, WIDER if seed % 2 else FEATURES), f"seed {seed}"))
    except PyshardyError:
        return None
