"""Programs with sizes left open (``tensor<?x8xf32>``): sizes are given, and all that depends on them becomes static.

``dimension_names`` finds what the open dimensions are called, ``binding`` gives them sizes, ``refinement`` carries
those through the program, with ``result_types``, ``region_types``, ``folding`` and ``static_calls``.
"""
