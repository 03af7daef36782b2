"""Questions about a program and its plan: why a tensor is sharded as it is, and what the plan costs."""
