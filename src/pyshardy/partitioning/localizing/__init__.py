"""From a global operation to that of one device: what a localizer is given, how it is registered, and shared
methods."""
