"""The sharding file among the examples, which the page of the documentation shows."""

from pathlib import Path

import pytest

from pyshardy import load, partition
from pyshardy.reading.sharding_files.strategies import strategies_in

ROOT = Path(__file__).parents[3]
FILE = ROOT / "examples" / "mlp_shardings.toml"


def test_the_page_shows_the_file() -> None:
    assert f"```toml\n{FILE.read_text()}```" in (ROOT / "docs" / "shardings.md").read_text()


@pytest.mark.parametrize("strategy", strategies_in(FILE))
def test_every_strategy_of_it_computes_the_same(strategy: str) -> None:
    module = load(ROOT / "examples" / "mlp.mlir")
    module.apply_shardings(FILE, strategy)
    assert partition(module).check().agrees
