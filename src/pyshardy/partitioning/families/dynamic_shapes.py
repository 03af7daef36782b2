"""Localizes operations whose sizes are operands: if the sizes are constants, as the operation with fixed sizes.

If they are not, every device computes the whole.
"""

from __future__ import annotations

from pyshardy.emitting.sharded import Sharded
from pyshardy.emitting.static_forms import STATIC_FORMS, static_form
from pyshardy.partitioning.localizing.expansion import expanded
from pyshardy.partitioning.localizing.registry import localizes
from pyshardy.partitioning.localizing.site import Site


@localizes(*STATIC_FORMS)
def _static(site: Site) -> list[Sharded]:
    build = static_form(site.op)
    return site.fall_back() if build is None else expanded(site, build)
