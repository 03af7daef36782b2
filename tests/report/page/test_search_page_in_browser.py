"""The page of a search as a person uses it, in a real browser: points are opened, files read and copied."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyshardy.report.search_page import write_search_page
from tests.report.page.browser import opened
from tests.report.search_outcomes import FILES, POINTS, outcome

pytestmark = pytest.mark.usefixtures("browser")


@pytest.fixture
def found(tmp_path: Path) -> Path:
    path = tmp_path / "found.html"
    write_search_page(outcome(), FILES, POINTS, path)
    return path


def test_it_opens_without_a_complaint_and_asks_for_nothing(found: Path) -> None:
    with opened(found, dark=True) as watched:
        assert watched.page.locator("article:visible h3").inner_text() == "Point 1 of 3, the best"
        assert watched.complaints == [] and watched.requests == [found.as_uri()]


def test_the_keyboard_opens_a_point_and_gets_to_its_file(found: Path) -> None:
    with opened(found) as watched:
        page = watched.page
        while "Point" not in (page.evaluate("document.activeElement.getAttribute('aria-label')") or "Point"):
            page.keyboard.press("Tab")
        for _ in range(30):
            page.keyboard.press("Tab")
            if (page.evaluate("document.activeElement.getAttribute('href')") or "") == "#point=3":
                break
        assert "whole params/w: 6.00 ms" in page.evaluate("document.activeElement.getAttribute('aria-label')")
        page.keyboard.press("Enter")
        page.wait_for_url("**#point=3")
        assert page.locator("article:visible h3").inner_text() == "Point 3 of 3"
        assert page.locator("article:visible pre").inner_text() == FILES[2]
        assert page.locator("svg.near.wide a[aria-current=true]").get_attribute("href") == "#point=3"
        # What comes next is what was opened.
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "← faster"
        page.keyboard.press("Enter")
        page.wait_for_url("**#point=2")
        assert watched.complaints == []


def test_a_link_points_at_a_point(found: Path) -> None:
    with opened(found, "#point=2") as watched:
        assert watched.page.locator("article:visible h3").inner_text() == "Point 2 of 3"
        assert watched.page.locator("tbody a[aria-current=true]").inner_text() == "2"


def test_a_button_copies_the_file(found: Path) -> None:
    with opened(found) as watched:
        watched.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        watched.page.get_by_role("button", name="copy the sharding file of the best").click()
        watched.page.locator("#said", has_text="copied the sharding file of the best").wait_for(state="attached")
        assert '"params/w" = ["data"' in watched.page.evaluate("navigator.clipboard.readText()")
        assert watched.complaints == []


def test_all_that_was_tried_is_shown_when_it_is_asked_for(found: Path) -> None:
    with opened(found) as watched:
        pictures = watched.page.locator("svg.front:visible")
        assert "near" in (pictures.get_attribute("class") or "")
        watched.page.get_by_label("all that was tried").check()
        assert "all" in (pictures.get_attribute("class") or "").split() and pictures.count() == 1


def test_a_narrow_window_has_all_of_it_without_scrolling_sideways(found: Path) -> None:
    with opened(found) as watched:
        watched.page.set_viewport_size({"width": 360, "height": 800})
        assert watched.page.evaluate("document.documentElement.scrollWidth") == 360
        assert "narrow" in (watched.page.locator("svg.front:visible").get_attribute("class") or "")


@pytest.mark.parametrize("dark", [False, True])
def test_texts_stand_out_from_what_is_behind_them(found: Path, *, dark: bool) -> None:
    with opened(found, dark=dark) as watched:
        assert watched.page.evaluate(_FAINT) == []


_FAINT = """() => {
  const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => numbers(colour).slice(0, 3).map((one) => one / 255)
    .map((one) => (one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
    .reduce((sum, one, place) => sum + one * [0.2126, 0.7152, 0.0722][place], 0);
  const behind = (one) => {
    for (; one; one = one.parentElement) {
      const ground = getComputedStyle(one).backgroundColor, parts = numbers(ground);
      if (parts.length < 4 || parts[3] > 0) return ground;
    }
  };
  const found = [];
  for (const one of document.querySelectorAll("body *")) {
    if (![...one.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim())) continue;
    if (one.closest("[aria-hidden=true], title, script") || !one.checkVisibility()) continue;
    const style = getComputedStyle(one);
    const [high, low] = [light(one instanceof SVGElement ? style.fill : style.color), light(behind(one))]
      .sort((a, b) => b - a);
    if ((high + 0.05) / (low + 0.05) < 4.5) found.push(one.textContent.trim());
  }
  return found;
}"""
