"""What becomes of a program in the form that JAX and XLA exchange, place by place; and what is refused."""

from __future__ import annotations

import pytest

import pyshardy
from pyshardy.ir.attribute import quoted

X = "tensor<8x4xf32>"
MESHES = r'mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\"a\"=2, \"b\"=2]>}"}'


def frontend(**strings: str) -> str:
    """``mhlo.frontend_attributes`` with these strings."""
    listed = ", ".join(f"xla.sdy.{name} = {quoted(text)}" for name, text in strings.items())
    return f"mhlo.frontend_attributes = {{{listed}}}"


def sharding(dims: str, mesh: str = "mesh") -> str:
    return frontend(sharding=f"#sdy.sharding<@{mesh}, [{dims}]>")


def per_value(dims: str, mesh: str = "mesh") -> str:
    return frontend(sharding=f"#sdy.sharding_per_value<[<@{mesh}, [{dims}]>]>")


def read(*lines: str, x: str = "", attributes: str = MESHES, returned: str = "%x", more: str = "") -> pyshardy.Module:
    body = "\n".join(lines)
    argument = f"%x: {X} {{{x}}}" if x else f"%x: {X}"
    return pyshardy.parse(
        f"module attributes {{{attributes}}} {{ {more} func.func @main({argument}) -> {X} {{\n{body}\n"
        f"return {returned} : {X} }} }}"
    )


def lines_of(module: pyshardy.Module) -> list[str]:
    return [line.strip() for line in str(module).splitlines()]


def refusal(*lines: str, **function: str) -> str:
    with pytest.raises(pyshardy.PyshardyError) as error:
        read(*lines, **function)
    assert len(error.value.diagnostics) == 1
    return error.value.diagnostics[0].message


# --- meshes and strings -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("quote", [r"\"", r"\22", r"\\\22", r"\\\""])
def test_quotes_in_strings_are_escaped_in_any_way(quote: str) -> None:
    meshes = f'mhlo.frontend_attributes = {{xla.sdy.meshes = "{{mesh = #sdy.mesh<[{quote}a{quote}=2]>}}"}}'
    text = f'"#sdy.sharding<@mesh, [{{{quote}a{quote}}}, {{}}]>"'
    found = lines_of(read(attributes=meshes, x=f"mhlo.frontend_attributes = {{xla.sdy.sharding = {text}}}"))
    assert 'sdy.mesh @mesh = <["a"=2]>' in found
    assert any('sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>' in line for line in found)


def test_equal_meshes_are_one_and_shardings_name_the_first() -> None:
    meshes = (
        r'mhlo.frontend_attributes = {xla.sdy.meshes = "{z = #sdy.mesh<[\"a\"=2]>, k = #sdy.mesh<[\"a\"=2]>, '
        r'm = #sdy.mesh<[], device_ids=[3]>}"}'
    )
    found = lines_of(read(attributes=meshes, x=sharding('{"a"}, {}', "z")))
    assert [line for line in found if line.startswith("sdy.mesh")] == [
        'sdy.mesh @k = <["a"=2]>',
        "sdy.mesh @m = <[], device_ids=[3]>",
    ]
    assert any("#sdy.sharding<@k," in line for line in found)


def test_meshes_of_the_first_programs_are_strings_in_the_string() -> None:
    meshes = r'mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = \22#sdy.mesh<\\22a\\22=2, \\22b\\22=4>\22}"}'
    assert 'sdy.mesh @mesh = <["a"=2, "b"=4]>' in lines_of(read(attributes=meshes))


def test_a_custom_call_of_another_dialect_is_refused() -> None:
    text = f"""module attributes {{{MESHES}}} {{ func.func @main(%x: {X}) -> {X} {{
        %0 = "mhlo.custom_call"(%x) {{call_target_name = "xla.sdy.FuncResultSharding"}} : ({X}) -> {X}
        return %0 : {X} }} }}"""
    with pytest.raises(pyshardy.PyshardyError, match=r"the custom call @xla\.sdy\.FuncResultSharding cannot be read"):
        pyshardy.parse(text, allow_unregistered=True)


def test_a_mesh_in_a_sharding_gets_a_name() -> None:
    inline = frontend(sharding='#sdy.sharding<mesh<["a"=2, "b"=2]>, [{"a"}, {}]>')
    assert any("#sdy.sharding<@mesh," in line for line in lines_of(read(x=inline)))
    found = lines_of(read(x=inline, attributes='mhlo.frontend_attributes = {xla.sdy.meshes = "{}"}'))
    assert 'sdy.mesh @mesh = <["a"=2, "b"=2]>' in found


