"""How an operation relates the dimensions of its tensors: its sharding rule, one file a family of operations.

``registry`` finds the rule of an operation; the families register themselves there by decorator and build with
``builder``.
"""
