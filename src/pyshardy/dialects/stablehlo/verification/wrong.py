"""The exception by which a rule says that an operation is wrong; ``verification`` makes diagnostics of it."""

from __future__ import annotations


class Wrong(Exception):
    """What is wrong with the operation at hand.

    ``named`` messages start with the operation's name, the others stand bare; ``inferring`` says that it came up while
    the result types were inferred, which MLIR adds in a second message.
    """

    def __init__(self, message: str, *, named: bool = False, inferring: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.named = named
        self.inferring = inferring
