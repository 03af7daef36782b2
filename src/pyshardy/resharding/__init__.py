"""Communication made explicit: where a program must reshard, and how."""
