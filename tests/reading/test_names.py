"""The names that people gave to arguments and results."""

from pyshardy import parse
from pyshardy.dialects.main_function import find_main_function
from pyshardy.reading.names import BoundaryNames, boundary_names


def names_of(signature: str) -> BoundaryNames:
    main = find_main_function(parse(f"func.func @main{signature}").op)
    assert main is not None
    return boundary_names(main)


T = "tensor<4xf32>"


def test_arguments_are_named_by_their_locations_and_results_by_jax() -> None:
    found = names_of(
        f"""(%a: {T} loc("params['a.b'][\\22w'q\\22]"), %b: {T} loc("rest[0][0]"))
        -> ({T} {{jax.result_info = "result[0].params['w']"}}) {{ return %a : {T} }}"""
    )
    assert found == BoundaryNames(("params['a.b'][\"w'q\"]", "rest[0][0]"), ("result[0].params['w']",))


def test_what_has_no_name_goes_by_its_number() -> None:
    found = names_of(f"(%a: {T}, %b: {T} loc(unknown)) -> ({T}, {T}) {{ return %a, %b : {T}, {T} }}")
    assert found == BoundaryNames(("%arg0", "%arg1"), ("result 0", "result 1"))


def test_a_name_that_two_arguments_share_is_none() -> None:
    found = names_of(f'(%a: {T} loc("x"), %b: {T} loc("x"), %c: {T} loc("y")) -> {T} {{ return %a : {T} }}')
    assert found.arguments == ("%arg0", "%arg1", "y")


def test_an_attribute_names_an_argument_without_a_location() -> None:
    found = names_of(f"(%a: {T} {{jax.arg_info = \"x['w']\"}}) -> {T} {{ return %a : {T} }}")
    assert found.arguments == ("x['w']",)


def test_a_position_in_a_file_is_no_name() -> None:
    assert names_of(f'(%a: {T} loc("m.py":3:1)) -> {T} {{ return %a : {T} }}').arguments == ("%arg0",)


def test_a_declaration_has_names_for_all_it_declares() -> None:
    assert names_of(f"(%a: {T}) -> {T} {{ return %a : {T} }}").results == ("result 0",)
    main = find_main_function(parse(f"func.func private @main({T}) -> {T}").op)
    assert main is not None
    assert boundary_names(main) == BoundaryNames(("%arg0",), ("result 0",))
