"""Elements attributes: every literal form, the errors of each, and the values behind them."""

from pathlib import Path

import pytest

from pyshardy.ir.attribute import Attribute
from pyshardy.ir.context import Context
from pyshardy.ir.elements import DenseElementsAttr, DenseResourceAttr, StringElementsAttr
from pyshardy.ir.parsing import element_lists
from pyshardy.ir.parsing.attribute_parser import AttributeParser
from pyshardy.ir.source_text import SourceText
from pyshardy.ir.types import F32, I1, I8, I32, I64, ComplexType, FloatType, IndexType, IntegerType, TensorType
from tests.ir.tables import Case, cases, check_attribute

TABLES = Path(__file__).parents[1] / "tables"
BEFORE = "module attributes {foo.a = "


def read(text: str) -> Attribute:
    return AttributeParser(Context(SourceText(text), allow_unregistered=True)).attribute()


def dense(text: str) -> DenseElementsAttr:
    found = read(text)
    assert isinstance(found, DenseElementsAttr)
    return found


@pytest.mark.parametrize("case", cases(TABLES / "elements.txt"), ids=lambda case: case.written)
def test_a_literal_is_printed_or_rejected_as_in_mlir(case: Case) -> None:
    check_attribute(case)


def test_a_comment_may_stand_in_a_literal() -> None:
    assert str(dense("dense<[ // one\n 1, 2]> : tensor<2xi64>")) == "dense<[1, 2]> : tensor<2xi64>"


def test_elements_that_are_all_the_same_are_a_splat() -> None:
    assert dense("dense<[[7, 7], [7, 7]]> : tensor<2x2xi32>") is dense("dense<7> : tensor<2x2xi32>")
    assert dense("dense<[1.0, 1.0]> : tensor<2xf32>").is_splat
    assert not dense("dense<[0.0, -0.0]> : tensor<2xf32>").is_splat
    assert not dense("dense<[1.0, 2.0, 1.0]> : tensor<3xf32>").is_splat


def test_small_payloads_are_interned_and_large_ones_compare_by_their_bytes() -> None:
    small = "dense<[1, 2]> : tensor<2xi32>"
    assert dense(small) is dense(small)
    large = f"dense<{list(range(1000))}> : tensor<1000xi32>"
    assert dense(large) is not dense(large)
    assert dense(large) == dense(large)
    assert hash(dense(large)) == hash(dense(large))
    assert dense(large) != dense(large.replace("[0, 1", "[1, 0"))


def test_more_than_a_hundred_elements_are_printed_in_hexadecimal() -> None:
    numbers = list(range(100))
    assert str(dense(f"dense<{numbers}> : tensor<100xi8>")) == f"dense<{numbers}> : tensor<100xi8>"
    numbers = list(range(101))
    text = str(dense(f"dense<{numbers}> : tensor<101xi8>"))
    assert text == f'dense<"0x{bytes(numbers).hex().upper()}"> : tensor<101xi8>'
    assert dense(text) == dense(f"dense<{numbers}> : tensor<101xi8>")


@pytest.mark.parametrize(
    ("text", "integers"),
    [
        ("dense<[255, -128]> : tensor<2xi8>", [-1, -128]),
        ("dense<[255, 1]> : tensor<2xui8>", [255, 1]),
        ("dense<[true, false]> : tensor<2xi1>", [1, 0]),
        ("dense<[7, -8]> : tensor<2xi4>", [7, -8]),
        ("dense<[65535, 65536]> : tensor<2xi17>", [65535, -65536]),
        ("dense<-3> : tensor<3xindex>", [-3, -3, -3]),
        ("dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>", [1, 2, 3, 4]),
        ("dense<> : tensor<0xi64>", []),
    ],
)
def test_integers_are_as_printed(text: str, integers: list[int]) -> None:
    assert dense(text).integers() == integers


def test_only_integers_are_integers() -> None:
    with pytest.raises(TypeError):
        dense("dense<1.0> : tensor<2xf32>").integers()


def test_numbers_are_python_numbers() -> None:
    assert dense("dense<[1.5, -2.0]> : tensor<2xbf16>").numbers() == [1.5, -2.0]
    assert dense("dense<[(1.0,2.0), (0.5,-1.0)]> : tensor<2xcomplex<f32>>").numbers() == [1 + 2j, 0.5 - 1j]
    assert dense("dense<3> : tensor<2xui8>").numbers() == [3, 3]


def test_a_splat_has_a_value_and_others_have_none() -> None:
    assert dense("dense<-1> : tensor<4xi32>").splat_value == -1
    assert dense("dense<0.5> : tensor<4xf16>").splat_value == 0.5
    assert dense("dense<(1.0,2.0)> : tensor<complex<f64>>").splat_value == 1 + 2j
    assert dense("dense<[1, 2]> : tensor<2xi32>").splat_value is None


