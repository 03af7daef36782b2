"""Along which factors of its sharding rule the devices share one operation, and what that costs."""
