"""The dialects: which operations exist, and how they are written and checked.

Each is a module or a package with a ``DIALECT``, which ``pyshardy.ir.registry`` loads when a program first names it.
"""
