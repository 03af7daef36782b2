"""Eight virtual devices for the tests of this room. They are asked for when tests are collected, before JAX looks."""

from __future__ import annotations

import jax
import pytest

from tests.jax.programs import Meshes, meshes

jax.config.update("jax_num_cpu_devices", 8)


@pytest.fixture
def mesh() -> Meshes:
    """Four times two devices, ``data`` and ``model``."""
    return meshes(data=4, model=2)
