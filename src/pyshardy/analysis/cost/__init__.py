"""The cost of a step on given hardware: times of operations and collectives, and the memory of a device."""
