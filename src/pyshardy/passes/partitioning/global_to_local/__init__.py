"""The rules of ``sdy-convert-global-to-local``, by operation; ``conversion`` walks the program and applies them."""
