"""What folding takes for granted of the partitioner: only a cluster looks at operations that stand behind another."""

from __future__ import annotations

from pathlib import Path

from pyshardy.folding import candidates
from pyshardy.partitioning import clusters

_PARTITIONING = Path(clusters.__file__).parent
_NEIGHBOURS = ("next_op", "prev_op", "previous_op")


def _looking(room: Path) -> set[str]:
    """The files of ``room`` that go from an operation to the one beside it."""
    return {
        path.relative_to(room).as_posix()
        for path in room.rglob("*.py")
        if any(name in path.read_text() for name in _NEIGHBOURS)
    }


def test_only_clusters_look_at_what_stands_behind_an_operation() -> None:
    assert _looking(_PARTITIONING) == {"clusters.py"}


def test_a_file_that_looks_is_seen(tmp_path: Path) -> None:
    (tmp_path / "near.py").write_text("following = op.next_op\n")
    assert _looking(tmp_path) == {"near.py"}


def test_layers_beside_the_splice_point_hold_a_whole_cluster() -> None:
    assert candidates._FARTHEST_LOOK > clusters.MAX_DISTANCE
