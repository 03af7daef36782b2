"""Sharding rules: how an operation relates the dimensions of its tensors, one file for each family of operations.

``registry`` finds the rule of an operation; the families register themselves there by decorator and build with
``builder``.
"""
