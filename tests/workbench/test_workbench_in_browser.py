"""The way of a person in a real browser: from nothing to a strategy that fits, in ten clicks; by mouse and by keys."""

from __future__ import annotations

import http.client
import re
import time
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest

from pyshardy.searching.layouts import InnerSharding
from pyshardy.searching.space import Layouts
from pyshardy.sharding.mesh import Mesh
from pyshardy.workbench.answers import Answers
from pyshardy.workbench.setting import WrongRequest
from tests.report.page.browser import Watched, opened
from tests.workbench.served import answers, served


@pytest.fixture(scope="module")
def made() -> Answers:
    return answers()


def settled(watched: Watched) -> None:
    """Waits until nothing is being evaluated."""
    watched.page.locator("#strip:not(.busy) #working:empty").wait_for(state="attached")


def figure(watched: Watched) -> str:
    return watched.page.locator("#strip .figure").first.inner_text()


def test_from_nothing_to_a_strategy_that_fits_in_ten_clicks(made: Answers) -> None:
    with served(made) as server, opened(server.url) as watched:
        page = watched.page
        settled(watched)
        assert figure(watched).startswith("does not fit")
        clicks = [
            page.get_by_role("button", name="data smaller"),
            page.locator('[data-key="axis data"]'),
            page.locator('[aria-label^="x batch"]'),
            page.locator('[aria-label^="params/layers/*/up features"]'),
            page.locator('[data-key="axis model"]'),
            page.locator('[aria-label^="params/layers/*/up hidden"]'),
        ]
        for one in clicks:
            one.click()
            settled(watched)
        for _ in range(10 - len(clicks)):
            if figure(watched).startswith("fits"):
                break
            page.get_by_role("button", name="try", exact=True).first.click()
            settled(watched)
        assert figure(watched).startswith("fits")
        page.locator("#exactness").get_by_text("the plan of the whole program").wait_for()
        assert figure(watched).startswith("fits")
        assert page.locator("#dots .try").count() >= 5 and page.locator("#dots .mark-line").count() == 1
        page.get_by_role("tab", name="Sharding file").click()
        page.locator("#text").get_by_text("[shardings]").wait_for()
        assert watched.complaints == []
        own = server.url.rstrip("/")
        assert all(one.startswith(own) for one in watched.requests)


def test_slots_are_filled_by_keys_and_dragging_and_changes_undone(made: Answers) -> None:
    with served(made) as server, opened(server.url) as watched:
        page = watched.page
        settled(watched)
        slot = page.get_by_role("button", name=re.compile("^x batch"))
        slot.focus()
        page.keyboard.press("1")
        settled(watched)
        filled = page.get_by_role("button", name=re.compile("^x batch .*: data$"))
        page.locator(':focus[aria-label^="x batch"][aria-label$=": data"]').wait_for()
        page.keyboard.press("1")
        page.get_by_role("button", name=re.compile("^x batch .*: whole$")).wait_for()
        settled(watched)
        page.locator('[data-key="axis data"]').drag_to(page.get_by_role("button", name=re.compile("^x batch")))
        filled.wait_for()
        settled(watched)
        page.get_by_role("button", name="pin").click()
        page.keyboard.press("Control+z")
        page.get_by_role("button", name=re.compile("^x batch .*: whole$")).wait_for()
        settled(watched)
        assert re.search(r"\+.*%\)", page.locator("#strip .against").first.inner_text())
        page.get_by_role("tab", name="What changed").click()
        assert "batch" in page.locator("#below td").all_inner_texts()
        assert page.locator("#below th").all_inner_texts() == ["", "dimension", "pinned", "now"]
        page.locator("#dots .pinned").press("Enter")
        filled.wait_for()
        settled(watched)
        page.get_by_role("button", name="with optimizer").first.click()
        moments = page.locator('[aria-label^="params/layers/*/up (optimizer) features"]')
        moments.focus()
        page.keyboard.press("1")
        settled(watched)
        assert "data" in (moments.get_attribute("aria-label") or "")
        assert page.locator('[aria-label^="params/layers/*/up features"][aria-label$="whole"]').count() == 1
        assert watched.complaints == []


