"""Is a plan right? Random inputs for a program, and its results whole and partitioned beside each other.

Stands on ``partitioning`` and ``interpreter``; ``Plan.check`` and ``pyshardy check`` come here.
"""
