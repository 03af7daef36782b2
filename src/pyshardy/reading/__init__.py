"""Reads programs into a ``Module``: files of every form, live JAX objects, GSPMD shardings, dynamic dimensions; and
finds the author's names of tensors."""
