"""What mkdocs calls while it builds the site: pages from the code, files of the project that pages point to, the nav.

Pages keep the links that are right in the repository, ``../examples/mlp.mlir`` for instance: the file becomes a page
of the site. Pages in ``docs`` itself that the nav does not name stand at its end.
"""

from __future__ import annotations

import os
import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from website.reference import PAGES

ROOT = Path(__file__).parents[1]
_OF_THE_PROJECT = {
    "CHANGELOG.md": "project/changelog.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "SECURITY.md": "project/security.md",
    "examples/README.md": "examples/index.md",
}
"""Pages that stand elsewhere in the repository."""
_SHOWN_AS_TEXT = {".mlir": "text", ".py": "python", ".toml": "toml"}
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_LARGEST = 100_000
_FROM_ELSEWHERE = "https://unpkg.com/iframe-worker/shim"
"""What the theme wants for searching a site that is opened from files; docs/site.js does it."""


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Adds to the nav the pages in ``docs`` that it does not name, at its end."""
    assert config.nav is not None
    named = set(_named(config.nav))
    rest = sorted(path.name for path in Path(config.docs_dir).glob("*.md") if path.name not in named)
    if rest:
        config.nav.append({"More": rest})
    return config


def _named(nav: Any) -> list[str]:
    if isinstance(nav, str):
        return [nav]
    entries = nav.values() if isinstance(nav, dict) else nav
    return [path for one in entries for path in _named(one)]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages that are made from the code, those of the project, and the files that pages point to."""
    for path, made in PAGES.items():
        files.append(File.generated(config, path, content=made()))
    for source, path in _OF_THE_PROJECT.items():
        if (ROOT / source).exists():
            files.append(File.generated(config, path, content=_moved((ROOT / source).read_text(), source, path)))
    for target in sorted(_targets(files)):
        text = _SHOWN_AS_TEXT.get(target.suffix)
        name = _relative(target)
        if target.is_dir():
            rows = "".join(f"- [{one.name}]({one.name}.md)\n" for one in _listed(target))
            files.append(File.generated(config, f"{name}/index.md", content=f"# {name}\n\n{rows}"))
        elif text is None or target.stat().st_size > _LARGEST:
            files.append(File.generated(config, name, abs_src_path=str(target)))
        else:
            page = f"# {name}\n\n````{text}\n{target.read_text().rstrip()}\n````\n"
            files.append(File.generated(config, f"{name}.md", content=page))
    return files


def _targets(files: Files) -> set[Path]:
    """The files and directories outside of ``docs`` that pages point to."""
    found: set[Path] = set()
    for file in files.documentation_pages():
        home = _home(file)
        for link in _LINK.findall(file.content_string):
            target = _outside(link, home)
            if target is not None and target.exists() and _relative(target) not in _OF_THE_PROJECT:
                found |= {target, *_listed(target)}
    return found


def _listed(directory: Path) -> list[Path]:
    """The files in a directory that are shown as text; none if it is a file."""
    return sorted(path for path in directory.glob("*") if path.suffix in _SHOWN_AS_TEXT)


def _home(file: File) -> Path:
    """The directory in the repository that links of a page are relative to."""
    sources = {path: source for source, path in _OF_THE_PROJECT.items()}
    return (ROOT / sources.get(file.src_uri, f"docs/{file.src_uri}")).parent


def _outside(link: str, home: Path) -> Path | None:
    """The file of the project, outside of ``docs``, that a relative link means."""
    path = link.partition("#")[0]
    if not path or ":" in path:
        return None
    target = Path(os.path.normpath(home / path))
    return target if target.is_relative_to(ROOT) and not target.is_relative_to(ROOT / "docs") else None


def _relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _moved(text: str, source: str, path: str) -> str:
    """A page of the project with links into ``docs`` as they are from ``path`` in the site."""

    def link(found: re.Match[str]) -> str:
        target, anchor, fragment = found[1].partition("#")
        if not target or ":" in target:
            return found[0]
        whole = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        inside = whole.removeprefix("docs/")
        if inside == whole:
            return found[0]
        return f"]({posixpath.relpath(inside, posixpath.dirname(path))}{anchor}{fragment})"

    return _LINK.sub(link, text)


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Points links to files of the project at what they are in the site."""
    home = _home(page.file)

    def link(found: re.Match[str]) -> str:
        target = _outside(found[1], home)
        if target is None:
            return found[0]
        name = _relative(target)
        for uri in (_OF_THE_PROJECT.get(name, ""), f"{name}.md", f"{name}/index.md", name):
            if uri and files.get_file_from_path(uri) is not None:
                return f"]({posixpath.relpath(uri, posixpath.dirname(page.file.src_uri))})"
        raise PluginError(f"{page.file.src_uri} points to {found[1]}, which is no file of the project")

    return _LINK.sub(link, markdown)


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Keeps the page from asking the network for anything."""
    return output.replace(_FROM_ELSEWHERE, posixpath.relpath("site.js", posixpath.dirname(page.file.dest_uri)))


def on_post_template(output_content: str, template_name: str, config: MkDocsConfig) -> str:
    """The same for what is no page, the one that says that there is none."""
    return output_content.replace(_FROM_ELSEWHERE, "site.js")
