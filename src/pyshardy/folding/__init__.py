"""Folding: most layers of a model are alike, and few of them say what becomes of all.

- ``repeats`` detects what repeats, ``series`` which repeat is which layer, ``layers`` which layers are alike, and
  ``own_functions`` which functions each has of its own.
- ``folded`` makes a *folded program*: a legal program with few of the layers, in which the others are left out at a
  *splice point*.
- Plain passes, propagation and the partitioner run on it and know nothing of it. What they did is held against a
  *certificate*: that layers beside the splice point were treated alike, so that those left out would have been, too.
  That of propagation are the histories of layers (``histories``), that of everything else is that layers are alike in
  what comes out (``parts``, ``splice``), and named alike (``function_names``).
- ``program`` runs passes, ``candidates`` makes plans; ``folded_plan`` and ``peak`` count with multiplicities.
- ``unfolding`` writes the layers that were left out, when somebody asks for them.

Without a certificate there is no answer, and the whole program goes the plain way. ``ir.shortcuts`` switches folding
off.
"""
