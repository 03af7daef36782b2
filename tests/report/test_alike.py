"""Rows that differ in an index alone are one row."""

from pyshardy.report.alike import alike


def grouped(*names: str) -> list[str]:
    return [f"{one.name} {one.times}".strip() for one in alike(names, str, lambda _: 0)]


def test_indices_that_differ_become_stars_and_others_stay() -> None:
    assert grouped("p[0]['layers'][0]['w']", "p[0]['layers'][1]['w']") == ["p[0]['layers'][*]['w'] ×2"]


def test_numbers_at_the_end_of_keys_are_indices() -> None:
    assert grouped("p['layers_0']['k']", "p['layers_11']['k']", "p['h.3.k']", "p['h.4.k']") == [
        "p['layers_*']['k'] ×2",
        "p['h.*.k'] ×2",
    ]


def test_numbers_that_are_part_of_a_name_are_none() -> None:
    assert grouped("p['w1']", "p['w2']", "%arg0", "%arg1", "result 0", "result 1") == [
        "p['w1']",
        "p['w2']",
        "%arg0",
        "%arg1",
        "result 0",
        "result 1",
    ]


def test_rows_that_differ_otherwise_stay_apart() -> None:
    rows = [("w[0]", "f32"), ("w[1]", "bf16"), ("w[2]", "f32")]
    found = alike(rows, lambda row: row[0], lambda row: row[1])
    assert [(one.name, [row[0] for row in one.rows]) for one in found] == [
        ("w[*]", ["w[0]", "w[2]"]),
        ("w[1]", ["w[1]"]),
    ]


def test_the_largest_come_first_and_everything_is_each_row_in_its_order() -> None:
    rows = [("w[0]", 1), ("b", 5), ("w[1]", 7)]
    name, otherwise, size = (lambda row: row[0]), (lambda _: 0), (lambda row: row[1])
    assert [one.name for one in alike(rows, name, otherwise)] == ["w[*]", "b"]
    assert [one.name for one in alike(reversed(rows), name, otherwise, size=size)] == ["w[*]", "b"]
    assert [one.name for one in alike(rows[:2], name, otherwise, size=size)] == ["b", "w[0]"]
    assert [one.name for one in alike(rows, name, otherwise, size=size, everything=True)] == ["w[0]", "b", "w[1]"]


def test_a_name_that_has_a_star_itself_is_alike_to_none_with_an_index() -> None:
    found = alike(["w[0]", "w[*]", "w[2]", "w[*]"], str, len)
    assert [(one.name, one.times) for one in found] == [("w[*]", "×2"), ("w[*]", "×2")]
