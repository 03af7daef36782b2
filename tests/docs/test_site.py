"""The site is built, with every link and anchor; its reference has all that the code has."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from mkdocs.config.defaults import MkDocsConfig

import pyshardy
from pyshardy.analysis.cost.preset_files import presets
from pyshardy.cli.main import COMMANDS, command_parser
from pyshardy.cli.sdy_opt_flags import FLAGS, spelled
from pyshardy.ir.limits import LIMITS
from pyshardy.ir.pass_registry import pass_names, pass_or_pipeline
from website.hooks import on_config
from website.reference import commands_page, hardware_page, limits_page, python_page, sdy_opt_page

ROOT = Path(__file__).parents[2]


def build(config: Path, out: Path) -> subprocess.CompletedProcess[str]:
    arguments = [sys.executable, "-m", "mkdocs", "build", "--config-file", str(config), "--site-dir", str(out)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run(arguments, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_the_site_is_built_and_asks_nothing_of_the_network(tmp_path: Path) -> None:
    done = build(ROOT / "mkdocs.yml", tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    pages = {path.relative_to(tmp_path).as_posix(): path.read_text() for path in tmp_path.rglob("*.html")}
    assert {"index.html", "partition.html", "reference/python.html", "examples/multihost.py.html"} <= set(pages)
    outside = re.compile(r'(?:src|<link[^>]*href)="(?:https?:)?//[^"]*')
    assert [(name, found) for name, text in pages.items() for found in outside.findall(text)] == []
    # Opened from files, a page has the index of the search in a script.
    assert '"location":"partition.html"' in (tmp_path / "search" / "search_index.js").read_text().replace(": ", ":")
    assert 'src="../site.js"' in pages["reference/python.html"]
    api = pages["reference/python.html"]
    assert all(f'id="pyshardy.{name}"' in api for name in ("api.plan.partition", "api.plan.Plan.check", "jax.jit"))
    assert "&gt;&gt;&gt; " in api and "<blockquote>" not in api


def test_a_page_that_the_nav_does_not_name_stands_at_its_end(tmp_path: Path) -> None:
    for name in ("index.md", "new.md"):
        (tmp_path / name).write_text("# Page")
    config = MkDocsConfig()
    config.docs_dir, config.nav = str(tmp_path), [{"Start": ["index.md"]}]
    assert on_config(config).nav == [{"Start": ["index.md"]}, {"More": ["new.md"]}]


def test_the_reference_has_every_command_and_option() -> None:
    page = commands_page()
    for name in COMMANDS:
        part = page.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
        parser = command_parser(name)._subparsers
        assert part and parser is not None
        (actions,) = (one.choices for one in parser._group_actions)
        assert actions is not None
        options = [option for action in dict(actions)[name]._actions for option in action.option_strings]
        assert [option for option in options if option not in part] == []


def test_the_reference_has_every_pass_flag_preset_and_limit() -> None:
    page = sdy_opt_page()
    assert [name for name in FLAGS if f"`{spelled(name)}" not in page] == []
    for name in pass_names():
        part = page.partition(f"\n### {name}\n")[2].partition("\n### ")[0]
        found = pass_or_pipeline(name)
        assert part and found is not None
        assert [option for option in found.options() if f"| `{option}` |" not in part] == []
    assert [name for name in presets() if f"\n## {name}\n" not in hardware_page()] == []
    assert [name for name in LIMITS if f"| `{name}` |" not in limits_page()] == []


def test_the_reference_has_every_name_that_the_package_offers() -> None:
    page = python_page()
    assert [name for name in pyshardy.__all__ if f"      heading: pyshardy.{name}\n" not in page] == []
