"""For those who write measures: the laws that hold of every measure, to be tried on theirs.

It needs no test library: `check_measure(measure)` in any test raises MeasureFault with the law that is broken
and the smallest case found.
"""

from rankproof.errors import MeasureFault as MeasureFault
from rankproof.testing.conformance import check_measure as check_measure
