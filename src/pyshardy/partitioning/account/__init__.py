"""What the program of one device costs: its peak memory, its work, and the bytes that its collectives move."""
