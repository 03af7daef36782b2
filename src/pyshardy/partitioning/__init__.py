"""From a sharded program to the program of one device.

``partitioner`` walks the program, ``candidate_plans`` makes several candidate plans, ``best_plan`` takes one, and
``plan`` is what the user gets. Their packages, each of which imports only those before it: ``layouts`` reshards
tensors, ``strategies`` chooses along which factors the devices share an operation, ``localizing`` turns an operation
into that of one device, ``windows`` exchanges elements between shards, ``families`` has a localizer for each operation,
``account`` adds up memory, work and bytes. All of them build on ``pyshardy.emitting``.
"""
