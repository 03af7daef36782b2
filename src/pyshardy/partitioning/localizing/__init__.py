"""From an operation to that of one device: what a localizer is given, how it plugs in, and the ways that many share."""
