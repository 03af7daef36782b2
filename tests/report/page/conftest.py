"""One browser for all tests of a file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="module")
def browser() -> Iterator[None]:
    """Runs while the tests of a file do, for `opened`."""
    from tests.report.page.browser import running_browser

    with running_browser():
        yield
