"""Checks that JAX is installed and new enough, before this package imports anything of it.

Exports of older versions hold their shardings in another form (as attributes for XLA), which XLA alone reads.
"""

from __future__ import annotations

OLDEST = (0, 7)
ADVICE = "pip install 'pyshardy[jax]'"


def require_jax() -> None:
    """Imports JAX.

    Raises:
        ImportError: it is not installed, or too old; the message says what to install.
    """
    try:
        import jax
    except ImportError as error:
        raise ImportError(f"pyshardy.jax needs jax, which cannot be imported ({error}): {ADVICE}") from None
    version = tuple(int(part) for part in jax.__version__.split(".")[:2])
    if version < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise ImportError(f"pyshardy.jax needs jax {oldest} or newer, and this is jax {jax.__version__}: {ADVICE}")
