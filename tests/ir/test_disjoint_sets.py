"""Union-find."""

from pyshardy.ir.disjoint_sets import DisjointSets


def test_the_lowest_number_represents_all_that_are_joined() -> None:
    sets = DisjointSets()
    one, two, three, four = (sets.new() for _ in range(4))
    assert sets.join(four, three) == (three, four)
    assert sets.join(four, two) == (two, three)
    assert sets.join(three, four) == (two, two)
    assert [sets.find(each) for each in (one, two, three, four)] == [one, two, two, two]
    assert sets.roots == [one, two]
