"""Families of operations: how each becomes the operation of one device. ``registry`` lists and loads them."""
