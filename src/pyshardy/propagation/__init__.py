"""Propagates shardings to all tensors: projection onto factors, factor strategies, visiting order, priorities."""
