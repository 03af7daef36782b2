"""What the pages of the documentation show is what comes out."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.page import renewed

ROOT = Path(__file__).parents[2]


def check(*pages: str | Path) -> subprocess.CompletedProcess[str]:
    # A process of its own: pages register passes and rules.
    return subprocess.run(
        [sys.executable, "-m", "tests.docs.page", "--check", *map(str, pages)],
        cwd=ROOT,
        env={**os.environ, "JAX_PLATFORMS": "cpu"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "page",
    ["README.md", *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md"))],
)
def test_a_page_shows_what_comes_out(page: str) -> None:
    text = (ROOT / page).read_text()
    if "```python" not in text:
        # Commands alone leave nothing behind.
        assert renewed(text).splitlines(True) == text.splitlines(True)
        return
    found = check(page)
    assert found.returncode == 0, found.stdout + found.stderr


def test_a_page_that_shows_something_else_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```python\nprint(1 + 1)\n```\n\n```text\n3\n```\n")
    found = check(page)
    assert found.returncode == 1 and "-3" in found.stdout and "+2" in found.stdout


@pytest.mark.parametrize(
    ("printed", "shown", "is_so"),
    [
        ("partitioned in 1.2 s", "partitioned in 7.35 s", True),
        ("3 strategies were tried in 1.2 s", "3 strategies were tried in 0.3 s", True),
        ("the result is equal, 1.2 s", "the result is equal, 3.0 s", True),
        ("a step is expected to take 1.2 s", "a step is expected to take 1.3 s", False),
        (" expected   1.20 s   2.00 s", " expected   1.30 s   2.00 s", False),
    ],
)
def test_measured_seconds_may_differ_and_expected_ones_not(
    tmp_path: Path, printed: str, shown: str, is_so: bool
) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"```python\nprint('{printed}')\n```\n\n```text\n{shown}\n```\n")
    assert (check(page).returncode == 0) == is_so


def test_a_block_with_the_name_of_a_file_is_that_file(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "```mlir\n// program.mlir\nfunc.func @main() { return }\n```\n\n"
        "```console\n$ sdy-opt \\\n    program.mlir\nmodule {\n  func.func @main() {\n    return\n  }\n}\n```\n"
    )
    found = check(page)
    assert found.returncode == 0, found.stdout + found.stderr


def test_a_command_that_fails_is_announced_and_shows_what_it_says(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "```console\n$ pyshardy cost x.mlir --hardware none  # exit code 1\npyshardy: is wrong\n```\n"
        "```console\n$ pyshardy --version  # exit code 1\n```\n"
    )
    found = check(page)
    assert found.returncode == 1 and "--version  # exit code 1 ends with 0" in found.stderr
    page.write_text("```console\n$ pyshardy cost x.mlir --hardware none  # exit code 1\npyshardy: is wrong\n```\n")
    found = check(page)
    assert found.returncode == 1 and "-pyshardy: is wrong" in found.stdout and "+pyshardy: " in found.stdout


def test_a_picture_that_a_command_makes_must_be_shown(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```console\n$ pyshardy shardings examples/mlp.mlir -o images/picture.svg\n```\n")
    found = check(page)
    assert found.returncode == 1 and "does not show the picture picture.svg" in found.stderr