def test_nothing_of_the_form_is_left_and_other_frontend_attributes_stay() -> None:
    x = r'mhlo.frontend_attributes = {kept = "y", xla.sdy.sharding = "#sdy.sharding<@mesh, [{\"a\"}, {}]>"}'
    text = str(read(x=x))
    assert "xla.sdy" not in text
    assert 'mhlo.frontend_attributes = {kept = "y"}' in text
    assert text.startswith("module {")


def test_the_note_says_what_was_read() -> None:
    module = read("%0 = stablehlo.tanh %x : " + X, x=sharding('{"a"}, {}'), returned="%0")
    assert module.notes == ["shardings in the form of XLA (xla.sdy.*) were read: 1 mesh, 1 argument"]


# --- shardings --------------------------------------------------------------------------------------------------------


def test_it_wins_over_the_shardings_of_gspmd() -> None:
    x = sharding('{}, {"b"}') + ', mhlo.sharding = "{devices=[4,1]<=[4]}"'
    module = read(f'%0 = stablehlo.tanh %x {{mhlo.sharding = "{{devices=[4,1]<=[4]}}"}} : {X}', x=x)
    assert "mhlo.sharding" not in str(module)
    assert '#sdy.sharding<@mesh, [{}, {"b"}]>' in str(module)
    assert module.notes[1] == "1 value has mhlo.sharding alone, which was left out, as XLA does"


def test_operations_keep_shardings_and_rules() -> None:
    both = frontend(
        sharding='#sdy.sharding_per_value<[<@mesh, [{"a"}, {?}]>]>',
        sharding_rule="#sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=4}, custom>",
    )
    text = str(read(f"%0 = stablehlo.tanh %x {{{both}}} : {X}"))
    assert '{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {?}]>]>, sdy.sharding_rule = #sdy' in text


def test_a_constraint_with_unspecified_dimensions_leaves_them_open() -> None:
    rows = per_value('{"a"}, {}')
    call = f'stablehlo.custom_call @Sharding(%x) {{backend_config = "unspecified_dims=[1]", {rows}}}'
    found = lines_of(read(f"%0 = {call} : ({X}) -> {X}", returned="%0"))
    assert f'%0 = sdy.sharding_constraint %arg0 <@mesh, [{{"a"}}, {{?}}]> : {X}' in found


def test_shardings_of_results_are_taken_from_the_calls_in_front_of_the_return() -> None:
    calls = [
        f"%{name} = stablehlo.custom_call @xla.sdy.FuncResultSharding(%x) {{has_side_effect = true, "
        f"{per_value(dims)}}} : ({X}) -> {X}"
        for name, dims in (("0", '{"a"}, {}'), ("1", '{}, {"b"}p1'))
    ]
    text = "\n".join(calls)
    module = pyshardy.parse(
        f"module attributes {{{MESHES}}} {{ func.func @main(%x: {X}) -> ({X}, {X}) {{\n{text}\n"
        f"return %0, %1 : {X}, {X} }} }}"
    )
    assert (
        f'-> ({X} {{sdy.sharding = #sdy.sharding<@mesh, [{{"a"}}, {{}}]>}}, '
        f'{X} {{sdy.sharding = #sdy.sharding<@mesh, [{{}}, {{"b"}}p1]>}})'
    ) in str(module)
    assert "custom_call" not in str(module)


def test_groups_and_barriers_are_read() -> None:
    group = f"@xla.sdy.ShardingGroup(%x) {{has_side_effect = true, {frontend(sharding_group_id='21 : i64')}}} : ({X})"
    barrier = f"@xla.sdy.PropagationBarrier(%x) {{{frontend(allowed_direction='2 : i32')}}} : ({X}) -> {X}"
    found = lines_of(
        read(
            f"%g = stablehlo.custom_call {group} -> tuple<>",
            f"stablehlo.custom_call {group} -> ()",
            f"%b = stablehlo.custom_call {barrier}",
            returned="%b",
        )
    )
    assert found.count(f"sdy.sharding_group %arg0 group_id=21 : {X}") == 2
    assert f"%0 = sdy.propagation_barrier %arg0 allowed_direction=BACKWARD : {X}" in found


def test_arguments_that_were_a_tuple_get_the_shardings_of_its_members() -> None:
    attributes = (
        r'mhlo.frontend_attributes = {xla.sdy.tuple_args_shardings = "#sdy.sharding_per_value<[<mesh<[\"a\"=2]>, '
        r'[{\"a\"}, {}]>]>", xla.sdy.tuple_results_shardings = "#sdy.sharding_per_value<[<mesh<[\"a\"=2]>, '
        r'[{}, {\"a\"}]>]>", xla.sdy.use_tuple_args = "t"}'
    )
    text = str(read(attributes=attributes))
    assert f'(%arg0: {X} {{sdy.sharding = #sdy.sharding<@mesh, [{{"a"}}, {{}}]>}})' in text
    assert f'-> ({X} {{sdy.sharding = #sdy.sharding<@mesh, [{{}}, {{"a"}}]>}})' in text


