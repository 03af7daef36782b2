"""From a sharded program to the program of one device.

``layout`` says where a tensor is, ``reshard`` takes it elsewhere, a localizer (``registry``) turns an operation into
that of one device, ``partitioner`` walks the program; ``plan`` is what comes of it.
"""
