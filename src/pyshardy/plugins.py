"""Loads plugins before a program is read: Python files, and modules that installed packages name.

``--plugin FILE.py`` and ``--rules FILE.py`` run a file; the entry points of the group ``pyshardy.plugins`` name
modules. Either registers dialects, rules, passes, localizers, evaluators and costs by the functions of
``pyshardy.extend``; each registration is recorded here, so that a plugin that takes a name twice is told.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

GROUP = "pyshardy.plugins"
"""The entry points that name plugins."""

_MODULE = "pyshardy_rules_of_{}"
_PACKAGE = f"{__name__.partition('.')[0]}."
_OURS = os.path.dirname(os.path.abspath(__file__)) + os.sep
_NAMED = ("dialect", "pass")
_being_run: set[str] = set()
_files: dict[str, str] = {}
"""The files that have been loaded: the whole path, and as it was given."""
_installed_are_loaded = False

_at_work: list[str] = []
"""The plugins that are being loaded, the innermost last."""
_taken: dict[tuple[str, str], str] = {}
"""What is registered, as (kind, name), and by which plugin."""
_fresh: set[tuple[str, str]] = set()
"""What the plugins at work have registered."""


class PluginProblem(Exception):
    """A plugin is missing or broken, or a function of it that a program needs is; the message is for the user."""


def is_from_outside(function: object) -> bool:
    """Whether somebody other than this package has written ``function``."""
    return not (getattr(function, "__module__", None) or "").startswith(_PACKAGE)


def place_of(function: object) -> str:
    """Where ``function``, a plugin's, stands, as part of a message; nothing if that is not known."""
    code = getattr(function, "__code__", None)
    return f" ({code.co_filename}:{code.co_firstlineno})" if code is not None else ""


def place_of_failure(problem: BaseException, function: object = None) -> str:
    """Where a plugin's code has raised ``problem``, as part of a message: the last line of the first file that is none
    of pyshardy; where ``function`` stands, if there is none; nothing if that is not known either."""
    import traceback

    frames = traceback.extract_tb(problem.__traceback__)
    theirs = [frame for frame in frames if not _is_ours(frame.filename)]
    if not theirs:
        return place_of(function)
    last = [frame for frame in theirs if frame.filename == theirs[0].filename][-1]
    return f" ({last.filename}:{last.lineno})"


def _is_ours(filename: str) -> bool:
    # Compiled code names its files as they were when it was compiled.
    return os.path.abspath(filename).startswith(_OURS) or (
        not os.path.isabs(filename) and filename.removeprefix("src/").startswith("pyshardy/")
    )


def failure_text(problem: BaseException) -> str:
    """What a plugin's function that raised ``problem`` did, on one line: ``raises ValueError: …``."""
    text = _text(problem)
    return f"raises {type(problem).__name__}{': ' if text else ''}{text}"


def is_from_plugin(kind: str, name: str) -> bool:
    """Whether a plugin has registered ``name`` as a ``kind``."""
    return (kind, name) in _taken


def claim(kind: str, name: str) -> None:
    """Notes that the plugin at work, if any, registers ``name`` as a ``kind`` ("sharding rule", …).

    Raises:
        ValueError: it has done so before, or another plugin has.
    """
    if not _at_work:
        return
    key, plugin = (kind, name), _at_work[-1]
    subject = f"the {kind} '{name}'" if kind in _NAMED else f"the {kind} of '{name}'"
    before = _taken.get(key)
    if before == plugin and key in _fresh:
        raise ValueError(f"{subject} is registered twice")
    if before is not None and before != plugin:
        raise ValueError(f"{subject} is registered by {before} already")
    _taken[key] = plugin
    _fresh.add(key)


def check_names(decorator: str, names: Iterable[object]) -> None:
    """Tests that ``decorator`` is called with ``names`` for the function that is to be registered.

    Raises:
        TypeError: it is not called, or without names; then nothing would be registered.
    """
    listed = list(names)
    if not listed or not all(isinstance(name, str) for name in listed):
        raise TypeError(f'{decorator} is called with the names of what the function is for, @{decorator}("name")')


@contextmanager
def _loading(plugin: str) -> Iterator[None]:
    _at_work.append(plugin)
    try:
        yield
    finally:
        _at_work.pop()
        if not _at_work:
            _fresh.clear()


# --- files ------------------------------------------------------------------------------------------------------------


