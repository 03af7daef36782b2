"""Folding: a program whose layers are alike is propagated and partitioned with few of them.

Propagation and partitioning take time in proportion to the operations of a program, and most of these repeat layer by
layer. So a program is treated with few of its layers, and a *certificate* proves that the others would have been
treated like them. The plain stages run on such a program and know nothing of it. The steps, and their files:

1. **Detect** which operations are layers: ``free_constants`` finds constants in whose value layers may differ,
   ``repeats`` operations that repeat; ``series`` says which repeat is which layer, ``own_functions`` which functions
   belong to layers, ``comparison`` which layers are alike. ``detection`` chooses among stacks; ``layers`` says then
   which operation and which value belongs to which layer.
2. **Fold**: ``folded`` copies the program without some layers; ``boundary`` says which arguments and results belong to
   layers. The layers on the two sides of the *splice point* read each other then.
3. **Run** stages on the folded program: passes (``program``, ``function_names``) and the partitioner (``candidates``).
4. **Certify** that layers near the splice point are alike in the result: ``histories`` observes propagation, and
   ``constant_copies`` finds the copies of masks that layers get before; ``parts`` tells operations relative to their
   layer, ``likeness`` and ``sorted_series`` compare layers by that for ``splice``; ``forms`` compares what the
   partitioner knows of their values.
5. **Count** what a plan costs with all layers: ``folded_plan``, ``counting``, ``peak``, ``all_layers``.
6. **Unfold** when somebody asks for text or operations: ``unfolding`` writes the layers that were left out.

``passes`` is the entry for pipelines, ``candidates`` that for ``partition``. A step that cannot prove what it needs
raises ``NotAlike`` or returns None; then more layers are kept, or the whole program is treated. ``ir.shortcuts``
switches folding off.

Words that all files use, besides *series*, *splice point*, *counterpart* and *certificate* of the glossary in
docs/architecture.md:

- A *repeat* is one of the ranges of operations that repeat; in a series it is a layer.
- A *stack* is a set of series that have their layers in common. One stack of a program is folded.
- Layers have numbers, from the input of the model upward. *Below* and *above* mean lower and higher numbers. With all
  layers a layer has its *full number*; in a folded program, where others are left out, its *folded number*.
- Layers are *left out* or *kept*. The *template* is the layer below the splice point: those left out are its copies.
- The *reach* is how many layers away the layers are at most that a layer reads from, or shares arguments with.
- A *family* is a set of arguments, results or functions that are counterparts of each other.
- A *sorted* series has its layers in the order of their names in the text: 0, 1, 10, 11, 2.
- An *epilogue* brings a result of the function into the layout in which it is returned.
"""
