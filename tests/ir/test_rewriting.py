"""Every primitive of rewriting keeps MLIR's order of uses, which propagation's results depend on."""

import pytest

from pyshardy.ir import rewriting
from pyshardy.ir.operation import Block, Operation, Region, Value
from pyshardy.ir.types import F32, TensorType

T = TensorType((8,), F32)


def make(name: str, *operands: Value, results: int = 1, regions: tuple[Region, ...] = ()) -> Operation:
    return rewriting.create(f"test.{name}", operands, [T] * results, regions=regions)


def users(value: Value) -> list[str]:
    return [f"{op.name[5:]}:{index}" for op, index in value.uses]


@pytest.fixture
def block() -> Block:
    return Block([T, T])


def test_a_new_use_comes_first(block: Block) -> None:
    x = block.arguments[0]
    make("a", x)
    make("b", x, x)
    assert users(x) == ["b:1", "b:0", "a:0"]


def test_replacing_all_uses_reverses_them_in_front_of_those_already_there(block: Block) -> None:
    x, y = block.arguments
    make("a", x)
    make("b", x)
    make("c", y)
    rewriting.replace_all_uses(x, y)
    assert users(x) == []
    assert users(y) == ["a:0", "b:0", "c:0"]


def test_replacing_some_uses_keeps_the_order_of_the_rest(block: Block) -> None:
    x, y = block.arguments
    first, second, third = make("a", x), make("b", x), make("c", x)
    rewriting.replace_all_uses_except(x, y, second)
    assert users(x) == ["b:0"]
    assert users(y) == ["a:0", "c:0"]
    assert first.operands == [y] and second.operands == [x] and third.operands == [y]


def test_setting_an_operand_makes_the_newest_use(block: Block) -> None:
    x, y = block.arguments
    op = make("a", x)
    make("b", y)
    rewriting.set_operand(op, 0, y)
    assert users(x) == []
    assert users(y) == ["a:0", "b:0"]


def test_erasing_leaves_the_order_of_the_other_uses(block: Block) -> None:
    x = block.arguments[0]
    ops = [make(name, x) for name in "abc"]
    for op in ops:
        rewriting.append(block, op)
    rewriting.erase(ops[1])
    assert users(x) == ["c:0", "a:0"]
    assert list(block) == [ops[0], ops[2]]


def test_an_operation_whose_result_is_used_cannot_be_erased(block: Block) -> None:
    op = make("a")
    make("b", op.result)
    with pytest.raises(ValueError, match="still used"):
        rewriting.erase(op)


def test_cloning_makes_the_uses_of_an_operation_before_those_in_its_regions(block: Block) -> None:
    x = block.arguments[0]
    inner = Block()
    rewriting.append(inner, make("inner", x))
    outer = make("outer", x, regions=(Region([inner]),))
    copy = rewriting.clone(outer)
    nested = next(iter(copy.regions[0].blocks[0]))
    assert [(op, index) for op, index in x.uses][:2] == [(nested, 0), (copy, 0)]


def test_cloning_keeps_order_around_nested_regions_and_maps_values(block: Block) -> None:
    x = block.arguments[0]
    body = Block([T])
    first = make("first", body.arguments[0])
    deep = Block()
    rewriting.append(deep, make("deep", first.result))
    middle = make("middle", regions=(Region([deep]),))
    last = make("last", first.result)
    for op in (first, middle, last):
        rewriting.append(body, op)
    copy = rewriting.clone(make("outer", x, regions=(Region([body]),)))
    names = [op.name for op in copy.walk()]
    assert names == ["test.outer", "test.first", "test.middle", "test.deep", "test.last"]
    new_body = copy.regions[0].blocks[0]
    new_first = next(iter(new_body))
    assert new_first.operands == [new_body.arguments[0]]
    assert users(new_first.result) == ["last:0", "deep:0"]
    assert users(first.result) == ["last:0", "deep:0"]


def test_order_numbers_follow_insertions(block: Block) -> None:
    a, b, c = make("a"), make("b"), make("c")
    rewriting.append(block, a)
    rewriting.append(block, c)
    rewriting.insert_before(c, b)
    assert a.is_before(b) and b.is_before(c) and not c.is_before(a)
    rewriting.move_to_end(a, block)
    assert [op.name for op in block] == ["test.b", "test.c", "test.a"]
    assert c.is_before(a)


def test_inserting_after_the_definition_of_an_argument_means_the_start_of_the_block(block: Block) -> None:
    op, early = make("a"), make("early")
    rewriting.append(block, op)
    rewriting.insert_after_definition(block.arguments[0], early)
    assert list(block) == [early, op]
    late = make("late")
    rewriting.insert_after_definition(op.result, late)
    assert list(block) == [early, op, late]


def test_a_walk_survives_erasing_the_visited_operation(block: Block) -> None:
    for name in "abc":
        rewriting.append(block, make(name))
    slot = make("slot", regions=(Region([block]),))
    for op in slot.walk():
        if op.name == "test.b":
            rewriting.erase(op)
    assert [op.name for op in slot.walk()] == ["test.slot", "test.a", "test.c"]
