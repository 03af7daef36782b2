"""What a sharding is: meshes, axis references, dimension and tensor shardings, sharding rules. Immutable values."""
