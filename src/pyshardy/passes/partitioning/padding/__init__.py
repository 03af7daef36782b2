"""How ``sdy-pad-for-divisibility`` rewrites operations: ``growth`` walks, the other files have the rules."""
