"""What a program is in the form that JAX and XLA exchange; and that it comes back."""

from __future__ import annotations

from dataclasses import replace

import pytest

import pyshardy
from tests.generator import Features, random_program
from tests.reading.exchange.round_trip import round_trip

X = "tensor<8x4xf32>"
MESH = 'sdy.mesh @mesh = <["a"=4, "b"=2]>\n'


def exported(body: str, arguments: str = f"%x: {X}", results: str = X, mesh: str = MESH) -> str:
    return str(pyshardy.parse(f"{mesh}func.func @main({arguments}) -> ({results}) {{\n{body} }}").to_xla())


@pytest.mark.parametrize("seed", range(7000, 7025))
def test_random_programs_come_back(seed: int) -> None:
    features = replace(Features(), propagation_barriers=0.3, sharding_groups=0.3, manual_computations=0.8)
    found = round_trip(random_program(seed, features))
    assert found is not None
    assert found[0] == found[1]


def test_arguments_have_strings_and_the_words_of_gspmd() -> None:
    text = exported("return %x : " + X, f'%x: {X} {{sdy.sharding = #sdy.sharding<@mesh, [{{"a"}}, {{?}}p1]>}}')
    assert r'xla.sdy.meshes = "{mesh = #sdy.mesh<[\22a\22=4, \22b\22=2]>}"' in text
    assert r'xla.sdy.sharding = "#sdy.sharding<@mesh, [{\22a\22}, {?}p1]>"' in text
    assert 'mhlo.sharding = "{devices=[4,1,2]<=[8] last_tile_dim_replicate}"' in text


def test_results_have_a_custom_call_each() -> None:
    rows, columns = (f"{X} {{sdy.sharding = #sdy.sharding<@mesh, [{dims}]>}}" for dims in ('{"a"}, {}', '{}, {"b"}'))
    text = exported(f"return %x, %x : {X}, {X}", results=f"{rows}, {columns}")
    assert text.count("custom_call @xla.sdy.FuncResultSharding(%arg0) {has_side_effect = true") == 2
    assert "return %0, %1" in text


def test_reshards_and_constraints_are_the_same_custom_call() -> None:
    text = exported(
        f'%0 = sdy.reshard %x <@mesh, [{{"b"}}, {{}}]> : {X}\n'
        f'%1 = sdy.sharding_constraint %0 <@mesh, [{{"b"}}, {{}}]> : {X}\nreturn %1 : {X}'
    )
    assert text.count("stablehlo.custom_call @Sharding(") == 2


def test_the_groups_of_a_collective_carry_their_mesh() -> None:
    text = exported(
        '%0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = '
        '#stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "b">]>}> : '
        f"({X}) -> tensor<16x4xf32>\nreturn %x : {X}"
    )
    assert '#stablehlo.mesh<axes=[<name = "a", size = 4>, <name = "b", size = 2>]>' in text


def test_what_the_form_cannot_say_is_refused() -> None:
    argument = f'%x: {X} {{sdy.sharding = #sdy.sharding<@mesh, [{{"a"}}, {{}}]>}}'
    with pytest.raises(
        pyshardy.PyshardyError, match=r"'sdy\.all_gather' is a collective of Shardy's, which the form of"
    ):
        exported(
            f'%0 = sdy.all_gather [{{"a"}}, {{}}] %x out_sharding=<@mesh, [{{}}, {{}}]> : {X}\nreturn %0 : {X}',
            argument,
        )


@pytest.mark.parametrize(
    ("mesh", "sharding", "words"),
    [
        ('<["a"=4, "b"=2]>', '[{}, {}]', "{replicated}"),
        ('<["a"=4, "b"=2]>', '[{"b"}, {"a"}]', "{devices=[2,4]<=[4,2]T(1,0)}"),
        ('<["a"=4, "b"=2]>', '[{"a":(1)2}, {"b"}]', "{devices=[2,2,2]<=[2,2,2]T(0,2,1) last_tile_dim_replicate}"),
        ('<["b"=2]>', '[{}, {}], unreduced={"b"}', "{devices=[1,1,2]<=[2] last_tile_dims={unreduced}}"),
        ('<["a"=2, "b"=2], device_ids=[3, 2, 1, 0]>', '[{"b"}, {"a"}]', "{devices=[2,2]3,1,2,0}"),
        ('<["o"=1, "a"=4]>', '[{"o", "a"}, {}]', "{devices=[4,1]<=[4]}"),
        ("<[], device_ids=[5]>", "[]", "{maximal device=5}"),
    ],
)  # fmt: skip
def test_gspmd_has_these_words(mesh: str, sharding: str, words: str) -> None:
    argument = f"%x: {X} {{sdy.sharding = #sdy.sharding<@mesh, {sharding}>}}"
    text = exported("return %x : " + X, argument, mesh=f"sdy.mesh @mesh = {mesh}\n")
    assert f'mhlo.sharding = "{words}"' in text