def test_bytes_are_little_endian_in_whole_bytes_and_those_of_a_splat_stand_once() -> None:
    assert dense("dense<[1, -2]> : tensor<2xi32>").data.hex() == "01000000feffffff"
    assert dense("dense<1> : tensor<2xi16>").data.hex() == "0100"
    assert dense("dense<[true, false]> : tensor<2xi1>").data.hex() == "0100"
    assert dense("dense<[1, -1]> : tensor<2xi17>").data.hex() == "010000ffff01"


def test_attributes_are_made_from_numbers() -> None:
    assert str(DenseElementsAttr.of(TensorType([2, 1], I64), [1, -1])) == "dense<[[1], [-1]]> : tensor<2x1xi64>"
    assert str(DenseElementsAttr.of(TensorType([2], I1), [1, 0])) == "dense<[true, false]> : tensor<2xi1>"
    assert str(DenseElementsAttr.of(TensorType([2], F32), [0x3F800000, 0])) == (
        "dense<[1.000000e+00, 0.000000e+00]> : tensor<2xf32>"
    )
    assert str(DenseElementsAttr.splat_of(TensorType([8], FloatType("bf16")), 0.5)) == (
        "dense<5.000000e-01> : tensor<8xbf16>"
    )
    assert str(DenseElementsAttr.splat_of(TensorType([8], IntegerType(8, "u")), 200)) == "dense<200> : tensor<8xui8>"
    assert str(DenseElementsAttr.splat_of(TensorType([], IndexType()), -1)) == "dense<-1> : tensor<index>"
    assert str(DenseElementsAttr.splat_of(TensorType([2], ComplexType(F32)), 2)) == (
        "dense<(2.000000e+00,0.000000e+00)> : tensor<2xcomplex<f32>>"
    )


def test_a_payload_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="8 bytes are not the elements of tensor<3xi32>"):
        DenseElementsAttr(TensorType([3], I32), bytes(8))


def test_a_literal_may_be_written_out_although_it_is_a_splat() -> None:
    assert dense("dense<0> : tensor<2x2xi64>").literal(listed=True) == "[[0, 0], [0, 0]]"


def test_string_elements_and_resources_keep_what_is_written() -> None:
    strings = read('dense<["a", "b"]> : tensor<2x!foo.bar>')
    assert isinstance(strings, StringElementsAttr)
    assert strings.strings == ("a", "b")
    resource = read("dense_resource<weights> : tensor<4xf32>")
    assert isinstance(resource, DenseResourceAttr)
    assert resource.key == "weights"


def test_a_splat_costs_nothing_whatever_its_shape() -> None:
    huge = dense("dense<0> : tensor<1000000000x1000000000xi32>")
    assert len(huge.data) == 4
    assert str(huge) == "dense<0> : tensor<1000000000x1000000000xi32>"


def test_brackets_nest_as_deep_as_anyone_likes() -> None:
    depth = 20_000
    text = f"dense<{'[' * depth}1{']' * depth}> : tensor<{'1x' * depth}i8>"
    assert dense(text).integers() == [1]


def test_a_payload_of_megabytes_is_read_in_bulk(monkeypatch: pytest.MonkeyPatch) -> None:
    count = 200_000
    with monkeypatch.context() as patched:
        patched.delattr(element_lists, "parse_literal")
        with pytest.raises(ImportError):
            dense("dense<[1, // by tokens\n 2]> : tensor<2xi8>")
        listed = dense(f"dense<[{', '.join(str(number % 100) for number in range(count))}]> : tensor<{count}xi8>")
    hexadecimal = dense(f'dense<"0x{listed.data.hex()}"> : tensor<{count}xi8>')
    assert listed == hexadecimal


def test_bulk_reading_and_reading_token_by_token_agree() -> None:
    # A comment in the literal sends it to the slow way.
    for literal, type in [
        ("[[1, -2], [3, 4]]", "tensor<2x2xi16>"),
        ("[-1.5, 2.0e3, 3.]", "tensor<3xf32>"),
        ("[0.1, 0.2]", "tensor<2xf8E5M2>"),
        ("[(1.0, 2.0), (3.0, 4.0)]", "tensor<2xcomplex<f64>>"),
        ("[true, false, true]", "tensor<3xi1>"),
        ("[4294967295, 0]", "tensor<2xi32>"),
        ("0xFF800000", "tensor<4xf32>"),
        ("0x7fC0", "tensor<bf16>"),
        ("0x0000", "tensor<1xf16>"),
    ]:
        assert dense(f"dense<{literal}> : {type}") is dense(f"dense<{literal} // slow\n> : {type}")


def test_interned_tables_tell_types_apart() -> None:
    assert DenseElementsAttr.of(TensorType([1], I8), [1]) is not DenseElementsAttr.of(TensorType([1], I1), [1])
