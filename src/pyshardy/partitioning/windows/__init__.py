"""Elements that a device needs from shards of other devices: which ones, and their exchange by collective permutes."""
