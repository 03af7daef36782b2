"""What people have: files of every form, live JAX objects, GSPMD shardings, dynamic sizes, read into a ``Module``; and
the names that they gave to their tensors."""
