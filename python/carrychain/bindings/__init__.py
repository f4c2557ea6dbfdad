"""The C library as Python sees it; everything above speaks to C through here alone."""
