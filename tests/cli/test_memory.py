"""The memory that a check may take: what is available, the limit while it runs, and what is said when it is reached."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pyshardy.cli.memory import available_memory, limited_memory

resource = pytest.importorskip("resource")

MEMINFO = "MemTotal:       100 kB\nMemAvailable:    40 kB\nHugePages_Total:       0\n"
PROGRAM = """
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<8192x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4096x8192xf32> {
  %0 = stablehlo.add %a, %a : tensor<8192x4096xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<8192x4096xf32>) -> tensor<4096x8192xf32>
  return %1 : tensor<4096x8192xf32>
}
"""
LIMITED = """
import resource, sys
from pyshardy.cli import main
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (1 << 29), resource.RLIM_INFINITY))
sys.exit(main.run(["check", sys.argv[1]]))
"""


def system(root: Path, meminfo: str, **group: str) -> Path:
    """A directory with the files of a system."""
    for path, text in (
        ("proc/meminfo", meminfo),
        *((f"sys/fs/cgroup/memory.{key}", one) for key, one in group.items()),
    ):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


@pytest.mark.parametrize(
    ("meminfo", "group", "kilobytes"),
    [
        (MEMINFO, {}, 40),
        (MEMINFO + "SwapFree:  5 kB\n", {}, 45),
        (MEMINFO, {"max": "max\n", "current": "7\n", "stat": "anon 7\n"}, 40),
        (MEMINFO, {"max": "30720\n", "current": "20480\n", "stat": "anon 1024\ninactive_file 2048\n"}, 12),
        (MEMINFO, {"max": "1024\n", "current": "20480\n", "stat": "anon 1\n"}, 0),
        ("MemTotal: 100 kB\n", {}, None),
        ("", {"max": "1024\n"}, None),
    ],
)
def test_available_memory(tmp_path: Path, meminfo: str, group: dict[str, str], kilobytes: int | None) -> None:
    expected = None if kilobytes is None else kilobytes << 10
    assert available_memory(system(tmp_path, meminfo, **group)) == expected


def test_a_system_that_says_nothing(tmp_path: Path) -> None:
    assert available_memory(tmp_path) is None


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not say how much memory is available")
def test_the_limit_lasts_as_long_as_the_run() -> None:
    before = resource.getrlimit(resource.RLIMIT_AS)
    with limited_memory():
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        assert soft != resource.RLIM_INFINITY and hard == before[1]
    assert resource.getrlimit(resource.RLIMIT_AS) == before


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit address space")
def test_a_check_without_enough_memory_says_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "large.mlir"
    path.write_text(PROGRAM)
    done = subprocess.run([sys.executable, "-c", LIMITED, str(path)], capture_output=True, text=True)
    assert done.returncode == 1
    assert "running the program takes more memory than there is; check the program with smaller shapes" in done.stderr
    assert "Traceback" not in done.stderr
