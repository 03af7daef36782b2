"""What a program is: types, attributes, values, operations, text in, text out, verifier, passes."""
