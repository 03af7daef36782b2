"""How operations of one device are made: what the partitioner and the passes for it both stand on.

``layout`` says where a tensor is, ``builder`` makes operations, ``coordinates`` what a device knows of its place,
``collective_operations`` what devices do together, ``collectives`` the same with an account of it.
"""
