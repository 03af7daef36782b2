"""What is weighed against what when ways to do an operation are compared, and how many of them are looked at.

Whoever searches takes its weights and limits from here: ``candidates``, ``strategy_search``, the families.
"""

from __future__ import annotations

BYTES_PER_MULTIPLICATION = 1e-3
"""What one multiplication is worth in bytes moved: accelerators do about a thousand in the time in which one byte
arrives."""

ELEMENTS_PER_COMPUTED = 1e-3
"""The same where what moves is counted in elements: computing one is worth so many moved."""

BYTES_PER_LOOKUP = 1e-15
"""What computing one element of an index space costs in bytes: a tie-break, since only the elements that are picked
are ever touched."""

MOST_CANDIDATES = 3000
"""So many combinations of axes are compared for one operation; each takes some ten microseconds. A tensor of rank 5
with all its choices has fewer."""

MOST_ROUNDS = 16
"""An exchange that takes more permutes than this gathers instead: each costs a start of its own."""
