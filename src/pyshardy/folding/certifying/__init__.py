"""Folding: whether layers near the splice point were treated alike.

``histories`` observes propagation, and ``history_comparison`` concludes from the changes of each layer;
``layer_places`` says where operations stand relative to their layers. ``splice`` certifies the result of passes and of
the partitioner: ``splice_series`` finds the operations of each series near the splice point, ``parts`` encodes
operations relative to their layer, ``likeness`` compares them, ``use_order`` orders the readers of shared values, and
``insertions`` says where layers belong that were left out; ``sorted_series`` knows the order of layers that are sorted
by name, and ``constant_copies`` the copies of constants that layers have. ``versions`` compares what the partitioner
knows of values, ``fused_alike`` what is fused, and ``diagnostics`` what was said.
"""
