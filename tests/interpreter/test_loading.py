"""What the interpreter costs those who do not use it: nothing."""

from __future__ import annotations

import subprocess
import sys


def test_numpy_is_loaded_only_when_a_program_runs() -> None:
    program = (
        "import sys, pyshardy, pyshardy.cli.main; pyshardy.parse('func.func private @f()');"
        "assert not {'numpy', 'ml_dtypes'} & set(sys.modules);"
        "import pyshardy.interpreter; assert {'numpy', 'ml_dtypes'} <= set(sys.modules)"
    )
    outcome = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert outcome.returncode == 0, outcome.stderr
