"""How ``sdy-resolve-permutation-factors`` deals with operations: one file a way of moving the data."""