def test_the_file_that_is_saved_anew_shows_and_a_wrong_one_leaves_the_last(made: Answers) -> None:
    other, state = answers(2), {"version": "1"}

    def renewed() -> Answers:
        if state["version"] == "wrong":
            raise WrongRequest("<b>line 7</b> is wrong")
        return other

    with served(made, renewed, lambda: state["version"]) as server, opened(server.url) as watched:
        settled(watched)
        before = figure(watched)
        state["version"] = "wrong"
        watched.page.get_by_role("alert").get_by_text("<b>line 7</b> is wrong").wait_for()
        assert figure(watched) == before
        state["version"] = "2"
        watched.page.locator("#problem").wait_for(state="hidden")
        settled(watched)
        assert figure(watched) != before and watched.complaints == []


def test_tries_and_the_pin_stay_where_only_the_shardings_were_saved_anew() -> None:
    made, state = answers(2), {"version": "1"}

    def renewed() -> Answers:
        if state["version"] == "other":
            return answers(3)
        found = answers(2)
        number = next(row.family.number for row in found.sheet.rows if row.family.name == "x")
        found.sheet.start = found.sheet.start.with_specs({number: (("data",), ())})
        return found

    with served(made, renewed, lambda: state["version"]) as server, opened(server.url) as watched:
        page = watched.page
        settled(watched)
        page.get_by_role("button", name="data smaller").click()
        settled(watched)
        page.get_by_role("button", name="pin").click()
        state["version"] = "saved"
        page.get_by_text("were saved anew").wait_for()
        settled(watched)
        page.get_by_role("button", name=re.compile("^x batch .*: data$")).wait_for()
        assert page.locator("#dots .try").count() == 3 and page.locator("#dots .pinned").count() == 1
        page.get_by_role("button", name="undo").click()
        page.get_by_role("button", name=re.compile("^x batch .*: whole$")).wait_for()
        assert page.locator('[data-key="axis model"]').count() == 1
        state["version"] = "other"
        page.get_by_text("the program has changed").wait_for()
        settled(watched)
        assert page.locator("#dots .try").count() == 1 and page.locator("#dots .pinned").count() == 0
        assert watched.complaints == []


def test_a_search_is_stopped_and_its_lines_inside_can_be_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    made, begun = answers(2), Event()

    def endless(*given: Any, check: Any, **more: Any) -> object:
        begun.set()
        while True:
            try:
                check()
            except KeyboardInterrupt:
                return found_inside(made)
            time.sleep(0.01)

    monkeypatch.setattr("pyshardy.workbench.answers.search_strategy", endless)
    with served(made) as server, opened(server.url) as watched:
        page = watched.page
        settled(watched)
        place = page.locator("#rows").bounding_box()
        page.get_by_role("button", name="search from here").click()
        assert begun.wait(30)
        page.locator("#working:not(:empty)").wait_for()
        # What one clicks stays where it is while something is at work.
        assert page.locator("#rows").bounding_box() == place
        page.get_by_role("button", name="stop").click()
        page.get_by_text("(stopped: the best so far)").wait_for()
        settled(watched)
        page.get_by_role("tab", name="Sharding file").click()
        page.locator("#text").get_by_text(":dot_general").wait_for()
        page.get_by_role("button", name=re.compile("^remove .*:dot_general")).click()
        settled(watched)
        assert page.locator(".inside-row").count() == 0
        page.locator("#text:not(:has-text(':dot_general'))").wait_for()
        page.get_by_role("button", name="undo").click()
        page.locator(".inside-row").wait_for()
        assert watched.complaints == []


