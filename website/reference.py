"""Pages of the reference that are made from the code itself: commands, ``sdy-opt``, hardware, the Python API.

Each function gives the Markdown of one page; ``PAGES`` says where it stands in the site. What the code has, a page has:
nothing is listed here by hand but the order of the Python API.
"""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pyshardy
from pyshardy.analysis.cost.preset_files import preset_path, presets
from pyshardy.cli.main import TASKS, command_parser
from pyshardy.cli.sdy_opt_flags import FLAGS, spelled
from pyshardy.ir.limits import LIMITS
from pyshardy.ir.pass_registry import pass_names, pass_or_pipeline
from pyshardy.ir.passes import option_text

_MORE_API = {
    "pyshardy.jax": ("partition", "jit", "load", "search", "check_processes", "JaxPlan", "SavedPlan", "JaxProblem"),
    "pyshardy.interpreter": ("run", "run_devices", "WrongInputs"),
    "pyshardy.report.plots": ("memory_figure", "communication_figure", "mesh_figure", "strategies_figure", "rendered"),
    "pyshardy.ir.limits": ("limit", "set_limit"),
}
"""What the pages name beside ``pyshardy`` itself."""


def commands_page() -> str:
    """``pyshardy``: each command by task, with its arguments and options."""
    parsers = _subparsers()
    lines = ["# Commands", "", "Every command of `pyshardy`, by task, as `--help` has them.", ""]
    for task, names in TASKS.items():
        lines += [f"**{task[0].upper()}{task[1:]}**: " + ", ".join(f"[{name}](#{name})" for name in names), ""]
    for names in TASKS.values():
        for name in names:
            lines += _command_lines(name, parsers[name])
    return "\n".join(lines)


def _subparsers() -> Mapping[str, argparse.ArgumentParser]:
    actions = command_parser()._actions
    (found,) = (one for one in actions if isinstance(one, argparse._SubParsersAction))
    parsers: Mapping[str, argparse.ArgumentParser] = found.choices
    return parsers


def _command_lines(name: str, parser: argparse.ArgumentParser) -> Iterator[str]:
    yield from (f"## {name}", "", _escaped(parser.description or ""), "", "| | |", "| --- | --- |")
    for action in parser._actions:
        said = (action.help or "") % {"prog": parser.prog, "default": action.default} if action.help else ""
        choices = f" ({', '.join(map(str, action.choices))})" if action.choices and action.metavar else ""
        yield _row(_spelling(action), said + choices)
    yield ""


def _spelling(action: argparse.Action) -> str:
    value = _value(action)
    if not action.option_strings:
        return value
    return ", ".join(action.option_strings) + (f" {value}" if action.nargs != 0 and value else "")


def _value(action: argparse.Action) -> str:
    if isinstance(action.metavar, str):
        return action.metavar
    if action.choices:
        return "{" + ",".join(map(str, action.choices)) + "}"
    return action.dest.upper() if action.option_strings else action.dest


def sdy_opt_page() -> str:
    """``sdy-opt``: its flags, and each pass and pipeline with its options and their defaults."""
    lines = ["# Passes and flags of sdy-opt", "", "As `sdy-opt --help` has them; [sdy-opt](../sdy-opt.md) explains."]
    lines += ["", "## Flags", "", "| | |", "| --- | --- |"]
    for name, flag in FLAGS.items():
        value = (f"=<{flag.value}>" if flag.separate else f"[=<{flag.value}>]") if flag.value else ""
        lines.append(_row(spelled(name) + value, flag.help))
    lines += ["", "## Passes and pipelines", ""]
    for name in pass_names():
        found = pass_or_pipeline(name)
        if found is None:
            continue
        lines += [f"### {name}", "", _escaped(found.summary[:1].upper() + found.summary[1:]) + ".", ""]
        options = found.options()
        if options:
            lines += ["| option | default | |", "| --- | --- | --- |"]
            lines += [_row(option, said, option_text(default)) for option, (_, default, said) in options.items()]
            lines.append("")
    return "\n".join(lines)


