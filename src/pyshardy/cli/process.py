"""Runs either command as a process: handles closed or full standard streams and lack of memory, and sets the exit code.

``run`` is the command itself, which reports most other failures.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from pyshardy.cli.failures import INTERRUPTED, failure_code
from pyshardy.cli.streams import Streams
from pyshardy.ir.collector import leave_uncollected


def run_process(tool: str, run: Callable[[list[str]], int], arguments: list[str]) -> int:
    """Runs the command on ``arguments``; the exit code. What was written is out when this returns, or its loss is an
    error."""
    streams = Streams()
    code = _finished(tool, lambda: run(arguments))
    # What the command has left in the buffer may find no place.
    code = _finished(tool, lambda: sys.stdout.flush() or code)
    sys.stderr.flush()
    leave_uncollected()
    return code or int(streams.errors_lost)


def _finished(tool: str, work: Callable[[], int]) -> int:
    try:
        return work()
    except SystemExit as stop:
        # ``--help`` ends so.
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except KeyboardInterrupt:
        print(f"{tool}: interrupted", file=sys.stderr)
        return INTERRUPTED
    except Exception as problem:
        return failure_code(tool, "the command", problem)