def found_inside(made: Answers) -> Any:
    """What a search gives that has found one line, inside of the program."""
    sheet = made.sheet
    number = next(one for one, name in enumerate(sheet.short.names) if name == "stablehlo.dot_general")
    inner = InnerSharding(sheet.short.groups[number], 0, (("data",), ()))
    layouts = Layouts((("data", 8),), tuple(((),) * len(one) for one in sheet.shapes), (inner,))
    score = sheet._evaluator.score(Mesh(dict(layouts.mesh)), sheet.space.boundary(layouts), layouts.inner)
    tried = SimpleNamespace(layouts=layouts, first=score)
    best = SimpleNamespace(tried=tried, words="a line inside")
    return SimpleNamespace(best=best, front=(), notes=("the search was interrupted",))


def test_two_quick_changes_are_both_made(made: Answers) -> None:
    with served(made) as server, opened(server.url) as watched:
        page = watched.page
        settled(watched)
        page.get_by_role("button", name="data smaller").click()
        settled(watched)
        page.evaluate(
            """for (const [name, key] of [["x batch", "1"], ["params/layers/*/up hidden", "2"]])
              document.querySelector(`[aria-label^="${name}"]`).dispatchEvent(new KeyboardEvent("keydown", { key }))"""
        )
        page.locator('[aria-label^="params/layers/*/up hidden"][aria-label$=": model"]').wait_for()
        settled(watched)
        assert page.get_by_role("button", name=re.compile("^x batch .*: data$")).count() == 1
        assert watched.complaints == []


def test_a_report_is_loaded_once_and_goes_with_the_file(made: Answers) -> None:
    other, state = answers(2), {"version": "1"}
    with served(made, lambda: other, lambda: state["version"]) as server, opened(server.url) as watched:
        page = watched.page
        settled(watched)
        page.get_by_role("tab", name="Memory").click()
        frame = page.locator("#report-frame")
        frame.wait_for(state="visible")
        page.frame_locator("#report-frame").get_by_role("tab", name="Memory").wait_for()
        page.locator('[data-key="axis data"]').click()
        page.get_by_role("button", name=re.compile("^x batch")).click()
        settled(watched)
        page.locator("#report-frame.stale").wait_for()
        page.get_by_role("button", name="undo").click()
        assert sum("/report/" in one for one in watched.requests) == 1
        state["version"] = "2"
        frame.wait_for(state="hidden")
        assert watched.complaints == []


def test_only_who_knows_the_address_gets_an_answer(made: Answers) -> None:
    with served(made) as server:
        own = f"127.0.0.1:{server.server_port}"
        json_kind = {"Content-Type": "application/json"}

        def asked(method: str, path: str, body: str | None = None, **headers: str) -> tuple[int, str]:
            connection = http.client.HTTPConnection(own, timeout=30)
            given = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, given | (json_kind if body is not None else {}))
            answer = connection.getresponse()
            found = answer.status, answer.read().decode()
            connection.close()
            return found

        path = f"/{server.token}/"
        assert asked("GET", path)[0] == 200 and asked("POST", f"{path}sheet", "{}")[0] == 200
        assert asked("GET", "/")[0] == 404 and asked("POST", "/sheet", "{}")[0] == 404
        assert asked("GET", path, Host="evil.example")[0] == 403
        assert asked("POST", f"{path}sheet", "{}", Origin="http://evil.example")[0] == 403
        assert asked("POST", f"{path}sheet", "{}", Origin=f"http://{own}")[0] == 200
        for wrong in ("", "[]", "{", "[" * 5000, '{"setting": {"mesh": [["a", 8]], "specs": {"0": 1}}}'):
            status, text = asked("POST", f"{path}export", wrong)
            assert status == 400 and "Traceback" not in text
        assert asked("POST", f"{path}__class__", "{}")[0] == 400
        assert asked("GET", f"{path}report/../../etc/passwd")[0] == 404
