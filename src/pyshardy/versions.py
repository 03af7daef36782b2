"""The versions that this pyshardy understands: the reference whose results it reproduces, and its StableHLO.

``--version`` prints them; a test compares them with the jaxlib of the tests.
"""

from __future__ import annotations

from importlib.util import find_spec

from pyshardy import __version__

JAXLIB = "0.10.2"
"""The jaxlib whose Shardy and XLA are the reference of passes, rules and propagation."""

STABLEHLO = "1.17.0"
"""The StableHLO of that jaxlib."""


def versions_text() -> str:
    """``--version``, without a final newline."""
    return (
        f"pyshardy {__version__}, {'compiled' if is_compiled() else 'pure Python'}\n"
        f"StableHLO {STABLEHLO}, CHLO and Shardy (sdy) as in jaxlib {JAXLIB}\n"
        f"installed beside it: jaxlib {_installed('jaxlib')}"
    )


def is_compiled() -> bool:
    """Whether the hot modules of this installation are compiled (``PYSHARDY_COMPILE=1``, docs/commands.md)."""
    spec = find_spec("pyshardy.ir.operation")
    return spec is not None and spec.origin is not None and not spec.origin.endswith(".py")


def _installed(package: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return "none"
