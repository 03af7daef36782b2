"""What is compiled, and what is not: the list can be compiled, and nobody gets compiled modules who has not asked."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from zipfile import ZipFile

import pytest

from pyshardy.ir.collector import paused_collector
from pyshardy.versions import is_compiled, versions_text

_ROOT = Path(__file__).parents[2]
_SOURCE = _ROOT / "src" / "pyshardy"


@dataclass(frozen=True)
class _Class:
    name: str
    path: str
    bases: tuple[str, ...]
    decorators: tuple[str, ...]


@cache
def _compiled_modules() -> list[str]:
    """Those of ``setup.py``."""
    spec = spec_from_file_location("pyshardy_setup", _ROOT / "setup.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    found: list[str] = module.compiled_modules()
    return found


_HAS_CLASSES = re.compile(r"^\s*class ", re.MULTILINE)


@paused_collector()
def _tree(text: str) -> ast.Module:
    """With hundreds of thousands of nodes in all, among which the collector would look for garbage."""
    return ast.parse(text)


def _classes() -> Iterator[_Class]:
    for path in sorted(_SOURCE.rglob("*.py")):
        text = path.read_text()
        if not _HAS_CLASSES.search(text):
            continue
        for node in ast.walk(_tree(text)):
            if isinstance(node, ast.ClassDef):
                bases = tuple(ast.unparse(base).partition("[")[0] for base in node.bases)
                decorators = tuple(map(ast.unparse, node.decorator_list))
                yield _Class(node.name, str(path.relative_to(_ROOT)), bases, decorators)


def _open_to_others(one: _Class) -> bool:
    """Whether classes that are not compiled may be derived from a compiled one: it says so, or is no native class."""
    return any(name != "dataclass" and not name.startswith("dataclass(") for name in one.decorators)


def test_what_is_derived_from_a_compiled_class_is_compiled() -> None:
    compiled, classes = set(_compiled_modules()), list(_classes())
    native = {one.name for one in classes if one.path in compiled and not _open_to_others(one)}
    outside = [one for one in classes if one.path not in compiled]
    names = {one.name for one in outside}
    assert [f"{one.name} < {base}" for one in outside for base in one.bases if base in native - names] == []


def test_compiled_classes_have_no_cached_properties() -> None:
    # They have no dictionary to keep them in, and work them out each time that they are asked for.
    assert [path for path in _compiled_modules() if "cached_property" in (_ROOT / path).read_text()] == []


_WITH_OTHER_ATTRIBUTES = {"NamedTuple", "Enum", "IntEnum", "StrEnum", "IntFlag", "Flag", "Protocol", "TypedDict"}


def _is_shared(annotation: ast.expr) -> bool:
    return ast.unparse(annotation).startswith(("ClassVar", "Final"))


def _defaults_of_instances(path: str) -> Iterator[str]:
    """The values in classes of ``path`` that mypyc takes for defaults of instances: the class itself has none."""
    for node in ast.walk(_tree((_ROOT / path).read_text())):
        if not isinstance(node, ast.ClassDef) or node.decorator_list:
            continue
        if _WITH_OTHER_ATTRIBUTES & {ast.unparse(base).rpartition(".")[2] for base in node.bases}:
            continue
        for one in node.body:
            if isinstance(one, ast.Assign):
                yield from (f"{node.name}.{ast.unparse(target)}" for target in one.targets)
            elif isinstance(one, ast.AnnAssign) and one.value is not None and not _is_shared(one.annotation):
                yield f"{node.name}.{ast.unparse(one.target)}"


def test_values_that_compiled_classes_share_are_declared_as_such() -> None:
    """What is read as ``Class.name`` is an error of the compiler otherwise."""
    found = {path: set(_defaults_of_instances(path)) for path in _compiled_modules()}
    texts = {path: (_ROOT / path).read_text() for path in found}
    read = {name for names in found.values() for name in names if any(name in text for text in texts.values())}
    assert read == set()


def test_this_installation_says_whether_it_is_compiled() -> None:
    import pyshardy.ir.operation

    assert is_compiled() == (not str(pyshardy.ir.operation.__file__).endswith(".py"))
    assert versions_text().splitlines()[0].endswith(", compiled" if is_compiled() else ", pure Python")


def _copy(directory: Path) -> Path:
    """The sources and what builds them, where building leaves nothing behind."""
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(_ROOT / name, directory)
    shutil.copytree(_ROOT / "src", directory / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    shutil.copytree(_ROOT / "docs", directory / "docs")
    return directory


@pytest.mark.slow
def test_a_wheel_is_pure_python_unless_asked_otherwise(tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--no-deps", "--wheel-dir"]
    subprocess.run([*pip, str(tmp_path / "out"), str(_copy(tmp_path))], check=True, capture_output=True)
    (wheel,) = (tmp_path / "out").iterdir()
    assert wheel.name.endswith("-py3-none-any.whl")
    names = ZipFile(wheel).namelist()
    assert "pyshardy/ir/operation.py" in names
    pages = {f"pyshardy/docs/{one.relative_to(_ROOT / 'docs').as_posix()}" for one in (_ROOT / "docs").rglob("*.md")}
    assert pages == {name for name in names if name.startswith("pyshardy/docs/")}
    assert not [name for name in names if name.endswith((".so", ".pyd", ".c"))]


_FEW = ["src/pyshardy/ir/affine.py", "src/pyshardy/ir/attribute.py", "src/pyshardy/ir/parsing/lexer.py"]


@pytest.mark.slow
def test_the_compiler_takes_modules_of_its_list(tmp_path: Path) -> None:
    """A few, alone, since looking through all takes a minute, and without the C compiler's part: ``make
    wheel-compiled`` does everything."""
    assert set(_FEW) <= set(_compiled_modules())
    beside = [f"src/pyshardy/{name}.py" for name in ("ir/native_classes", "ir/parsing/possessive")]
    for path in [*_FEW, *beside, "setup.py", "pyproject.toml"]:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(_ROOT / path, tmp_path / path)
    for room in ("src/pyshardy", "src/pyshardy/ir", "src/pyshardy/ir/parsing"):
        (tmp_path / room / "__init__.py").touch()
    code = f"import setup; setup.compiled_modules = lambda: {_FEW}\n"
    code += f"print(len(setup.extensions({str(tmp_path / 'scratch')!r})))"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    # And what they share.
    assert int(done.stdout.splitlines()[-1]) == len(_FEW) + 1


@pytest.mark.exhaustive
def test_the_compiler_takes_its_whole_list(tmp_path: Path) -> None:
    """Without the C compiler's part."""
    code = f"import setup; print(len(setup.extensions({str(tmp_path / 'scratch')!r})))"
    done = subprocess.run([sys.executable, "-c", code], cwd=_copy(tmp_path), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(done.stdout.splitlines()[-1]) == len(_compiled_modules()) + 1
