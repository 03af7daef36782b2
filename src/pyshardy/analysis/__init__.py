"""What a plan means to its author: why a tensor is sharded as it is, and what a step costs on given hardware."""
