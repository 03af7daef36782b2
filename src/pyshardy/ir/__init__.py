"""Programs: types, attributes, values, operations, parser, printer, verifier, passes."""
