"""The dialects: which operations exist, how they are written and checked.

One module (or package) a dialect, each with a ``DIALECT`` that ``pyshardy.ir.registry`` loads when a program first
names it.
"""
