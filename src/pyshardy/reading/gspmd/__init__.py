"""Programs sharded for GSPMD, the partitioner before Shardy: ``mhlo.sharding`` read into the ``sdy`` dialect.

``sharding_text`` parses a sharding, ``device_digits`` finds its order of devices, ``mesh_choice`` finds a mesh for all
shardings of a program, ``conversion`` rewrites it, with ``manual_parts`` for manual parts.
"""
