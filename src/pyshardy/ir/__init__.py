"""Programs: types, attributes, values, operations, and how they are rewritten; passes and pipelines.

``parsing`` reads their text, ``printing`` writes it, ``verifying`` holds a program to the rules of its operations.
"""