# --- manual computations ----------------------------------------------------------------------------------------------

BODY = "func.func private @p.xla.sdy.manual_computation_body.1(%s: tensor<4x4xf32>) -> tensor<4x4xf32> {{ {0} }}"
ADDS = BODY.format("%0 = stablehlo.add %s, %s : tensor<4x4xf32> return %0 : tensor<4x4xf32>")
AXES = '#sdy<manual_axes{"a"}>'
ROWS = '#sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>'
LOCAL = (
    f"%l = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%x) {{{frontend(in_shardings=ROWS, manual_axes=AXES)}}} "
    f": ({X}) -> tensor<4x4xf32>"
)
CALL = "%c = call @p.xla.sdy.manual_computation_body.1(%l) : (tensor<4x4xf32>) -> tensor<4x4xf32>"
GLOBAL = (
    f"%g = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%c) {{{frontend(out_shardings=ROWS, manual_axes=AXES)}}} "
    f": (tensor<4x4xf32>) -> {X}"
)
MADE = (
    '%0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] '
    'manual_axes={"a"} (%arg1: tensor<4x4xf32>) {'
)


def test_calls_of_manual_bodies_become_manual_computations() -> None:
    found = lines_of(read(LOCAL, CALL, GLOBAL, returned="%g", more=ADDS))
    assert MADE in found
    assert "%1 = stablehlo.add %arg1, %arg1 : tensor<4x4xf32>" in found
    assert not any("manual_computation_body" in line for line in found)


def test_older_programs_have_all_on_the_call_and_programs_of_one_process_a_prefix() -> None:
    call = CALL.replace(") :", f") {{{frontend(in_shardings=ROWS, out_shardings=ROWS, manual_axes=AXES)}}} :", 1)
    bare = [line.replace("@xla", "@local_xla").split(" {")[0] for line in (LOCAL, GLOBAL)]
    found = lines_of(
        read(f"{bare[0]} : ({X}) -> tensor<4x4xf32>", call, f"{bare[1]} : (tensor<4x4xf32>) -> {X}", more=ADDS)
    )
    assert MADE in found


def test_a_body_may_be_called_twice_and_hold_another() -> None:
    inner = BODY.replace(".1(", ".2(").format("%0 = stablehlo.tanh %s : tensor<4x4xf32> return %0 : tensor<4x4xf32>")
    none = '#sdy.sharding_per_value<[<@mesh, [{"b"}, {}]>]>'
    empty = "#sdy<manual_axes{}>"
    outer = BODY.format(
        f"%l = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%s) {{{frontend(in_shardings=none, manual_axes=empty)}"
        "} : (tensor<4x4xf32>) -> tensor<4x4xf32> "
        "%c = call @p.xla.sdy.manual_computation_body.2(%l) : (tensor<4x4xf32>) -> tensor<4x4xf32> "
        "%g = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%c) "
        f"{{{frontend(out_shardings=none, manual_axes=empty)}}} : (tensor<4x4xf32>) -> tensor<4x4xf32> "
        "return %g : tensor<4x4xf32>"
    )
    second = [line.replace("%l", "%l2").replace("%c", "%c2").replace("%g", "%g2") for line in (LOCAL, CALL, GLOBAL)]
    text = str(read(LOCAL, CALL, GLOBAL, *second, returned="%g2", more=inner + outer))
    assert text.count("sdy.manual_computation(") == 4
    assert text.count("stablehlo.tanh") == 2
    assert "func.call" not in text


def test_results_in_a_tuple_are_taken_apart() -> None:
    local = LOCAL.replace("-> tensor<4x4xf32>", "-> tuple<tensor<4x4xf32>>")
    take = "%t = stablehlo.get_tuple_element %l[0] : (tuple<tensor<4x4xf32>>) -> tensor<4x4xf32>"
    found = lines_of(read(local, take, CALL.replace("(%l)", "(%t)"), GLOBAL, returned="%g", more=ADDS))
    assert MADE in found


def test_without_operands_or_results_the_other_call_has_the_axes() -> None:
    makes = BODY.replace("%s: tensor<4x4xf32>", "").format(
        "%0 = stablehlo.constant dense<1.0> : tensor<4x4xf32> return %0 : tensor<4x4xf32>"
    )
    call = "%c = call @p.xla.sdy.manual_computation_body.1() : () -> tensor<4x4xf32>"
    assert "sdy.manual_computation() in_shardings=[]" in str(read(call, GLOBAL, returned="%g", more=makes))
    takes = BODY.replace("-> tensor<4x4xf32> {{", "{{").format(
        "stablehlo.custom_call @see(%s) {has_side_effect = true} : (tensor<4x4xf32>) -> () return"
    )
    call = "call @p.xla.sdy.manual_computation_body.1(%l) : (tensor<4x4xf32>) -> ()"
    assert "out_shardings=[] manual_axes" in str(read(LOCAL, call, more=takes))


