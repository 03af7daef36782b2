"""Texts and figures in the data of a page: each text once, referred to by its number; figures with four digits."""

from __future__ import annotations


class Texts:
    """Texts by number, each once; -1 is the empty one."""

    def __init__(self) -> None:
        self.listed: list[str] = []
        self._numbers: dict[str, int] = {"": -1}

    def number(self, text: str) -> int:
        """The number of ``text``."""
        found = self._numbers.get(text)
        if found is None:
            found = self._numbers[text] = len(self.listed)
            self.listed.append(text)
        return found


def plain_type(type: str) -> str:
    """The type of a tensor without ``tensor<>``."""
    return type.removeprefix("tensor<").removesuffix(">") if type.startswith("tensor<") else type


def rounded(seconds: float) -> float:
    """The figure, rounded to four digits."""
    return float(f"{seconds:.4g}")
