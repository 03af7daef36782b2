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
@pytest.mark.parametrize("page", ["README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))])
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


def test_seconds_may_differ(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```python\nprint('done in 1.2 s')\n```\n\n```text\ndone in 7.35 s\n```\n")
    assert check(page).returncode == 0
