"""Pictures for papers and slides: memory over the program, communication, a tensor on its mesh, strategies.

They are drawn with matplotlib, an optional package; the same plan gives the same file, byte for byte. ``analysis`` and
``Plan`` have the figures, ``mesh_drawing`` the tiles, ``cli.plot`` writes the file.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from pyshardy.analysis.cost.memory_timeline import memory_timeline
from pyshardy.analysis.cost.step_cost import Cost
from pyshardy.analysis.cost.targets import AnyHardware
from pyshardy.analysis.cost.timed_plan import TimedPlan
from pyshardy.partitioning.plan import Plan
from pyshardy.report.mesh_drawing import TensorDrawing
from pyshardy.report.mesh_grid import PALETTE, colour
from pyshardy.report.mesh_tiles import MeshTiles
from pyshardy.report.page.document import MissingExtra
from pyshardy.report.strategy_cost import StrategyCost
from pyshardy.report.words import counted, one_line, seconds_text, size_text
from pyshardy.sharding.axes import axes_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_IN_SIGHT = 20.0
"""A capacity that is a larger multiple of the need is not drawn, since bars would become too small."""
FORMATS = ("svg", "png", "pdf")
_STYLE = {
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.constrained_layout.use": True,
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "hatch.linewidth": 0.6,
    "svg.hashsalt": "pyshardy",
    # A dollar sign in a name does not begin mathematics.
    "text.parse_math": False,
}
_NO_DATE: dict[str, dict[str, None]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}
_MOST_PLACES = 600
_MOST_ROWS = 12
_MOST_DEVICES = 1_024
_NAME = 48


@contextmanager
def _drawing() -> Iterator[None]:
    """The style of all pictures.

    Raises:
        MissingExtra: matplotlib is not installed.
    """
    try:
        import matplotlib
        from matplotlib.figure import Figure as Figure
    except ImportError as error:
        raise MissingExtra(f"a plot needs matplotlib: pip install 'pyshardy[report]' ({error})") from None
    with warnings.catch_warnings(), matplotlib.rc_context(_STYLE):  # type: ignore[arg-type]
        # Letters that the font lacks are drawn as boxes, without a warning.
        warnings.filterwarnings("ignore", message=".*[Gg]lyph.*")
        yield


def _new_figure(width: float, height: float) -> Figure:
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height))


def rendered(figure: Figure, format: str) -> bytes:
    """``figure`` as a file in one of ``FORMATS``, without a date.

    Raises:
        MissingExtra: matplotlib is not installed.
    """
    out = BytesIO()
    with _drawing():
        figure.savefig(out, format=format, dpi=150, metadata=_NO_DATE[format])
    return out.getvalue()


def memory_figure(plan: Plan, hardware: AnyHardware | None = None) -> Figure:
    """The values in the memory of a device over the program, by kind, with one iteration of each loop, and the peak.
    With ``hardware`` it is drawn over the time of a step, with the capacity of the chip if that is within the picture.

    Raises:
        MissingExtra: matplotlib is not installed.
        HardwareProblem: the mesh of the plan does not fit the hardware.
    """
    with _drawing():
        figure = _new_figure(7.0, 3.4)
        axes = figure.add_subplot()
        timed = TimedPlan(plan, hardware) if hardware is not None else None
        timeline = memory_timeline(plan, timed)
        count, end = len(timeline.operations), timeline.seconds or 1.0
        shown = sorted({*range(0, count, max(1, count // _MOST_PLACES)), timeline.peak}) if count else []
        bands = [
            (kind, row, colour(number))
            for number, (kind, row) in enumerate(zip(timeline.kinds, timeline.rows, strict=True))
            if any(row)
        ]
        if shown and bands:
            axes.stackplot(
                [*(timeline.begins[place] for place in shown), end],
                [[*(row[place] for place in shown), row[shown[-1]]] for _, row, _ in bands],
                labels=[one_line(kind, _NAME) for kind, _, _ in bands],
                colors=[band for _, _, band in bands],
                linewidth=0,
                step="post",
            )
            peak, at = timeline.memory.peak, timeline.begins[timeline.peak]
            axes.axvline(at, color="black", linewidth=0.8, linestyle=":")
            axes.annotate(
                f"peak {size_text(peak)}",
                (at, peak),
                xytext=(4 if at < end / 2 else -4, 3),
                textcoords="offset points",
                ha="left" if at < end / 2 else "right",
            )
            capacity = timed.hardware.chip.capacity if timed is not None else None
            if capacity is not None and capacity < 2 * peak:
                axes.axhline(capacity, color="#d55e00", linewidth=1.2)
                axes.annotate("capacity of the chip", (0, capacity), xytext=(2, 3), textcoords="offset points")
            axes.set_xlim(0, end)
            if timed is not None:
                axes.xaxis.set_major_formatter(lambda value, _: seconds_text(value))
            handles, labels = axes.get_legend_handles_labels()
            axes.legend(
                handles[::-1], labels[::-1], loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, fontsize=8
            )
        axes.margins(y=0.15)
        axes.set_ylim(bottom=0)
        axes.set_xlabel("operations of the program, in their order" if hardware is None else "time in a step")
        axes.set_ylabel("memory of a device")
        _sizes_along(axes, "y")
        return figure


def communication_figure(plan: Plan, cost: Cost | None = None) -> Figure:
    """The bytes that each device receives, by kind of collective and axes, with all iterations of loops; with ``cost``
    also the time.

    Raises:
        MissingExtra: matplotlib is not installed.
    """
    with _drawing():
        moved: dict[tuple[str, str], float] = {}
        for one in plan.collectives:
            key = one.kind, axes_text(one.axes) if one.axes else "the program's own"
            moved[key] = moved.get(key, 0.0) + one.run_bytes
        rows = sorted(moved, key=lambda key: -moved[key])
        shown, rest = rows[:_MOST_ROWS], rows[_MOST_ROWS:]
        names = [one_line(" ".join(key), _NAME) for key in shown]
        values = [moved[key] for key in shown]
        if rest:
            names.append(f"{len(rest)} others")
            values.append(sum(moved[key] for key in rest))
        figure = _new_figure(7.0, 1.2 + 0.32 * max(len(names), 1))
        panels = figure.subplots(1, 2 if cost is not None else 1, squeeze=False, sharey=True)[0]
        _bars(panels[0], names, values, [size_text(one) for one in values])
        _sizes_along(panels[0], "x")
        panels[0].set_xlabel("bytes that each device receives")
        if cost is not None:
            seconds = {(timed.kind, timed.axes): 0.0 for timed in cost.collectives}
            for timed in cost.collectives:
                seconds[timed.kind, timed.axes] += timed.seconds
            times = [seconds.get(key, 0.0) for key in shown]
            times += [sum(seconds.get(key, 0.0) for key in rest)] if rest else []
            _bars(panels[1], names, times, [seconds_text(one) for one in times])
            panels[1].xaxis.set_major_formatter(lambda value, _: seconds_text(value))
            panels[1].locator_params(axis="x", nbins=4)
            panels[1].set_xlabel(f"seconds on {one_line(cost.hardware.name, _NAME)}")
        if not names:
            panels[0].set_title("no communication")
        return figure


def _bars(
    axes: Axes,
    names: Sequence[str],
    values: Sequence[float],
    texts: Sequence[str],
    ends: Sequence[float] | None = None,
) -> None:
    """Bars with texts after them, or after ``ends``, if more is drawn."""
    places = range(len(names))
    axes.barh(places, values, color=[PALETTE[place % len(PALETTE)] for place in places])
    axes.set_yticks(places, names)
    if names and not axes.yaxis_inverted():
        axes.invert_yaxis()
    for place, end, text in zip(places, values if ends is None else ends, texts, strict=True):
        axes.annotate(text, (end, place), xytext=(3, 0), textcoords="offset points", va="center", fontsize=8)
    axes.margins(x=0.25)
    axes.set_xlim(left=0)


def _sizes_along(axes: Axes, which: str) -> None:
    """Ticks at multiples of a power of two, which are round as sizes, three or more."""
    axis = axes.xaxis if which == "x" else axes.yaxis
    low, high = axes.get_xlim() if which == "x" else axes.get_ylim()
    step = 2.0 ** max(0, int(high / 2).bit_length() - 1)
    axis.set_ticks([place * step for place in range(int(high / step) + 1) if low <= place * step])
    axis.set_major_formatter(lambda value, _: size_text(value))


def mesh_figure(drawing: TensorDrawing) -> Figure:
    """A tensor on its mesh: one cell for each device, replicas in one colour, padding hatched; before and after a
    reshard.

    Raises:
        MissingExtra: matplotlib is not installed.
        ValueError: the mesh has too many devices for a picture.
    """
    mesh = drawing.tiles.mesh
    if mesh.total_size > _MOST_DEVICES:
        raise ValueError(
            f"a picture has room for {_MOST_DEVICES} devices, the mesh has {mesh.total_size}: "
            "`pyshardy show` draws a part of it"
        )
    with _drawing():
        states = [("", drawing.sharding, drawing.tiles)]
        if drawing.before is not None:
            states = [("before: ", *drawing.before), ("after: ", drawing.sharding, drawing.tiles)]
        rows, columns = _grid_shape(drawing.tiles)
        cell_width, cell_height = 0.95, 0.5
        width = max(3.2, 1.0 + cell_width * columns) * len(states)
        figure = _new_figure(min(width, 40.0), min(1.3 + cell_height * rows, 40.0))
        names = [drawing.name] if drawing.name == drawing.value else [drawing.name, drawing.value]
        figure.suptitle("  ".join(one_line(one, _NAME) for one in [*names, str(drawing.type)]), fontsize=10)
        for axes, (word, sharding, tiles) in zip(
            figure.subplots(1, len(states), squeeze=False)[0], states, strict=True
        ):
            _draw_tiles(axes, tiles)
            text = sharding.body_text if sharding is not None else "no sharding"
            axes.set_title(one_line(word + text), fontsize=8)
        return figure


_GAP = 0.35


def _grid_shape(tiles: MeshTiles) -> tuple[float, float]:
    """Height and width of the grid in cells."""
    sizes = [axis.size for axis in tiles.mesh.axes if axis.size > 1]
    *outer, rows, columns = [1, 1, *sizes][-max(2, len(sizes)) :]
    down, across = prod(outer[:-1]), outer[-1] if outer else 1
    return down * (rows + _GAP), across * (columns + _GAP)


def _draw_tiles(axes: Axes, tiles: MeshTiles) -> None:
    from matplotlib.patches import Rectangle

    listed = [axis for axis in tiles.mesh.axes if axis.size > 1]
    names = [one_line(axis.name, 16) for axis in listed]
    sizes = [axis.size for axis in listed]
    padded_sizes = [1, 1, *sizes][-max(2, len(sizes)) :]
    *outer, rows, columns = padded_sizes
    position = 0
    for places in product(*map(range, outer)):
        block = 0
        for place, size in zip(places[:-1], outer[:-1], strict=True):
            block = block * size + place
        top = block * (rows + _GAP)
        left = (places[-1] if places else 0) * (columns + _GAP)
        if outer:
            label = ", ".join(f"{name}={place}" for name, place in zip(names, places, strict=False))
            axes.text(left, top - 0.06, label, fontsize=7, va="bottom")
        for row, column in product(range(rows), range(columns)):
            tile = tiles.tile(position)
            position += 1
            corner = (left + column, top + row)
            hatch = "////" if tile.is_padded else None
            axes.add_patch(
                Rectangle(corner, 1, 1, facecolor=colour(tile.number), edgecolor="black", linewidth=0.6, hatch=hatch)
            )
            text = f"{tile.device}\n{tiles.slice_text(tile)}"
            box = {"boxstyle": "square,pad=0.1", "facecolor": "white", "linewidth": 0} if hatch else None
            axes.text(corner[0] + 0.5, corner[1] + 0.5, text, fontsize=5.5, ha="center", va="center", bbox=box)
    height, width = _grid_shape(tiles)
    axes.set_xlim(-0.02, width - _GAP + 0.02)
    axes.set_ylim(height - _GAP + 0.02, -0.3 if outer else -0.02)
    axes.spines[:].set_visible(False)
    axes.set_xticks([])
    axes.set_yticks([])
    if names:
        axes.set_xlabel(f"{names[-1]} →")
    if len(names) > 1:
        axes.set_ylabel(f"← {names[-2]}")


def strategies_figure(rows: Sequence[tuple[StrategyCost, Cost | None]]) -> Figure:
    """Strategies side by side: the peak of memory, the bytes that each device receives, and with costs the expected
    time of a step and its bounds.

    Raises:
        MissingExtra: matplotlib is not installed.
    """
    with _drawing():
        names = [one_line(one.name, _NAME) for one, _ in rows]
        costs = [cost for _, cost in rows if cost is not None]
        panels = 3 if len(costs) == len(rows) else 2
        figure = _new_figure(3.0 * panels, 1.2 + 0.34 * len(rows))
        axes = figure.subplots(1, panels, squeeze=False, sharey=True)[0]
        peaks = [float(one.peak_bytes if cost is None else cost.peak_bytes) for one, cost in rows]
        moved = [one.traffic.run_bytes for one, _ in rows]
        for place, values, title in ((0, peaks, "peak of memory of a device"), (1, moved, "received in collectives")):
            _bars(axes[place], names, values, [size_text(one) for one in values])
            _sizes_along(axes[place], "x")
            axes[place].set_xlabel(title)
        if costs:
            capacity = costs[0].hardware.chip.capacity
            if capacity < _IN_SIGHT * max(peaks):
                axes[0].axvline(capacity, color="#d55e00", linewidth=1.2)
                axes[0].annotate(
                    f"capacity {size_text(capacity)}",
                    (capacity, 1.0),
                    xycoords=("data", "axes fraction"),
                    xytext=(0, 2),
                    textcoords="offset points",
                    ha="center",
                    fontsize=7,
                )
        if panels == 3:
            times = [cost.step_seconds for cost in costs]
            texts = [seconds_text(one.expected) for one in times]
            ends = [max(one.expected, one.no_overlap) for one in times]
            _bars(axes[2], names, [one.expected for one in times], texts, ends)
            widths = [one.no_overlap - one.full_overlap for one in times]
            left = [one.full_overlap for one in times]
            axes[2].barh(range(len(times)), widths, left=left, color="black", height=0.06)
            axes[2].xaxis.set_major_formatter(lambda value, _: seconds_text(value))
            axes[2].locator_params(axis="x", nbins=3)
            axes[2].margins(x=0.6)
            axes[2].set_xlim(left=0)
            axes[2].set_xlabel(f"a step on {one_line(costs[0].hardware.name, _NAME)}\n(black: from full to no overlap)")
        devices = {one.devices for one, _ in rows}
        figure.suptitle(", ".join(counted(one, "device") for one in sorted(devices)), fontsize=9)
        return figure
