"""The values of the options that choose between ways to reshard: passes, pipelines and the command line name them."""

RESHARD_STRATEGIES = ("reference", "optimal")
"""How a reshard becomes collectives: as in Shardy, or by the fewest bytes."""

AXIS_CHOICES = ("reference", "fewest-reshards", "fewest-bytes")
"""How the common axes of an operation are chosen: as in Shardy, by the fewest reshards, or by the fewest bytes."""
