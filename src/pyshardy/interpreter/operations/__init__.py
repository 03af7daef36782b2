"""The evaluators, one file a family of operations; ``interpreter.registry`` loads them."""
