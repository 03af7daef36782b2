"""Elements that a device needs of its neighbours' shards: where they come from, and the exchange of them."""
