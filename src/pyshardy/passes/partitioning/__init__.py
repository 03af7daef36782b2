"""The passes that turn a global program with a sharding on every value into the program of one device.

One file a pass, named after it; the rooms hold what a pass does to each operation: ``permutation``, ``padding`` and
``global_to_local``, of which the last two walk alike (``retyping``). Stands behind ``exporting``. The partitioner that
``pyshardy partition`` runs is another one: ``pyshardy.partitioning``.
"""
