"""The table of packages in docs/architecture.md is true: every import of the project goes up in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

_ROOT = Path(__file__).parents[2]
_SOURCE = _ROOT / "src" / "pyshardy"
_ROW = re.compile(r"^\| `([\w.]+)` \|", re.MULTILINE)
_IMPORT = re.compile(r"^\s*(?:from|import) pyshardy\.([\w.]+)", re.MULTILINE)
_FACES = ("__init__.py", "__main__.py")


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
    assert _going_down(_packages(), _imports()) == set()


def test_an_import_that_goes_down_is_seen() -> None:
    assert _going_down(["ir", "cli"], [("ir/types.py", "cli"), ("cli/main.py", "ir")]) == {("ir/types.py", "cli")}
