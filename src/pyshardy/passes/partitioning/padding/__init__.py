"""The rules of ``sdy-pad-for-divisibility``, by operation; ``walk`` walks the program and applies them."""
