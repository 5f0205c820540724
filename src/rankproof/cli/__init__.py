"""The command line: a command for each verb, over the public names."""

import gc

# A command makes few circles of objects, and looking for them is a tenth of a short one.
gc.set_threshold(100_000)
