"""Builds the sdist and the pure wheel, and tries them: ``python -m tests.installation.distributions``.

``make dist`` runs it. Both land in ``dist``. The wheel is made of the sdist alone, and installed into an environment
with nothing else, where the commands of the demo run outside of the sources.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import venv
from pathlib import Path
from tempfile import TemporaryDirectory

from pyshardy import __version__

ROOT = Path(__file__).parents[2]
_EXAMPLE = f"pyshardy-{__version__}/examples/transformer_megatron.mlir"
_WANTED = ("mkdocs.yml", "docs/tutorial/index.md", "website/hooks.py", "tests/conftest.py", "src/pyshardy/py.typed")
_COMMANDS = (
    ("--version",),
    ("propagate", "step.mlir", "-o", "sharded.mlir"),
    ("partition", "step.mlir", "-o", "local.mlir"),
    ("check", "step.mlir"),
    ("docs", "limits"),
)


def build(out: Path) -> tuple[Path, Path]:
    """The sdist and the wheel that was made of it."""
    subprocess.run([sys.executable, "-m", "build", "--outdir", str(out), str(ROOT)], check=True)
    return out / f"pyshardy-{__version__}.tar.gz", out / f"pyshardy-{__version__}-py3-none-any.whl"


def missing(sdist: Path) -> list[str]:
    """Files that the sdist ought to have and has not."""
    with tarfile.open(sdist) as archive:
        names = set(archive.getnames())
    return [name for name in _WANTED if f"pyshardy-{__version__}/{name}" not in names]


def try_out(wheel: Path, sdist: Path, place: Path) -> None:
    """Installs the wheel into an environment of its own in ``place`` and runs the commands there."""
    venv.create(place / "venv", with_pip=True)
    programs = place / "venv" / ("Scripts" if os.name == "nt" else "bin")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    pip = [str(programs / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, str(wheel)], check=True, env=environment)
    with tarfile.open(sdist) as archive:
        example = archive.extractfile(_EXAMPLE)
        assert example is not None
        (place / "step.mlir").write_bytes(example.read())
    for arguments in _COMMANDS:
        subprocess.run([str(programs / "pyshardy"), *arguments], check=True, env=environment, cwd=place)


def main() -> int:
    """Builds and tries; the exit status."""
    sdist, wheel = build(ROOT / "dist")
    lacking = missing(sdist)
    if lacking:
        print(f"{sdist.name} lacks {', '.join(lacking)}")
        return 1
    with TemporaryDirectory() as place:
        try_out(wheel, sdist, Path(place))
    print(f"{sdist.name} and {wheel.name} work where nothing else is installed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
