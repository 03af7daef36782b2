"""How operations of one device are made: what the partitioner and the passes for it both stand on.

``layout`` says where a tensor is, ``builder`` makes operations, ``coordinates`` what a device knows of its place,
``collectives`` what devices do together and the account of it.
"""
