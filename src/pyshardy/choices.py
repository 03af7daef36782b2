"""The values of options that callers choose by name, for ``propagate``, ``partition`` and ``search``.

Python (``api``, ``partitioning.plan``) and the command line read them here. Nothing is imported, so that ``--help`` can
name them before anything else is loaded.
"""

STRATEGIES: dict[str, tuple[str, bool, bool]] = {
    "basic": ("basic", False, False),
    "aggressive": ("aggressive", False, False),
    "op-priority": ("aggressive", True, False),
    "user-priority": ("aggressive", True, True),
}
"""How far up the hierarchy ``propagate`` goes: factor strategy, operation priorities, user priorities."""

LEVELS = ("shardings", "reshards", "collectives")
"""What ``propagate`` makes explicit: shardings alone (nearly), all reshards, or the collectives that those come to."""

FORMS = ("local", "manual", "collectives")
"""What ``partition`` can make: the program of one device; the same inside one manual computation with the global
signature; the global program with Shardy's collectives."""

EXPORT_FORMS = ("sdy", "xla")
"""How a propagated program is written: with operations of Shardy, or in the form that JAX and XLA exchange."""

REPLICA_GROUPS = ("list", "mesh-axes")
"""How replica groups are written: device by device, or as axes of the mesh."""

EXPECTED, NO_OVERLAP, OVERLAP, MEMORY = OBJECTIVES = ("expected", "no-overlap", "overlap", "memory")
"""What ``search`` minimises: the seconds of a step as expected, with one thing after the other, with all communication
behind computation; or memory."""
