"""Checks a plan: runs the global program and the partitioned one on random inputs, and compares their results.

It uses ``partitioning`` and ``interpreter``; ``Plan.check`` and ``pyshardy check`` call it.
"""
