"""How ``sdy-resolve-permutation-factors`` makes operations local: one file for each method."""
