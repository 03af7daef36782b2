"""Resharding a tensor from one layout to another: the plan, its cost, and the collectives that carry it out."""
