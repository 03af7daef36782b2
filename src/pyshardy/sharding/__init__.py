"""Shardings: meshes, axis references, dimension and tensor shardings, sharding rules. Immutable values."""