def load_plugin_file(path: str) -> None:
    """Runs the Python file at ``path``, a plugin. It may import what stands beside it.

    Raises:
        PluginProblem: there is no such file, it raises an error, or registers a name that is taken.
    """
    beside = os.path.dirname(os.path.realpath(path))
    if beside not in sys.path:
        # At the end: nothing that is installed is hidden by it.
        sys.path.append(beside)
    with _loading(path):
        run_file(path, "plugin")
    _files.setdefault(os.path.realpath(path), path)


def loaded_files() -> tuple[str, ...]:
    """The files that have been loaded, in their order, for another process that is to know what this one knows."""
    return tuple(_files)


def load_missing(files: Iterable[str]) -> None:
    """Loads those of ``files``, by their whole path, that have not been loaded here.

    Raises:
        PluginProblem: as ``load_plugin_file``.
    """
    for path in files:
        if path not in _files:
            load_plugin_file(path)


def run_file(path: str, kind: str) -> None:
    """Runs the Python file at ``path``; ``kind`` is what messages call it.

    Raises:
        PluginProblem: there is no such file, or it raises an error.
    """
    from importlib.util import module_from_spec, spec_from_file_location
    from pathlib import Path

    if not Path(path).is_file():
        why = "it is a folder" if Path(path).is_dir() else "no such file"
        raise PluginProblem(f"cannot open the {kind} '{path}': {why}")
    name = _MODULE.format(Path(path).stem)
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise PluginProblem(f"the {kind} '{path}' is no Python file: its name should end in .py")
    module = module_from_spec(spec)
    place = os.path.realpath(path)
    if place in _being_run:
        raise PluginProblem(f"the {kind} '{path}' asks to be run while it is run")
    sys.modules[name] = module
    _being_run.add(place)
    try:
        spec.loader.exec_module(module)
    except (KeyboardInterrupt, PluginProblem):
        raise
    except BaseException as problem:
        sys.modules.pop(name, None)
        raise PluginProblem(
            f"{path}:{_line(problem, path)}: error: {type(problem).__name__}: {_text(problem)}"
        ) from None
    finally:
        _being_run.discard(place)


def _line(problem: BaseException, path: str) -> int:
    """The line of the file at which it went wrong."""
    import traceback

    place = os.path.abspath(path)
    if isinstance(problem, SyntaxError) and os.path.abspath(problem.filename or "") == place:
        return problem.lineno or 1
    frames = traceback.extract_tb(problem.__traceback__)
    lines = [frame.lineno for frame in frames if os.path.abspath(frame.filename) == place]
    return (lines[-1] if lines else None) or 1


def _text(problem: BaseException) -> str:
    if isinstance(problem, SystemExit):
        return "sys.exit was called"
    return problem.msg if isinstance(problem, SyntaxError) else str(problem).partition("\n")[0]


# --- installed packages -----------------------------------------------------------------------------------------------


def load_installed_plugins() -> list[str]:
    """Imports the modules that installed packages name in the group ``pyshardy.plugins``, the first time.

    Returns what went wrong, one line a module that cannot be imported.
    """
    global _installed_are_loaded
    if _installed_are_loaded:
        return []
    _installed_are_loaded = True
    return load_entry_points(GROUP, "the plugin {} cannot be loaded: {}")


def load_entry_points(group: str, complaint: str) -> list[str]:
    """Imports the modules that installed packages name in ``group``; returns a ``complaint`` of name and reason for
    each that cannot be imported."""
    if not any(_may_declare(place, group) for place in sys.path):
        return []
    from importlib.metadata import entry_points

    problems = []
    for entry_point in entry_points(group=group):
        try:
            if group == GROUP:
                with _loading(entry_point.value):
                    entry_point.load()
            else:
                entry_point.load()
        # Whatever another package raises, the program goes on without it.
        except (Exception, SystemExit) as problem:
            problems.append(complaint.format(entry_point.value, f"{type(problem).__name__}: {problem}"))
    return problems


def _may_declare(place: str, group: str) -> bool:
    """Whether a package in this directory declares the group. (Looking is a hundred times cheaper than importing
    ``importlib.metadata``, and most environments have no such package.)"""
    try:
        found = list(os.scandir(place or "."))
    except OSError:
        # Only importlib can look into an archive.
        return os.path.isfile(place)
    return any(_declares(entry, group) for entry in found if entry.name.endswith((".dist-info", ".egg-info")))


def _declares(package: os.DirEntry[str], group: str) -> bool:
    try:
        with open(os.path.join(package.path, "entry_points.txt"), "rb") as file:
            return group.encode() in file.read()
    except OSError:
        return False
