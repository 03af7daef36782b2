"""Tensors of the global program in the local program.

A ``Sharded`` is the local value of each device, with the global type and the ``Layout`` of the tensor, and with the
other versions of the tensor that there are.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Protocol

from pyshardy.emitting.layout import Layout, local_shape
from pyshardy.ir.operation import Value
from pyshardy.ir.types import TensorType, Type, tensor_shape


class Rematerializer(Protocol):
    """Computes a tensor again from smaller ones. Tensors with equal ``key`` cost the same to compute."""

    key: Hashable

    def bytes(self, layout: Layout) -> float:
        """The bytes that each device receives to compute the tensor in ``layout``."""

    def __call__(self, layout: Layout) -> Sharded:
        """The tensor in ``layout``."""


class Sharded:
    """A tensor of the global program as the devices hold it.

    ``value`` is the local value, ``type`` the global type. ``versions`` are all versions of the tensor that exist so
    far, in whatever layouts: a reshard starts from the best one. ``recipe`` computes the tensor in any layout without
    communication, as for constants; ``rematerialize`` computes it from smaller tensors, as for broadcasts, which may
    have to be resharded.
    """

    __slots__ = ("layout", "masked", "recipe", "rematerialize", "type", "value", "versions")

    def __init__(
        self,
        value: Value,
        type: Type,
        layout: Layout,
        recipe: Callable[[Layout], Sharded] | None = None,
        versions: list[Sharded] | None = None,
    ) -> None:
        self.value = value
        self.type = type
        self.layout = layout
        self.recipe = recipe
        self.versions = [] if versions is None else versions
        self.versions.append(self)
        self.masked: dict[object, Sharded] | None = None
        self.rematerialize: Rematerializer | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        """The global shape."""
        return tensor_shape(self.type)

    @property
    def local_shape(self) -> tuple[int, ...]:
        """The shape on one device."""
        return local_shape(self.shape, self.layout)

    @property
    def element(self) -> Type:
        assert isinstance(self.type, TensorType)
        return self.type.element

    def padded_dims(self) -> list[int]:
        """The dimensions that have padding on some device."""
        return [
            dim
            for dim, (size, count) in enumerate(zip(self.shape, self.layout.counts, strict=True))
            if count > 1 and size % count
        ]

    def __repr__(self) -> str:
        return f"<Sharded {self.type} {self.layout}>"
