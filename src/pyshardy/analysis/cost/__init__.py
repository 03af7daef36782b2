"""What a step costs on given hardware: time of operations and collectives, and the memory of a device."""
