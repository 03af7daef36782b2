"""Why a tensor is sharded as it is, why not otherwise, what would change that, and what needs a collective."""
