"""Takes the pictures of the page that stand in the documentation: ``python -m tests.report.page.pictures``."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pyshardy
from pyshardy.analysis.why.explainer import Explainer
from pyshardy.report.page.page import page_text
from pyshardy.report.page.report import Report
from tests.report.page.browser import opened

_ROOT = Path(__file__).parents[3]
_PICTURES = {
    "report.png": ("#view=program", False, ""),
    "report_memory.png": ("#view=memory", True, "#costs a >> nth=0"),
}


def main() -> None:
    """Writes them to ``docs/images``."""
    name = "examples/transformer_fsdp.mlir"
    report = Report.of(Explainer(pyshardy.load(_ROOT / name)).on(pyshardy.hardware("v5e")), name, path=name)
    target = _ROOT / "docs" / "images"
    target.mkdir(exist_ok=True)
    with TemporaryDirectory() as directory:
        path = Path(directory) / "report.html"
        path.write_text(page_text(report), "utf-8")
        for picture, (fragment, dark, chosen) in _PICTURES.items():
            with opened(path, fragment, dark=dark) as watched:
                if chosen:
                    # A link of the list brings the views into sight.
                    watched.page.locator(chosen).click()
                    watched.page.get_by_role("tab", name="Memory").click()
                watched.page.wait_for_timeout(300)
                watched.page.screenshot(path=target / picture)


if __name__ == "__main__":
    main()
