"""What may change a program: one file a pass, named after the pass.

``importing`` stands before propagation, ``propagating`` around it, ``exporting`` behind it. ``ir.registry`` finds a
pass by name.
"""
