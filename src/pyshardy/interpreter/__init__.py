"""An interpreter of StableHLO in numpy, for one device, or for N virtual devices with real collectives.

``run`` and ``run_devices`` are the entry points. Importing the package makes the dialects ``check`` and ``interpreter``
of test programs known to the parser. It imports numpy and ml_dtypes, so nothing imports it before it is used.
"""

from pyshardy.dialects import check, interpreter
from pyshardy.interpreter.run import WrongInputs, run, run_devices
from pyshardy.ir.registry import register_dialect

register_dialect(check.DIALECT)
register_dialect(interpreter.DIALECT)

__all__ = ["WrongInputs", "run", "run_devices"]
