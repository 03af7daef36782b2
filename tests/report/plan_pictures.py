"""Makes the pictures of docs/pictures.md: ``python -m tests.report.plan_pictures``."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console

import pyshardy
from pyshardy.analysis.why.explainer import Explainer
from pyshardy.report.mesh_drawing import draw, drawings
from pyshardy.report.plots import memory_figure, rendered
from tests.report.page.browser import opened

_ROOT = Path(__file__).parents[2]
_IMAGES = _ROOT / "docs" / "images"
_PROGRAM = """sdy.mesh @mesh = <["stage"=2, "data"=2, "model"=4]>
func.func @main(%x: tensor<15x8xf32> loc("x")) -> tensor<15x8xf32> {
  %0 = stablehlo.tanh %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}, {"stage"}]>]>} : tensor<15x8xf32>
  return %0 : tensor<15x8xf32>
}"""


def main() -> None:
    """Writes them to ``docs/images``."""
    plan = pyshardy.partition(pyshardy.load(_ROOT / "examples" / "transformer_fsdp.mlir"))
    (_IMAGES / "plot_memory.png").write_bytes(rendered(memory_figure(plan), "png"))
    console = Console(record=True, width=98, file=StringIO(), force_terminal=True, color_system="truecolor")
    (drawing,) = drawings(Explainer(pyshardy.parse(_PROGRAM)), "%0")
    draw(drawing, console)
    with TemporaryDirectory() as directory:
        path = Path(directory) / "show.svg"
        path.write_text(console.export_svg(title="pyshardy show"), "utf-8")
        with opened(path) as watched:
            watched.page.set_viewport_size({"width": 1230, "height": 640})
            watched.page.screenshot(path=_IMAGES / "show.png")


if __name__ == "__main__":
    main()
