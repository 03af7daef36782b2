"""The dialect ``sdy``: meshes, constraints, computations with regions, collectives, and where shardings are stored.

``operations`` is the table of operations with ``attributes``, ``operand_text`` and ``region_text`` for their syntax;
``dataflow`` and ``placement`` find the sharding of a value; the ``…_verification`` files check.
"""
