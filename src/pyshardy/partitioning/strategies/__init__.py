"""How the devices share the work of one operation: along which factors of its rule, and at what price."""
