"""What all tests share: a shortcut that fails is a failure, and not a reason to go the plain way."""

import os

os.environ.setdefault("PYSHARDY_SHORTCUTS", "strict")
