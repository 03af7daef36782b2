"""The four propagation passes, each of which extends the one before."""
