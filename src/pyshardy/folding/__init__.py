"""Folding: a program whose layers are alike is propagated and partitioned with few of them.

Propagation and partitioning take time in proportion to the operations of a program, and most of these repeat layer by
layer. So a program goes through passes and the partitioner with few of its layers, and a *certificate* proves that the
others would have become what these became. The plain stages run on such a program and know nothing of it. The steps:

1. **Detect** which operations are layers, and which layers are alike (``detecting``).
2. **Fold**: copy the program without some layers (``fold``). The layers on the two sides of the *splice point* read
   each other then. ``folded`` says which operation of the program each operation of the copy, or of what stages make
   of it, comes from.
3. **Run** stages on the folded program: passes (``program``) and the partitioner (``candidates``).
4. **Certify** that layers near the splice point were treated alike: that they have equal histories of changes in
   propagation, and are alike in the result (``certifying``).
5. **Count** what a plan costs with all layers (``counting``).
6. **Unfold** when somebody asks for text or operations: write the layers that were left out (``unfolding``).

``passes`` is the entry for pipelines, ``choosing`` that for ``partition``. A step that cannot prove what it needs
raises ``NoCertificate`` or returns None; then more layers are kept, or the whole program is treated. ``switch`` turns
folding off, and its ``DECLINED`` says why programs were not folded.

Words that all files use, besides *series*, *stack*, *splice point*, *template*, *counterpart* and *certificate* of the
glossary in docs/architecture.md:

- A *repeat* is one of the ranges of operations that repeat; in a series it is a layer.
- Layers have numbers, from the input of the model upward. *Below* and *above* mean lower and higher numbers. With all
  layers a layer has its *full number*; in a folded program, where others are left out, its *folded number*.
- Layers are *left out* or *kept*.
- An operation has a *number*: its place among those of the function, or of its layer. Its *home* is its series and
  layer, its *position* its number in the layer as well. Values and sharding slots have *places* in layers.
- The *origin* of an operation is the one of the whole program that it is a copy of, or was made of.
- The *reach* is the largest distance, in layers, between a layer and one that it reads from or shares arguments with.
- A *family* is a set of arguments, results or functions that are counterparts of each other.
- A *sorted* series has its layers in the order of their names in the text: 0, 1, 10, 11, 2.
- An *epilogue* brings a result of the function into the layout in which it is returned.
"""
