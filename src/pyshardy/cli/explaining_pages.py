"""Finds the page of the documentation that explains a failure.

``pyshardy`` names it in a last line: the command that prints the page (``pyshardy docs``), or the address of the page
if the metadata of the package names a site (``Documentation``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

PAGES = {
    r"\(--limit [\w-]+=N": "limits.md",
    r"'sdy\.manual_computation' op": "concepts/manual.md#rules",
    r"duplicate axis ref|doesn't match tensor rank|overlapping sub-axes|sub-axis": "concepts/meshes.md",
    r"is not known what the target|no evaluator is registered": "how-to/own-operation.md#what-it-computes",
    r"unregistered dialect": "how-to/own-operation.md",
    r"ranked tensors with a static shape": "reading.md#sizes-left-open",
    r"is no program,|is (?:HLO text|Python source|a jaxpr|JSON)|is TOML, not": "reading.md",
    r"^[^:]*\.toml: (?:chip|links|axes|overlap)\b": "cost.md#hardware",
    r"\[(?:shardings|strategy\.[^\]]+)\] \"": "shardings.md",
    r"\.toml:\d+:\d+: this is not TOML": "shardings.md",
    r"\[(?:shardings|strategy\.[^\]]+)\] has no": "shardings.md",
    r"^'.*': no operation and no collective|^'.*': there is no such collective": "explain.md#how-to-name-things",
    r"' means \d+ tensors|^['\"].*['\"] ?: no argument o[rf] (?:result|a region)": "explain.md#how-to-name-things",
}
"""What a message has in it, and the page below ``docs``; the first that fits counts."""


def page_for(messages: Iterable[str]) -> str | None:
    """The page that explains the first of ``messages`` that any page explains, None if none does.

    >>> page_for(["mine.toml: chip.flops is missing"])
    'cost.md#hardware'
    """
    for message in messages:
        for pattern, page in PAGES.items():
            if re.search(pattern, message):
                return page
    return None


def address(page: str) -> str:
    """Where ``page`` is: on the site of the documentation if the package names one, else the command that prints it.

    >>> address("concepts/manual.md#rules")
    'pyshardy docs concepts/manual#rules'
    """
    from importlib.metadata import PackageNotFoundError, metadata

    try:
        named = dict(one.split(", ", 1) for one in metadata("pyshardy").get_all("Project-URL") or ())
    except PackageNotFoundError:
        named = {}
    site = named.get("Documentation")
    return (
        f"pyshardy docs {page.replace('.md', '')}"
        if site is None
        else f"{site.rstrip('/')}/{page.replace('.md', '.html')}"
    )
