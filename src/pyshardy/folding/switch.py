"""Folding: the switch that turns it off, and counts of what was folded and why programs were not.

With ``PYSHARDY_FOLDING=off`` in the environment programs are not folded, which helps to find errors in pyshardy.
"""

from __future__ import annotations

import os
from collections import Counter

from pyshardy.ir import shortcuts

FOLDED: Counter[str] = Counter()
"""How often programs were ``folded``, or could not be (``whole``), and how often folded ones were ``unfolded``, or
given up, after propagation because the partitioner needed all layers."""
DECLINED: Counter[str] = Counter()
"""Why programs were not folded, or only with more layers, and how often: for people who look why one is not."""


def folds() -> bool:
    """Whether programs are folded, as they are unless somebody says otherwise."""
    return shortcuts.enabled() and os.environ.get("PYSHARDY_FOLDING") != "off"
