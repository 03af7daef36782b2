"""Fills the template of a self-contained document, with its style and its script inline.

The template escapes texts. The Content-Security-Policy of every template allows only the inline script and style, by
their hashes.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import jinja2


class MissingExtra(ImportError):
    """An optional package is not installed; the message says how to install it."""


def environment() -> jinja2.Environment:
    """The environment that fills templates.

    Raises:
        MissingExtra: a package that draws pages is not installed.
    """
    try:
        import jinja2
        import svg  # noqa: F401
    except ImportError as error:
        raise MissingExtra(f"a report needs jinja2 and svg.py: pip install 'pyshardy[report]' ({error})") from None
    return jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)


def filled(
    templates: jinja2.Environment, template: str, styles: Sequence[str], scripts: Sequence[str], **values: object
) -> str:
    """The document: the asset ``template`` with ``values``, and those of ``styles`` and ``scripts``, each list in the
    order in which one asset needs another."""
    from markupsafe import Markup as safe

    style, script = ("".join(map(_asset, names)) for names in (styles, scripts))
    return templates.from_string(_asset(template)).render(
        style=safe(style), style_hash=_hash(style), script=safe(script), script_hash=_hash(script), **values
    )


def _asset(name: str) -> str:
    return (files("pyshardy.report.page") / "assets" / name).read_text("utf-8")


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
