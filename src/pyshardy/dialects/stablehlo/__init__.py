"""The StableHLO dialect: its operations, their text, and its attributes. Importing this package loads none of them."""
