"""From a sharded program to the program of one device.

``plan`` is what comes of it, ``candidate_plans`` makes several, ``partitioner`` walks the program. Their rooms from
the ground up: ``layouts`` takes a tensor elsewhere, ``strategies`` shares the work of an operation, ``localizing`` is
how an operation becomes that of one device, ``windows`` what neighbours exchange for it, ``families`` each operation;
``account`` says what comes of it costs. ``pyshardy.emitting`` stands below all of them.
"""
