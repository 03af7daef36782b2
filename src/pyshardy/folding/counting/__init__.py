"""Folding: what a plan costs with all layers, without writing them.

``folded_plan`` is a candidate plan of a folded program; it certifies that the partitioner has treated layers alike, and
multiplies what their template costs. ``layer_collectives`` has the collectives of all layers, and ``layer_values`` what
their values have become. ``peak`` works out the peak of memory, ``all_layers`` the order in which all layers run, and
``counted_programs`` puts a program into the form in which costs are added up.
"""
