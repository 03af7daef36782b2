"""The table of packages in docs/architecture.md is true: every import of the project goes up in it, and no files import
each other in a circle."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

_ROOT = Path(__file__).parents[2]
_SOURCE = _ROOT / "src" / "pyshardy"
_ROW = re.compile(r"^\| `([\w.]+)` \|", re.MULTILINE)
_IMPORT = re.compile(r"^\s*(?:from|import) pyshardy\.([\w.]+)", re.MULTILINE)
_STATEMENT = re.compile(
    r"^[ \t]*(from pyshardy[\w.]* import (?:\((?:[^)#]|#.*)*\)|[^\n(]+)|import pyshardy.*)", re.MULTILINE
)
_FACES = ("__init__.py", "__main__.py")
_NAMED = re.compile(r"``(?:pyshardy\.)?((?:\w+\.)+\w+)``")
_OTHERS = ("interpreter", "jax")
"""Packages whose names are those of a dialect and of a library, too."""


def _packages() -> list[str]:
    """The packages as the page lists them."""
    page = (_ROOT / "docs" / "architecture.md").read_text()
    return _ROW.findall(page[: page.index("## ")])


def _imports() -> Iterator[tuple[str, str]]:
    """Each file of the package with each package that it imports, at once or when something is called."""
    for path in sorted(_SOURCE.rglob("*.py")):
        file = path.relative_to(_SOURCE).as_posix()
        if file not in _FACES:
            for module in dict.fromkeys(_IMPORT.findall(path.read_text())):
                first = module.partition(".")[0]
                yield file, first if (_SOURCE / first).is_dir() else f"{first}.py"


def _going_down(packages: list[str], imports: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
    """The imports of packages that the table lists below the one that imports."""
    place = {package: number for number, package in enumerate(packages)}
    return {(file, package) for file, package in imports if place[package] > place[file.partition("/")[0]]}


def test_the_table_lists_every_package() -> None:
    present = {path.name for path in _SOURCE.iterdir() if path.is_dir() or path.suffix == ".py"}
    assert set(_packages()) == present - {"__pycache__", *_FACES}


def test_every_import_goes_up() -> None:
    found = _going_down(_packages(), _imports())
    assert not found, f"these import a package below their own in the table of docs/architecture.md: {sorted(found)}"


def test_an_import_that_goes_down_is_seen() -> None:
    assert _going_down(["ir", "cli"], [("ir/types.py", "cli"), ("cli/main.py", "ir")]) == {("ir/types.py", "cli")}


def _modules_imported() -> dict[str, set[str]]:
    """Each module with the modules that it imports: at once, when something is called, or for types alone."""
    files = {path.relative_to(_SOURCE.parent): path for path in _SOURCE.rglob("*.py") if path.name not in _FACES}
    modules = {".".join(path.with_suffix("").parts): file for path, file in files.items()}
    found: dict[str, set[str]] = {}
    for module, path in modules.items():
        imported = found[module] = set()
        for statement in _STATEMENT.findall(path.read_text()):
            for node in ast.parse(statement).body:
                if isinstance(node, ast.ImportFrom):
                    imported.update({f"{node.module}", *(f"{node.module}.{one.name}" for one in node.names)})
                elif isinstance(node, ast.Import):
                    imported.update(one.name for one in node.names)
        imported.intersection_update(modules)
    return found


def _circle(imported: Mapping[str, set[str]]) -> list[str]:
    """A circle of imports; empty if there is none."""
    try:
        TopologicalSorter(imported).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_files_import_each_other_in_a_circle() -> None:
    assert _circle(_modules_imported()) == []


def test_a_circle_is_seen() -> None:
    assert set(_circle({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}})) == {"a", "b", "c"}


def _named_files(text: str) -> Iterator[str]:
    """The files of the project that docstrings name, as ``ir.parsing.lexer`` or with a name in it: up to the first part
    that is no package."""
    for name in _NAMED.findall(text):
        package, *rest = name.split(".")
        if (_SOURCE / package).is_dir() and package not in _OTHERS:
            path = Path(package)
            while rest and (_SOURCE / path).is_dir():
                path /= rest.pop(0)
            yield path.as_posix()


def test_files_that_docstrings_name_exist() -> None:
    for path in sorted(_SOURCE.rglob("*.py")):
        for named in _named_files(path.read_text()):
            package, _, name = named.rpartition("/")
            exists = (_SOURCE / named).is_dir() or (_SOURCE / f"{named}.py").exists()
            assert exists or name in (_SOURCE / package / "__init__.py").read_text(), f"{path} names {named}"


def test_a_file_that_does_not_exist_is_seen() -> None:
    assert list(_named_files("As ``ir.steps`` and ``ir.parsing.lexer.NAME`` do, not ``a.b``.")) == [
        "ir/steps",
        "ir/parsing/lexer",
    ]
