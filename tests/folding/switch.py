"""Turns folding off."""

from __future__ import annotations

import os
from functools import partial
from unittest.mock import patch

without_folding = partial(patch.dict, os.environ, {"PYSHARDY_FOLDING": "off"})
"""While this lasts no program is folded."""
