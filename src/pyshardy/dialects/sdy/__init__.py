"""The dialect ``sdy``: meshes, sharding constraints, computations with regions, collectives, and where shardings stand.

``operations`` is the table of operations with ``attributes``, ``operand_text`` and ``region_text`` for their syntax;
``dataflow`` and ``placement`` answer where a value's sharding stands; the ``…_verification`` files check.
"""
