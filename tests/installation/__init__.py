"""How pyshardy is installed: in pure Python, or with its hot modules compiled."""
