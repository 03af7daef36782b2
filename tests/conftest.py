"""What all tests share: the Python they run on is said first, and which others read their texts; and a shortcut that
fails is a failure here, not a reason to go the plain way."""

import os
import platform

import pytest

from pyshardy.ir import collector
from tests.other_pythons import other_pythons

os.environ.setdefault("PYSHARDY_SHORTCUTS", "strict")
# What searches find is of interest; those of a second would be ended by the clock where tests run side by side.
os.environ.setdefault("PYSHARDY_CLOCK", "off")
# What XLA computes is of interest, not how fast: most of the time of tests with JAX is that of its compiler.
os.environ.setdefault("JAX_DISABLE_MOST_OPTIMIZATIONS", "1")
# Each fusion would be a program of its own, through MLIR: three times as long.
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_use_fusion_emitters=false")
# Programs end all the time here, among millions of objects of JAX's and pytest's.
collector._WORTH_A_LOOK = 5_000_000


@pytest.hookimpl(trylast=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or hasattr(session.config, "workerinput"):
        return
    others = ", ".join(f"{one.version} ({one.executable})" for one in other_pythons()) or "no other is installed"
    reporter.write_line(f"{platform.python_implementation()} {platform.python_version()}; texts also on {others}")
