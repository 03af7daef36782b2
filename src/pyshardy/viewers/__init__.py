"""A plan in viewers of other people, each in a room of its own."""
