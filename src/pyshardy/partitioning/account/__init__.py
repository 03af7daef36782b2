"""What the program of one device costs: memory, work, and the collectives that a run meets."""
