"""The form in which JAX, XLA and their plugins hand sharded programs to each other: attributes of ``sdy`` as strings.

``names`` has the names of attributes and targets, ``attribute_strings`` reads and writes the strings, ``importing``
converts the form to ``sdy`` operations, ``exporting`` does the inverse.
"""
