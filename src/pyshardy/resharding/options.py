"""The values of the options that choose between ways to reshard: passes, pipelines and the command line name them."""

COMPLETE_STRATEGIES = ("reference", "optimal")
"""How a reshard becomes collectives that end where they should: as in Shardy, or by the fewest bytes."""

RESHARD_STRATEGIES = (*COMPLETE_STRATEGIES, "verbatim")
"""The same; ``verbatim`` also stops where Shardy does if only axes of size 1, which move nothing, are missing then."""

AXIS_CHOICES = ("reference", "fewest-reshards", "fewest-bytes")
"""How the common axes of an operation are chosen: as in Shardy, by the fewest reshards, or by the fewest bytes."""
