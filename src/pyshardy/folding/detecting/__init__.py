"""Folding: which operations of a function are layers, and which layers are alike.

``free_operations`` finds constants and slices in which layers may differ, ``repeats`` ranges of operations that repeat.
``linked_series`` says which repeat is which layer of which stack; ``splitting`` and ``joining`` cut the function into
other repeats if little could be left out. ``comparison`` says which layers are alike, and ``layer_functions`` which
functions belong to layers. ``detection`` is the entry; ``layers`` is what it returns, and what the other steps ask.
"""
