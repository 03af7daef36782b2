"""Builds pyshardy: in pure Python, or with ``PYSHARDY_COMPILE=1`` in the environment with its hot modules compiled.

``pyproject.toml`` says everything else about the package, and which modules are compiled (``[tool.pyshardy.compile]``).
mypyc makes C extensions of them that behave as the sources do, which stay beside them.
``make wheel-compiled`` builds such a wheel and tries it. The pages of ``docs`` go into what is built, so that
``pyshardy docs`` finds them there; an editable installation finds them where they are.
"""

from __future__ import annotations

import os
import sys
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory

from setuptools import Extension, setup
from setuptools.command.build_py import build_py

_ROOT = Path(__file__).parent
_SOURCE = Path("src", "pyshardy")
_MYPY = "mypy>=2.4,<3"


def compiled_modules() -> list[str]:
    """The files that are compiled, as paths from the root of the project.

    Raises:
        ValueError: a row of the table fits no file.
    """
    table = tomllib.loads((_ROOT / "pyproject.toml").read_text())["tool"]["pyshardy"]["compile"]
    chosen, left_out = (_files(table[row]) for row in ("modules", "except"))
    return sorted(chosen - left_out)


def _files(rows: list[str]) -> set[str]:
    found = {row: {str(path.relative_to(_ROOT)) for path in (_ROOT / _SOURCE).glob(row)} for row in rows}
    missing = [row for row, paths in found.items() if not paths]
    if missing:
        raise ValueError(f"[tool.pyshardy.compile] names what is not there: {', '.join(missing)}")
    return {path for paths in found.values() for path in paths if not path.endswith("__init__.py")}


def extensions(scratch: str) -> list[Extension]:
    """What the C compiler is to make of them; the files of C are written into the directory ``scratch``."""
    from mypyc.build import mypycify

    # `make lint` checks types; here only what is compiled is looked at, without the packages that others import.
    flags = ["--config-file", "pyproject.toml", "--follow-imports", "silent", "--ignore-missing-imports"]
    return mypycify(
        [*flags, *compiled_modules()],
        opt_level="3",
        debug_level="0",
        # One file of C for all takes the compiler twice as long.
        multi_file=True,
        target_dir=scratch,
        group_name="pyshardy",
    )


class BuildWithDocs(build_py):
    """Builds the package with the pages of ``docs`` as its data."""

    def run(self) -> None:
        """Builds."""
        super().run()
        if not self.editable_mode:
            for source, target in self._pages().items():
                self.mkpath(str(Path(target).parent))
                self.copy_file(source, target)

    def _pages(self) -> dict[str, str]:
        """Where each page is, and where it goes."""
        docs, target = _ROOT / "docs", Path(self.build_lib, "pyshardy", "docs")
        return {str(path): str(target / path.relative_to(docs)) for path in sorted(docs.rglob("*.md"))}

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        """The files that are built."""
        pages = [] if self.editable_mode else list(self._pages().values())
        return [*super().get_outputs(include_bytecode), *pages]


def main() -> None:
    """What pip runs."""
    commands = {"build_py": BuildWithDocs}
    if os.environ.get("PYSHARDY_COMPILE") != "1":
        setup(cmdclass=commands)
        return
    # Elsewhere than in build/, where modules that were compiled once would get into every wheel after.
    with TemporaryDirectory() as scratch:
        # pip runs this file to ask what building needs, too, before mypy is there.
        made = extensions(scratch) if "bdist_wheel" in sys.argv else []
        setup(cmdclass=commands, ext_modules=made, setup_requires=[_MYPY], options={"build": {"build_base": scratch}})


if __name__ == "__main__":
    main()
