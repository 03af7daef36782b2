"""What commands print with ``--json`` is what docs/json.md says: every key, of every command, in its version."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from pyshardy.cli import main
from pyshardy.cli.json_output import VERSIONS
from tests.docs.json_notation import PAGE, schema

ROOT = PAGE.parents[1]
CONFLICT = """
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>} loc("a"),
                %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.add %a, %b : tensor<8x8xf32>
  %1 = stablehlo.dot %0, %b : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
"""
COMMANDS = {
    "PROPAGATE": ["propagate F", "propagate F --reshards", "propagate F --collectives"],
    "PARTITION": ["partition F", "partition M", "partition examples/scan_layers.mlir"],
    "CHECK": ["check F"],
    "EXPLAIN": ["explain F %1", "explain F all_gather:0", "explain M 'params[*'"],
    "CONFLICTS": ["conflicts F", "conflicts F --hardware v5e"],
    "COST": ["cost F --hardware v5e", f"cost M --hardware v5e {'--shardings S:fsdp --shardings S:megatron'}"],
    "SEARCH": ["search F --hardware v5ex4 --seconds 1 --explain --check"],
    "COMPARE": ["compare M S:fsdp S:megatron"],
    "SHARDINGS": ["shardings F"],
    "SHOW": ["show F %1", "show F all_gather:0"],
    "DIAGNOSTICS": ["propagate nothing.mlir", "partition W"],
}


def printed(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    """The objects that a command prints; F and W are small programs, M and S a larger one and its shardings."""
    (tmp_path / "f.mlir").write_text(CONFLICT)
    (tmp_path / "w.mlir").write_text(CONFLICT.replace('"x"=2', '"z"=2'))
    names = {"F": tmp_path / "f.mlir", "W": tmp_path / "w.mlir", "M": ROOT / "examples" / "mlp.mlir"}
    words = [
        str(names.get(word, word)).replace("S:", f"{ROOT}/examples/mlp_shardings.toml:")
        for word in shlex.split(command)
    ]
    words = [str(ROOT / word) if word.startswith("examples/") else word for word in words]
    main.run([*words, "--json"])
    found = json.loads(capsys.readouterr().out)
    return found if isinstance(found, list) else [found]


@pytest.mark.parametrize("name", COMMANDS)
def test_what_a_command_prints_is_what_the_page_says(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = schema(PAGE.read_text(), name)
    for command in COMMANDS[name]:
        found = printed(command, tmp_path, capsys)
        assert found, command
        for one in found:
            assert next(iter(one)) == "schema"
            jsonschema.Draft202012Validator(wanted).validate(one)


def test_the_page_has_every_schema_in_its_version() -> None:
    page = PAGE.read_text()
    assert {f'"pyshardy.{kind}/{version}"' for kind, version in VERSIONS.items()} == {
        word.rstrip(",}") for word in page.split() if word.startswith('"pyshardy.')
    }


def test_a_key_that_the_page_does_not_name_is_seen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = PAGE.read_text().replace('"chosen_by": str,', "")
    (found,) = printed("partition F", tmp_path, capsys)
    with pytest.raises(jsonschema.ValidationError, match="chosen_by"):
        jsonschema.Draft202012Validator(schema(page, "PARTITION")).validate(found)
