"""The page of a plan as a person uses it, in a real browser: no complaint, no request, and each way to an answer."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import pyshardy
from pyshardy.analysis.why.explainer import Explainer
from pyshardy.report.page.page import page_text
from pyshardy.report.page.report import Report
from tests.report.page.browser import opened

pytestmark = pytest.mark.usefixtures("browser")

_EXAMPLES = Path(__file__).parents[3] / "examples"


def _page(directory: Path, name: str, other: str | None = None) -> Path:
    reports = [
        Report.of(Explainer(pyshardy.load(_EXAMPLES / one)).on(pyshardy.hardware("v5e")), one, path=one, edits=False)
        for one in filter(None, (name, other))
    ]
    path = directory / f"{name}.html"
    path.write_text(page_text(*reports), "utf-8")
    return path


@pytest.fixture(scope="module")
def fsdp(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _page(tmp_path_factory.mktemp("pages"), "transformer_fsdp.mlir")


def test_the_page_opens_without_a_complaint_and_asks_for_nothing(fsdp: Path) -> None:
    with opened(fsdp) as watched:
        watched.page.get_by_role("tab", name="Program").wait_for()
        for tab in watched.page.get_by_role("tab").all():
            tab.click()
        assert watched.complaints == []
        assert watched.requests == [fsdp.as_uri()]


def test_the_answer_stands_above_all_else(fsdp: Path) -> None:
    with opened(fsdp) as watched:
        assert watched.page.locator("#answer .figure").first.inner_text() == "fits"
        place = watched.page.locator("#answer").bounding_box()
        assert place is not None and place["y"] + place["height"] < 400


def test_memory_computation_and_communication_stand_in_one_list_by_their_shares(fsdp: Path) -> None:
    with opened(fsdp) as watched:
        rows = watched.page.locator("#costs li").all_inner_texts()
        shares = [int(found[1]) for row in rows if (found := re.search(r"(\d+) % of", row))]
        assert len(shares) == len(rows) > 2 and shares == sorted(shares, reverse=True)
        kinds = {row.get_attribute("class") for row in watched.page.locator("#costs li").all()}
        assert kinds >= {"computation", "communication"}
        assert "two things at once" in " ".join(rows)
        watched.page.locator("#costs li.communication a").first.click()
        watched.page.get_by_role("tab", name="Communication", selected=True).wait_for()


def test_a_search_finds_operations_by_kind_of_collective(fsdp: Path) -> None:
    with opened(fsdp) as watched:
        watched.page.get_by_label("Search operations").fill("kind:all_gather")
        watched.page.get_by_text(re.compile(r"^\d+ of \d+ operations$")).wait_for()
        shown = watched.page.locator(".row.op").all_inner_texts()
        names = {row.removeprefix("▸").split()[0] for row in shown}
        assert {"dot_general", "gather"} <= names <= {"broadcast_in_dim", "dot_general", "gather"}
        assert "q=kind" in watched.page.url


def test_scopes_fold_and_unfold(fsdp: Path) -> None:
    with opened(fsdp) as watched:
        watched.page.get_by_role("button", name="open scopes").click()
        watched.page.wait_for_url(re.compile("open="))
        assert "open=" in watched.page.url
        watched.page.get_by_role("button", name="fold all").click()
        assert "open=" not in watched.page.url


def test_a_click_leads_from_a_collective_to_its_operation_and_its_causes(fsdp: Path) -> None:
    with opened(fsdp, "#view=communication") as watched:
        row = watched.page.locator("tr.pick[aria-expanded=false]").first
        row.focus()
        watched.page.keyboard.press("Enter")
        watched.page.locator("tr.pick[aria-expanded=true]:focus").wait_for()
        watched.page.locator("tr.pick", has=watched.page.locator(".member")).first.click()
        watched.page.get_by_role("tab", name="Program", selected=True).wait_for()
        detail = watched.page.locator("#detail").inner_text()
        assert "Needs" in detail and "Why" in detail and "written on" in detail
        watched.page.locator("#detail ol a").first.click()
        assert watched.page.locator("#detail h2").first.inner_text()


def test_time_has_a_lane_for_computation_and_for_each_axis(fsdp: Path) -> None:
    with opened(fsdp, "#view=time") as watched:
        assert watched.page.locator("#view h2").first.inner_text().startswith("a step is expected to take")
        picture = watched.page.locator("#view svg").first
        texts = picture.locator("text").all_text_contents()
        assert [one for one in texts if not one[0].isdigit()] == ["computation", "fsdp"]
        # What computes is grey, links have the colour of their axis, and what is waited for is marked.
        for kind in ("t0", "t1", "t4", "k0.exposed"):
            assert picture.locator(f"rect.{kind} title").first.text_content()
        rows = watched.page.locator("#view table").first.locator("b").all_inner_texts()
        assert rows == ["matrix products", "waits for memory", "other arithmetic"]
        watched.page.locator("#view circle.dot").first.wait_for()
        assert "of it exposed" in watched.page.locator("#view th").all_inner_texts()
        assert watched.complaints == []


def test_the_roof_of_the_roofline_is_seen_whatever_hardly_computes(tmp_path: Path) -> None:
    square = "tensor<2048x2048xf32>"
    text = f"""func.func @main(%a: {square}, %b: tensor<64x2048x2048xf32>, %i: tensor<i32>) -> ({square}, {square}) {{
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : ({square}, {square}) -> {square}
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.add %i, %i : tensor<i32>
  %1 = stablehlo.dynamic_slice %b, %one, %zero, %zero, sizes = [1, 2048, 2048]
      : (tensor<64x2048x2048xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2048x2048xf32>
  %2 = stablehlo.reshape %1 : (tensor<1x2048x2048xf32>) -> {square}
  return %0, %2 : {square}, {square}
}}"""
    path = tmp_path / "page.html"
    path.write_text(page_text(Report.of(Explainer(pyshardy.parse(text)).on(pyshardy.hardware("v5e")), "page")), "utf-8")
    with opened(path, "#view=time") as watched:
        picture = watched.page.locator("svg[aria-label^=Roofline]")
        ticks = [float(one) for one in picture.locator("text").all_text_contents() if re.fullmatch(r"[\d.e-]+", one)]
        assert min(ticks) >= 0.001
        above = picture.get_by_text("peak of the chip").bounding_box()
        assert above is not None
        for dot in picture.locator("circle").all():
            place = dot.bounding_box()
            assert place is not None and place["y"] >= above["y"] + above["height"] - 1
        assert watched.complaints == []


def test_memory_is_read_under_the_pointer_and_leads_to_its_operation(fsdp: Path) -> None:
    with opened(fsdp, "#view=memory") as watched:
        picture = watched.page.locator("#memory-picture")
        assert "saved for the backward pass" in watched.page.locator(".legend").inner_text()
        picture.focus()
        watched.page.keyboard.press("ArrowLeft")
        assert re.match(
            r"(at )?[\d.]+ \ws( to [\d.]+ \ws)?: [\d.]+ MiB while ", watched.page.locator(".reading").inner_text()
        )
        box = picture.bounding_box()
        assert box is not None
        watched.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 60)
        watched.page.get_by_role("tab", name="Program", selected=True).wait_for()
        assert "op=" in watched.page.url and watched.complaints == []


def test_a_search_without_an_outcome_says_so(fsdp: Path) -> None:
    with opened(fsdp, "#q=nowhere") as watched:
        assert watched.page.get_by_role("status").first.inner_text().startswith("nothing matches “nowhere”")


def test_propagation_is_stepped_through(fsdp: Path) -> None:
    with opened(fsdp, "#view=propagation&stage=0") as watched:
        assert watched.page.locator("#stage").inner_text().startswith("stage 1 of")
        watched.page.get_by_role("button", name="later").click()
        assert watched.page.locator("#stage").inner_text().startswith("stage 2 of")


def test_a_link_points_at_a_tensor_and_its_tiles(fsdp: Path) -> None:
    with opened(fsdp, "#view=mesh&tensor=5") as watched:
        assert "params['layers'][0]['qkv']" in watched.page.locator("#detail").inner_text()
        assert watched.page.locator("#detail .tensor > div").count() == 8
        assert watched.page.locator("#view .device").count() == 8
        watched.page.locator("#view .device").nth(1).click()
        assert watched.page.locator("#view .device.held:focus").count() == 1


def test_tiles_have_the_shade_of_their_place_and_large_meshes_are_elided(tmp_path: Path) -> None:
    text = """sdy.mesh @mesh = <["data"=64, "model"=8]>
    func.func @main(%x: tensor<512x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>})
        -> tensor<512x64xf32> {
      %0 = stablehlo.tanh %x : tensor<512x64xf32>
      return %0 : tensor<512x64xf32>
    }"""
    path = tmp_path / "mesh.html"
    path.write_text(page_text(Report.of(Explainer(pyshardy.parse(text)), "mesh")), "utf-8")
    with opened(path, "#view=mesh&tensor=0") as watched:
        devices = watched.page.locator("button.device")
        shades = devices.evaluate_all("all => all.map(one => getComputedStyle(one).backgroundColor)")
        light = [sum(map(int, re.findall(r"\d+", one)[:3])) for one in shades]
        assert len(light) == 11 * 8 and light == sorted(light, reverse=True) and light[0] > 2 * light[-1]
        assert "of 512 devices are drawn" in watched.page.locator("#view").inner_text()
        watched.page.get_by_role("button", name="all", exact=True).click()
        assert devices.count() == 512 and watched.complaints == []


def test_the_keyboard_alone_gets_everywhere(fsdp: Path) -> None:
    with opened(fsdp) as watched:
        page = watched.page
        page.keyboard.press("/")
        page.keyboard.type("dot_general")
        page.get_by_text(re.compile(r"^\d+ of \d+ operations$")).wait_for()
        page.locator(".list").focus()
        page.keyboard.press("End")
        page.locator(".row.chosen").wait_for()
        page.keyboard.press("Enter")
        page.wait_for_url(re.compile("op="))
        page.locator("[role=tab][aria-selected=true]").focus()
        for name in ("Time", "Communication"):
            page.keyboard.press("ArrowRight")
            page.locator("[role=tab]:focus", has_text=name).wait_for()
        page.keyboard.press("Enter")
        page.get_by_role("tab", name="Communication", selected=True).wait_for()


def test_a_scope_that_the_keyboard_opens_keeps_the_focus(fsdp: Path) -> None:
    with opened(fsdp) as watched:
        page = watched.page
        in_list = "document.activeElement.matches('.list')"
        page.locator(".list").focus()
        page.keyboard.press("Home")
        page.keyboard.press("End")
        while page.locator(".row.chosen[aria-expanded=false]").count() == 0:
            page.keyboard.press("ArrowUp")
        place = page.locator(".row.chosen").get_attribute("data-place")
        for key, expanded in (("ArrowRight", "true"), ("ArrowLeft", "false"), ("Enter", "true")):
            page.keyboard.press(key)
            page.locator(f".row[data-place='{place}'][aria-expanded={expanded}]").wait_for()
            assert page.evaluate(in_list)
        page.keyboard.press("ArrowDown")
        page.locator(f".row.chosen[data-place='{int(place or 0) + 1}']").wait_for()
        assert watched.complaints == []


def test_dark_mode_has_a_dark_ground(fsdp: Path) -> None:
    def ground(*, dark: bool) -> int:
        with opened(fsdp, dark=dark) as watched:
            colour = watched.page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
            return sum(map(int, re.findall(r"\d+", colour)[:3]))

    assert ground(dark=True) < 200 < 600 < ground(dark=False)


def test_whoever_wants_no_motion_gets_none(fsdp: Path) -> None:
    with opened(fsdp, reduced_motion=True) as watched:
        moving = "[...document.querySelectorAll('*')].map(one => getComputedStyle(one).transitionDuration)"
        assert set(watched.page.evaluate(moving)) <= {"0s"}


def test_two_plans_show_what_differs_alone(tmp_path: Path) -> None:
    path = _page(tmp_path, "transformer_fsdp.mlir", "transformer_megatron.mlir")
    with opened(path, "#view=differences") as watched:
        text = watched.page.locator("#view").inner_text()
        assert "embed" in text and "peak of memory" in text and "all_gather" in text
        verdict = watched.page.locator(".verdict").inner_text()
        assert re.fullmatch(r"transformer_\w+.mlir: [\d.]+ µs instead of [\d.]+ µs, .* memory", verdict)
        row = watched.page.locator("tr.pick[aria-expanded=false]").first
        assert re.search(r"layers/\*/.* ×\d+", row.inner_text())
        row.click()
        assert watched.page.locator("tr .member").count() > 2
        assert watched.complaints == []


def test_it_prints_without_its_controls(fsdp: Path) -> None:
    with opened(fsdp) as watched:
        watched.page.emulate_media(media="print")
        assert not watched.page.locator("#views").is_visible()
        assert watched.page.locator("#answer").is_visible()


_HOSTILE = (
    "<script>document.title='taken'</script>",
    "\"onmouseover='alert(1)'",
    "</style><b>bold</b>",
    "javascript:alert(1)",
    "\u202egnp.exe",
    "</script><img src=x onerror=alert(1)>",
    "n" * 10_000,
)


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    quoted = [name.replace("\\", "\\\\").replace('"', '\\"') for name in _HOSTILE]
    arguments = ", ".join(
        f'%a{index}: tensor<8x4xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}, {{}}]>}} loc("{name}")'
        for index, name in enumerate(quoted)
    )
    body = "\n".join(
        f'%{index} = stablehlo.tanh %a{index} : tensor<8x4xf32> loc("{name}/tanh"("{name}":{index + 1}:1))'
        for index, name in enumerate(quoted)
    )
    program = f"""
    sdy.mesh @mesh = <["x"=2]>
    func.func @main({arguments}) -> tensor<8x4xf32> {{
      {body}
      return %0 : tensor<8x4xf32>
    }}"""
    path = tmp_path / "hostile.html"
    report = Report.of(Explainer(pyshardy.parse(program)), "<script>title</script>", path='"</script>', edits=False)
    path.write_text(page_text(report), "utf-8")
    with opened(path, "#view=mesh&tensor=0") as watched:
        for tab in watched.page.get_by_role("tab").all():
            tab.click()
        assert watched.page.title() == "<script>title</script>"
        assert watched.page.locator("img, b:text('bold')").count() == 0
        assert watched.page.locator("script").count() == 2
        assert watched.complaints == []