# --- what is refused --------------------------------------------------------------------------------------------------

WHERE = "@p.xla.sdy.manual_computation_body.1"
SEVEN = frontend(allowed_direction="7 : i32")
TANH = "%0 = stablehlo.tanh %x {{{0}}} : " + X


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([TANH.format(sharding('{"a"}'))], None),
        ([TANH.format(per_value('{"a"}, {}', "n"))], "xla.sdy.meshes has no mesh @n"),
        ([TANH.format(frontend(sharding="#sdy.sharding<@mesh, [{"))], "unbalanced '{' character"),
        ([TANH.format(frontend(sharding="#sdy<manual_axes{}>"))], "shardings (#sdy.sharding_per_value<[…]>) are"),
        ([TANH.format(frontend(sharding_rule="1 : i64"))], "a sharding rule (#sdy.op_sharding_rule<…>) is expected"),
        ([TANH.format(frontend(unheard_of="1"))], "attribute xla.sdy.unheard_of cannot be read: it is none that"),
        ([f"stablehlo.custom_call @xla.sdy.New(%x) {{has_side_effect = true}} : ({X}) -> ()"], "@xla.sdy.New cannot"),
        ([f"stablehlo.custom_call @xla.sdy.ShardingGroup(%x, %x) : ({X}, {X}) -> ()"], "it has one operand, and 2"),
        ([f"%0 = stablehlo.custom_call @xla.sdy.ShardingGroup(%x) : ({X}) -> {X}"], "it has no results, and here 1"),
        ([f"stablehlo.custom_call @xla.sdy.ShardingGroup(%x) : ({X}) -> ()"], "has no xla.sdy.sharding_group_id"),
        (
            [f"%0 = stablehlo.custom_call @xla.sdy.PropagationBarrier(%x) {{{SEVEN}}} : ({X}) -> {X}"],
            "a direction is 0 to 3, and xla.sdy.allowed_direction is 7",
        ),
        ([f"%0 = stablehlo.custom_call @xla.sdy.FuncResultSharding(%x) : ({X}) -> {X}"], "it has no xla.sdy.sharding"),
        ([f"%0 = stablehlo.custom_call @SPMDFullToShardShape(%x) : ({X}) -> {X}"], "it is GSPMD's"),
        (
            ["%l = stablehlo.constant dense<1.0> : tensor<4x4xf32>", CALL, GLOBAL],
            f"expected at least one operand of {WHERE} to be produced by a xla.sdy.GlobalToLocalShape CustomCallOp",
        ),
        (
            [LOCAL, CALL, "%g = stablehlo.tanh %c : tensor<4x4xf32>"],
            f"expected the first use of {WHERE} to be a xla.sdy.LocalToGlobalShape CustomCallOp",
        ),
        ([LOCAL, "%g = stablehlo.tanh %l : tensor<4x4xf32>"], "it belongs to no call of a function @xla.sdy.manual"),
        ([LOCAL.split(" {")[0] + f" : ({X}) -> tensor<4x4xf32>", CALL], "nothing says along which axes"),
        ([LOCAL.replace("]>]>", "]>, <@mesh, []>]>"), CALL, GLOBAL], "lists 2 shardings of 1"),
        ([LOCAL, CALL, GLOBAL.replace("axes{", r"axes{\22b\22, ")], "manual along different axes"),
    ],
)
def test_what_is_half_understood_is_an_error_of_one_line(lines: list[str], message: str | None) -> None:
    found = refusal(*lines, more=ADDS)
    assert "\n" not in found
    assert message is None or message in found


def test_a_body_that_calls_itself_is_refused() -> None:
    body = BODY.format(
        "%c = call @p.xla.sdy.manual_computation_body.1(%s) : (tensor<4x4xf32>) -> tensor<4x4xf32> "
        "return %c : tensor<4x4xf32>"
    )
    assert "the manual body calls itself" in refusal(LOCAL, CALL, GLOBAL, returned="%g", more=body)


def test_a_program_of_shardy_with_the_name_of_a_cloned_function_is_not_in_the_form() -> None:
    text = (
        'sdy.mesh @mesh = <["a"=2]> func.func private @f() attributes {xla.sdy.original_func_name = "g"} '
        "func.func @main() { return }"
    )
    module = pyshardy.parse(text)
    assert module.notes == []
    assert "xla.sdy.original_func_name" in str(module)
