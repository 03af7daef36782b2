"""A plan in Google's Model Explorer: ``model-explorer --extensions=pyshardy.viewers.model_explorer FILE.mlir``.

Model Explorer loads ``main`` of an extension.
"""
