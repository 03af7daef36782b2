"""The weights by which strategies of an operation are compared, and limits on how many are compared."""

from __future__ import annotations

BYTES_PER_MULTIPLICATION = 1e-3
"""The cost of one multiplication in bytes moved: accelerators do about a thousand in the time in which one byte
arrives."""

ELEMENTS_PER_COMPUTED = 1e-3
"""The cost of computing one element in elements moved, where communication is counted in elements."""

BYTES_PER_LOOKUP = 1e-15
"""The cost of one element of the index space of a gather or scatter, in bytes moved: only a tie-break, because only the
elements that the indices select are touched."""

MOST_CANDIDATES = 3000
"""How many combinations of axes are compared for one operation. Each takes some ten microseconds; a tensor of rank 5
with all its choices has fewer."""

MOST_ROUNDS = 16
"""An exchange that would take more permutes than this is replaced by a gather: each permute has a fixed cost."""
