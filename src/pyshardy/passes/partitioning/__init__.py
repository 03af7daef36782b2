"""The passes that turn a global program with a sharding on every value into the program of one device.

One file a pass, named after it; ``global_to_local`` holds what ``sdy-convert-global-to-local`` does to each operation.
Stands behind ``exporting``. The partitioner behind ``pyshardy partition`` is another one: ``pyshardy.partitioning``.
"""
