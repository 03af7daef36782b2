"""The entry points of both commands: signals, standard streams, exit codes.

``pyshardy`` and ``sdy_opt`` are the entry points; a run is ``cli.main.run`` or ``cli.sdy_opt.run``. Ctrl-C is handled
before anything else is loaded.
"""

# Every import here is time in which Ctrl-C is answered by a traceback: Python has loaded these already, or, as the one
# behind ``signal``, has them in itself.
import _signal  # type: ignore[import-not-found]
import os
import sys

_INTERRUPTED = 130
_NO_MEMORY = ("Cannot allocate memory", "failed to map segment")


def pyshardy() -> None:
    """Entry point of the command ``pyshardy``."""
    _start("pyshardy", "pyshardy.cli.main")


def sdy_opt() -> None:
    """Entry point of the command ``sdy-opt``."""
    _start("sdy-opt", "pyshardy.cli.sdy_opt")


def _start(tool: str, module: str) -> None:
    is_watched = _signal.getsignal(_signal.SIGINT) is not _signal.SIG_IGN

    def end(number: int, frame: object) -> None:
        _last_words(f"{tool}: interrupted\n")
        os._exit(_INTERRUPTED)

    try:
        if is_watched:
            _signal.signal(_signal.SIGINT, end)
        # The interpreter multiplies stacks of small matrices: threads would mostly wait for each other.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        from importlib import import_module

        from pyshardy.cli.process import run_process

        run = import_module(module).run
        if is_watched:
            from pyshardy.cli.interrupts import raise_interrupt

            _signal.signal(_signal.SIGINT, raise_interrupt)
        code = run_process(tool, run, sys.argv[1:])
        if is_watched:
            # It is done, and the interpreter is about to end.
            _signal.signal(_signal.SIGINT, _signal.SIG_IGN)
    except KeyboardInterrupt:
        _last_words(f"{tool}: interrupted\n")
        code = _INTERRUPTED
    except (MemoryError, OSError, ImportError) as problem:
        if not isinstance(problem, MemoryError) and not any(words in str(problem) for words in _NO_MEMORY):
            raise
        _last_words(f"{tool}: out of memory before it has begun\n")
        code = 1
    sys.exit(code)


def _last_words(text: str) -> None:
    """Writes to standard error past all buffers, if that can be written."""
    try:
        os.write(2, text.encode())
    except OSError:
        return
