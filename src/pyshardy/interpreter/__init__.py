"""StableHLO on numpy: what a program computes, on one device or on N virtual devices with real collectives.

``run`` and ``run_devices`` are the way in. Imports numpy and ml_dtypes, so that nothing imports this package before it
is used.
"""

from pyshardy.interpreter.run import WrongInputs, run, run_devices

__all__ = ["WrongInputs", "run", "run_devices"]
