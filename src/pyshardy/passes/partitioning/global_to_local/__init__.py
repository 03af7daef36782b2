"""How ``sdy-convert-global-to-local`` rewrites operations: ``conversion`` walks, the other files have the rules."""
