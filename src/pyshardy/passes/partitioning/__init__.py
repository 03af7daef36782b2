"""The passes of the reference's partitioner, from a global program with a sharding on every value to that of one
device.

One file for each pass, named after it. The packages have the rules by operation: ``permutation``, ``padding`` and
``global_to_local``; the last two rewrite in the same manner (``retyping``). The passes run after those of
``exporting``. ``pyshardy partition`` runs another partitioner: ``pyshardy.partitioning``.
"""
