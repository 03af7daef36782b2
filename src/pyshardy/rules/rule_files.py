"""Sharding rules from a file of the user's, ``--rules FILE.py``: it is run once, and its decorators register.

What is wrong with the file is said in one line that names its line. ``rules.registry`` holds what it registers.
"""

from __future__ import annotations

import os
import sys
import traceback
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

_MODULE = "pyshardy_rules_of_{}"
_being_run: set[str] = set()


class RuleFileProblem(Exception):
    """The file is missing or broken; the message is for the user."""


def load_rule_file(path: str) -> None:
    """Runs the Python file at ``path``, which registers rules with ``sharding_rule`` and ``custom_call_rule``.

    Raises:
        RuleFileProblem: there is no such file, or it raises an error.
    """
    if not Path(path).is_file():
        raise RuleFileProblem(f"cannot open the file of rules '{path}': no such file")
    name = _MODULE.format(Path(path).stem)
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise RuleFileProblem(f"the file of rules '{path}' is no Python file: its name should end in .py")
    module = module_from_spec(spec)
    place = os.path.realpath(path)
    if place in _being_run:
        raise RuleFileProblem(f"the file of rules '{path}' asks to be run while it is run")
    sys.modules[name] = module
    _being_run.add(place)
    try:
        spec.loader.exec_module(module)
    except (KeyboardInterrupt, RuleFileProblem):
        raise
    except BaseException as problem:
        sys.modules.pop(name, None)
        raise RuleFileProblem(
            f"{path}:{_line(problem, path)}: error: {type(problem).__name__}: {_text(problem)}"
        ) from None
    finally:
        _being_run.discard(place)


def _line(problem: BaseException, path: str) -> int:
    """The line of the file at which it went wrong."""
    if isinstance(problem, SyntaxError) and problem.filename == path:
        return problem.lineno or 1
    lines = [frame.lineno for frame in traceback.extract_tb(problem.__traceback__) if frame.filename == path]
    return (lines[-1] if lines else None) or 1


def _text(problem: BaseException) -> str:
    if isinstance(problem, SystemExit):
        return "sys.exit was called"
    return problem.msg if isinstance(problem, SyntaxError) else str(problem).partition("\n")[0]
