"""The passes, which change a program: one file for each, named after the pass.

``importing`` has those before propagation, ``propagating`` the propagation passes, ``exporting`` those after it.
``ir.pass_registry`` finds a pass by name.
"""
