"""How operations of one device are created, for the partitioner and for the passes of the reference's partitioner.

``layout`` says how a tensor is sharded, ``builder`` creates operations, ``coordinates`` computes which shard a device
holds, ``collective_operations`` creates collectives, and ``collectives`` creates and records them.
"""
