"""The four propagate passes, each a layer on the one before."""
