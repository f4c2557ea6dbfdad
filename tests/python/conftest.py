import signal
import sys

from hypothesis import settings

# Bounded by number, not by time: the machine may be busy.
settings.register_profile("carrychain", max_examples=150, deadline=None, print_blob=True)
settings.load_profile("carrychain")

# What fails is printed, however long.
sys.set_int_max_str_digits(0)

# A shell's background job ignores Ctrl-C, and what it starts would, too: tests send it.
signal.signal(signal.SIGINT, signal.default_int_handler)
