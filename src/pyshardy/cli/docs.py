"""``pyshardy docs [PAGE]``: prints a page of the documentation in the terminal, by the name that messages give it."""

from __future__ import annotations

import argparse
import sys
from difflib import get_close_matches
from typing import TYPE_CHECKING

from pyshardy.cli import documentation
from pyshardy.cli.files import InputProblem

if TYPE_CHECKING:
    from pathlib import Path

    from pyshardy.cli.parser import Commands

_MOST = 12
_WIDEST = 100


def add_parser(commands: Commands) -> None:
    """Adds the subcommand."""
    parser = commands.add_parser(
        "docs",
        help="read the documentation",
        description="Prints a page of the documentation, or one section of it; without a page the list of all. In a "
        "terminal it is laid out, elsewhere it is the Markdown of the page.",
    )
    parser.add_argument(
        "page",
        nargs="?",
        metavar="PAGE[#SECTION]",
        help="limits, how-to/experts, concepts/manual#rules; or a word of a page's name or headings",
    )
    parser.set_defaults(run=docs_command)


def docs_command(options: argparse.Namespace) -> int:
    """Runs ``pyshardy docs``.

    Raises:
        InputProblem: there is no such page, or there are several.
    """
    pages = documentation.directory()
    if pages is None:
        raise InputProblem("this installation has no documentation: the sources have it, in docs")
    if options.page is None:
        print(_list_text(pages, documentation.page_names(pages)), end="")
        return 0
    topic, _, anchor = options.page.partition("#")
    found = documentation.found_pages(pages, topic)
    if not found and topic.removeprefix("docs/").startswith("reference/"):
        raise InputProblem(
            f"'{topic}' is a page of the site alone, made from the code: pyshardy COMMAND --help, sdy-opt --help and "
            "sdy-opt --show-passes print what the reference has"
        )
    if not found:
        near = get_close_matches(topic, documentation.page_names(pages), 1)
        meant = f"is '{near[0]}' meant? " if near else ""
        raise InputProblem(
            f"no page of the documentation is called '{topic}' or has a heading with it: {meant}pyshardy docs lists all"
        )
    if len(found) > 1:
        print(_list_text(pages, found[:_MOST]), end="")
        return 0
    _print(_text(pages, found[0], anchor))
    return 0


def _list_text(pages: Path, names: list[str]) -> str:
    width = max(map(len, names))
    lines = [f"{one:{width}}  {documentation.title_of(documentation.text_of(pages, one))}" for one in names]
    return "\n".join([*lines, "", "pyshardy docs PAGE prints one of these"]) + "\n"


def _text(pages: Path, name: str, anchor: str) -> str:
    text = documentation.text_of(pages, name)
    if not anchor:
        return text
    section = documentation.section_of(text, anchor)
    if section is None:
        listed = ", ".join(documentation.anchors_of(text)[1:])
        raise InputProblem(f"the page {name} has no section '{anchor}'; it has {listed or 'none'}")
    return section


def _print(text: str) -> None:
    """In a terminal laid out, elsewhere as it is."""
    if not sys.stdout.isatty():
        print(text, end="")
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    console.print(Markdown(text, hyperlinks=False), width=min(console.width, _WIDEST))
