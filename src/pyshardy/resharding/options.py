"""The values of options that choose how to reshard, for passes, pipelines and the command line."""

COMPLETE_STRATEGIES = ("reference", "optimal")
"""How a reshard becomes collectives that always reach the target: as in Shardy, or with the fewest bytes."""

RESHARD_STRATEGIES = (*COMPLETE_STRATEGIES, "verbatim")
"""The complete strategies, and ``verbatim``, which stops where Shardy does if only axes of size 1, which move nothing,
are missing."""

AXIS_CHOICES = ("reference", "fewest-reshards", "fewest-bytes")
"""How the common axes of an operation are chosen: as in Shardy, by the fewest reshards, or by the fewest bytes."""
