"""Builds a wheel with the hot modules compiled, and tries it: ``python -m tests.installation.compiled_wheel``.

``make wheel-compiled`` runs it. The wheel lands in ``dist``; it is unpacked into ``build/compiled``, tests run on
it there, and its results are held to those of the sources (``results``), byte for byte. Exits with status 1 if a test
fails or a result differs.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
UNPACKED = ROOT / "build" / "compiled"
_ROOMS = (
    "analysis",
    "checking",
    "cli",
    "emitting",
    "folding",
    "ir",
    "partitioning",
    "passes",
    "propagation",
    "reading",
    "report",
    "resharding",
    "rules",
    "searching",
    "sharding",
)


def build() -> Path:
    """The compiled wheel, built from the sources as they are."""
    out = ROOT / "build" / "wheel"
    shutil.rmtree(out, ignore_errors=True)
    _pip("wheel", "--no-deps", "--wheel-dir", str(out), str(ROOT), PYSHARDY_COMPILE="1")
    (built,) = out.glob("*.whl")
    (ROOT / "dist").mkdir(exist_ok=True)
    return Path(shutil.copy(built, ROOT / "dist"))


def unpack(wheel: Path) -> None:
    """Installs ``wheel`` into a directory of its own; what it depends on is that of this environment."""
    shutil.rmtree(UNPACKED, ignore_errors=True)
    _pip("install", "--no-deps", "--target", str(UNPACKED), str(wheel))


def differences(random_programs: int) -> list[str]:
    """The names of the programs of which the compiled installation makes something else than the sources."""
    compiled, pure = (_results(path, random_programs) for path in (UNPACKED, ROOT / "src"))
    if (compiled[0], pure[0]) != ("compiled", "pure Python"):
        raise ValueError(f"one installation is to be compiled and one not, they are {compiled[0]} and {pure[0]}")
    if len(compiled) != len(pure):
        raise ValueError("the two installations were not tried on the same programs")
    return [theirs for ours, theirs in zip(compiled, pure, strict=True) if ours != theirs][1:]


def _results(path: Path, random_programs: int) -> list[str]:
    arguments = [sys.executable, "-m", "tests.installation.results", str(random_programs)]
    done = subprocess.run(arguments, cwd=ROOT, env=_with(path), capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def _pip(*arguments: str, **environment: str) -> None:
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments]
    subprocess.run(command, cwd=ROOT, env={**os.environ, **environment}, check=True)


def _with(path: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(path)}


def main() -> int:
    """Builds, tests and compares; returns the exit status."""
    begun = time.perf_counter()
    wheel = build()
    megabytes, seconds = wheel.stat().st_size / 1e6, time.perf_counter() - begun
    print(f"{wheel.relative_to(ROOT)}: {megabytes:.1f} MB, built in {seconds:.0f} s", flush=True)
    unpack(wheel)
    tests = [sys.executable, "-m", "pytest", "-m", "not slow", *[f"tests/{room}" for room in _ROOMS]]
    tested = subprocess.run(tests, cwd=ROOT, env=_with(UNPACKED)).returncode
    found = differences(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
    print("\n".join([f"another result than the sources': {name}" for name in found]) or "the results are the sources'")
    return 1 if tested or found else 0


if __name__ == "__main__":
    sys.exit(main())
