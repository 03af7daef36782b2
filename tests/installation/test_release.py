"""What a release says of itself agrees: versions, Pythons, commands of the workflow."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import yaml

from pyshardy import __version__

_ROOT = Path(__file__).parents[2]


def _project() -> dict[str, Any]:
    return tomllib.loads((_ROOT / "pyproject.toml").read_text())


def _workflow() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((_ROOT / ".github" / "workflows" / "ci.yml").read_text())
    return found


def _pythons() -> list[str]:
    """Those of the classifiers."""
    begin = "Programming Language :: Python :: 3."
    return [one.removeprefix(begin[:-2]) for one in _project()["project"]["classifiers"] if one.startswith(begin)]


def test_the_version_stands_everywhere() -> None:
    citation = yaml.safe_load((_ROOT / "CITATION.cff").read_text())
    assert str(citation["version"]) == __version__
    assert f"\n## {__version__}\n" in (_ROOT / "CHANGELOG.md").read_text()


def test_the_pythons_of_the_workflow_are_those_of_the_classifiers() -> None:
    assert _workflow()["jobs"]["test"]["strategy"]["matrix"]["python"] == _pythons()


def test_the_workflow_runs_commands_that_there_are() -> None:
    makefile = (_ROOT / "Makefile").read_text()
    steps = [step for job in _workflow()["jobs"].values() for step in job["steps"]]
    targets = [name for step in steps for name in re.findall(r"\bmake (\S+)", step.get("run", ""))]
    assert {"demo", "test", "dist"} <= set(targets)
    assert [name for name in targets if f"\n{name}:" not in makefile] == []


def test_a_compiled_wheel_is_built_for_each_python() -> None:
    arguments = [sys.executable, "-m", "cibuildwheel", "--print-build-identifiers", "--platform", "linux"]
    done = subprocess.run(arguments, cwd=_ROOT, capture_output=True, text=True, check=True)
    built = {one.partition("-")[0] for one in done.stdout.split()}
    assert built == {f"cp{one.replace('.', '')}" for one in _pythons()}
    assert all("manylinux" in one for one in done.stdout.split())
