"""A real browser for the tests of pages: Chromium, headless, driven by Playwright."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def browser_path() -> str:
    """Where a Chromium is; skips the test if there is none."""
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        pytest.skip("no Chromium: install one (Debian: apt-get install chromium) to test pages in a browser")
    return found


@dataclass
class Watched:
    """A page, with what its browser complained about and asked for besides the document."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


_running: list[Browser] = []


@contextmanager
def running_browser() -> Iterator[Browser]:
    """A browser that `opened` takes meanwhile, instead of starting one of its own."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=list(_FLAGS))
        _running.append(browser)
        try:
            yield browser
        finally:
            _running.pop()
            browser.close()


@contextmanager
def opened(
    path: Path | str, fragment: str = "", *, dark: bool = False, reduced_motion: bool = False
) -> Iterator[Watched]:
    """The file at ``path``, or an address, in a browser that knows nothing of earlier pages, watched."""
    with nullcontext(_running[-1]) if _running else running_browser() as browser:
        context = browser.new_context(
            viewport={"width": 1400, "height": 950},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce" if reduced_motion else "no-preference",
        )
        page = context.new_page()
        watched = Watched(page)
        page.on("console", lambda message: watched.complaints.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: watched.complaints.append(str(error)))
        page.on("request", lambda request: watched.requests.append(request.url))
        page.goto((path.as_uri() if isinstance(path, Path) else path) + fragment)
        try:
            yield watched
        finally:
            context.close()
