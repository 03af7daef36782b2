"""Finds a strategy: which dimensions of a program's tensors lie along which axes of a mesh, for least time on hardware.

Source of the space and of the order in which it is looked at: a study of public systems and of a prototype, whose
outcome docs/search.md tells.
"""
