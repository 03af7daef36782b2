"""Programs sharded for GSPMD, the partitioner before Shardy: ``mhlo.sharding`` read into the ``sdy`` dialect.

``sharding_text`` reads one sharding, ``device_digits`` says how it counts the devices, ``mesh_choice`` finds the mesh
that serves all of a program, ``conversion`` rewrites it, with ``manual_parts`` for what is manual.
"""
