"""Takes the picture of the workbench that stands in the documentation: ``python -m tests.workbench.pictures``."""

from __future__ import annotations

import sys
from pathlib import Path

import pyshardy
from pyshardy.analysis.cost.targets import target
from pyshardy.workbench.answers import Answers
from pyshardy.workbench.sheet import Sheet
from tests.report.page.browser import opened
from tests.workbench.served import served

_ROOT = Path(__file__).parents[2]


def main() -> None:
    """Writes it to ``docs/images``."""
    sys.path.insert(0, str(_ROOT / "examples"))
    from search_programs import perceptrons

    module = pyshardy.parse(perceptrons(layers=24, tokens=49152, width=12288, hidden=49152))
    made = Answers(Sheet(module, target("h100x8")), "step.mlir")
    with served(made) as server, opened(server.url) as watched:
        page = watched.page
        page.set_viewport_size({"width": 1400, "height": 620})
        idle = page.locator("#strip:not(.busy) #working:empty")
        idle.wait_for(state="attached")
        page.get_by_role("button", name="data smaller").click()
        page.locator('[data-key="axis data"]').click()
        page.locator('button.slot:has-text("batch")').first.click()
        page.wait_for_timeout(300)
        idle.wait_for(state="attached")
        page.get_by_role("button", name="pin").click()
        for _ in range(3):
            page.get_by_role("button", name="try", exact=True).first.click()
            page.wait_for_timeout(300)
            idle.wait_for(state="attached")
        page.screenshot(path=_ROOT / "docs" / "images" / "workbench.png")


if __name__ == "__main__":
    main()