def hardware_page() -> str:
    """The presets: a table of the figures that matter most, then each file with its sources."""
    files = {name: Path(preset_path(name)) for name in presets()}
    lines = [
        "# Hardware presets",
        "",
        "What `--hardware NAME` means; [cost](../cost.md#hardware) explains each key. Memory is as the data sheet has",
        "it, which mostly counts GiB and calls them GB; what a program can use of it is what was reported.",
        "",
    ]
    lines += ["| name | | memory | of it usable | bandwidth | peak, bf16 | links |", "| --- " * 7 + "|"]
    for name, path in files.items():
        tables = tomllib.loads(path.read_text())
        chip = tables["chip"]
        links = ", ".join(f"{one['name']}: {one['topology']}" for one in tables.get("links", ()))
        units = {"memory": (1e9, "GB"), "usable": (2**30, "GiB"), "bandwidth": (1e9, "GB/s")}
        figures = [_in(chip, key, *unit) for key, unit in units.items()]
        flops = _in(chip["flops"], "bf16", 1e12, "TFLOP/s")
        lines.append(f"| [{name}](#{name}) | {tables['name']} | {' | '.join(figures)} | {flops} | {links} |")
    for name, path in files.items():
        lines += ["", f"## {name}", "", "```toml", path.read_text().rstrip(), "```"]
    return "\n".join([*lines, ""])


def _in(table: Mapping[str, Any], key: str, unit: float, name: str) -> str:
    if key not in table:
        return ""
    found = table[key]
    return f"{(found['value'] if isinstance(found, dict) else found) / unit:,.4g} {name}"


def limits_page() -> str:
    """Each limit with its default."""
    lines = ["# Limits that an option raises", "", "[Limits](../limits.md) explains them.", ""]
    lines += ["| `--limit NAME=N` | default |", "| --- | --- |"]
    return "\n".join([*lines, *(f"| `{name}` | {one.default:,} |" for name, one in LIMITS.items()), ""])


def python_page() -> str:
    """The Python API, from the docstrings."""
    lines = [
        "# Python API",
        "",
        "From the docstrings. [Python](../python.md) and [JAX](../jax.md) show how it is used.",
        "",
    ]
    for name in sorted(pyshardy.__all__, key=lambda one: (one[0].isupper(), one)):
        lines += _documented(f"pyshardy.{name}", f"{pyshardy._HOMES[name]}.{name}")
    for module, names in _MORE_API.items():
        for name in names:
            lines += _documented(f"{module}.{name}", f"{module}.{name}")
    return "\n".join(lines)


def _documented(name: str, home: str) -> list[str]:
    # The heading is the name to import it by; mkdocstrings would write where it stands.
    options = ["show_root_heading: true", "heading_level: 2", f"heading: {name}", f"toc_label: {name}"]
    return [f"::: {home}", "    options:", *(f"      {one}" for one in options), ""]


def _row(spelling: str, said: str, default: str | None = None) -> str:
    cells = [f"`{_in_table(spelling)}`", *([f"`{default}`" if default else ""] if default is not None else [])]
    return f"| {' | '.join([*cells, _in_table(_escaped(said))])} |"


def _in_table(text: str) -> str:
    return text.replace("|", "\\|")


def _escaped(text: str) -> str:
    """``text`` as Markdown that says it: nothing in it is markup."""
    return "".join(f"\\{one}" if one in "\\`*_{}[]<>#" else one for one in text)


PAGES: dict[str, Callable[[], str]] = {
    "reference/commands.md": commands_page,
    "reference/sdy-opt.md": sdy_opt_page,
    "reference/python.md": python_page,
    "reference/hardware.md": hardware_page,
    "reference/limits.md": limits_page,
}
"""Where a page stands in the site, and what makes it."""
