"""The rules of ``sdy-pad-for-divisibility``, by operation; ``growth`` walks the program and applies them."""
