"""How Hypothesis looks for counterexamples: the same ones every time, and few enough to wait for.

`HYPOTHESIS_PROFILE=thorough` looks longer, and elsewhere each time.
"""

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "rankproof",
    max_examples=20,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("thorough", max_examples=500, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "rankproof"))
