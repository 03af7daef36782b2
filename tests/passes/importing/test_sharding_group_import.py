"""Groups that share a value become one; all are numbered and checked."""

from __future__ import annotations

import re

from tests.passes.running import body_after, first_error

IMPORT = "sdy-sharding-group-import"


def _program(*members: tuple[str, int]) -> str:
    groups = "\n".join(f"sdy.sharding_group %{value} group_id={number} : tensor<8xf32>" for value, number in members)
    arguments = ", ".join(f"%{value}: tensor<8xf32>" for value in "abcd")
    return f"func.func @main({arguments}) {{\n{groups}\nreturn\n}}"


def _groups(program: str, passes: str = IMPORT) -> list[tuple[str, int]]:
    found = re.findall(r"sharding_group %arg(\d) group_id=(-?\d+)", body_after(passes, program))
    return [("abcd"[int(value)], int(number)) for value, number in found]


def test_groups_of_one_value_become_one_and_the_others_keep_their_order() -> None:
    program = _program(("a", 5), ("c", 6), ("b", 9), ("d", 1), ("b", 5))
    assert _groups(program) == [("a", 1), ("c", 0), ("b", 1), ("d", 2)]


def test_merging_spreads_from_value_to_value() -> None:
    program = _program(("a", -1), ("b", -1), ("b", 2), ("c", 3), ("c", 2), ("d", 3))
    assert _groups(program) == [("a", 0), ("b", 0), ("c", 0), ("d", 0)]


def test_a_second_run_numbers_by_first_appearance() -> None:
    program = _program(("a", 5), ("c", 6), ("b", 9), ("d", 1), ("b", 5))
    assert _groups(program, f"{IMPORT},{IMPORT}") == [("a", 0), ("c", 1), ("b", 0), ("d", 2)]


def test_the_shapes_of_a_group_must_agree() -> None:
    program = _program(("a", 3)).replace("return", "sdy.sharding_group %e group_id=3 : tensor<4xi32>\nreturn")
    program = program.replace("@main(", "@main(%e: tensor<4xi32>, ")
    assert first_error(IMPORT, program) == "ShardingGroupOps values must have the same shape for groupId: 3"


def test_a_group_stays_on_one_side_of_a_manual_computation() -> None:
    program = """
        sdy.mesh @m = <["x"=2]>
        func.func @main(%a: tensor<8xf32>) {
          sdy.sharding_group %a group_id=3 : tensor<8xf32>
          sdy.manual_computation(%a) in_shardings=[<@m, [{}], replicated={"x"}>] out_shardings=[] manual_axes={"x"}
              (%b: tensor<8xf32>) {
            sdy.sharding_group %b group_id=3 : tensor<8xf32>
            sdy.return
          } : (tensor<8xf32>) -> ()
          return
        }
        """
    message = "ShardingGroupOps values cannot cross ManualComputationOp boundaries for groupId: 3"
    assert first_error(IMPORT, program) == message
