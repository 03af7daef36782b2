"""The form in which JAX, XLA and their plugins hand sharded programs to each other: attributes of ``sdy`` as strings.

``names`` says what things are called, ``attribute_strings`` reads and writes the strings, ``importing`` makes a program
with ``sdy`` operations of it, ``exporting`` the way back.
"""
