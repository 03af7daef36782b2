"""Makes programs with dynamic dimensions (``tensor<?x8xf32>``) static, by sizes that the user gives.

``dimension_names`` names the dynamic dimensions, ``binding`` gives them sizes, ``refinement`` propagates these through
the program, with ``result_types``, ``region_types``, ``folding`` and ``static_calls``.
"""
