"""From one layout of a tensor to another: what it takes, and the collectives that do it."""
