"""From some shardings to all: projection onto factors, factor strategies, visiting order, priorities."""
