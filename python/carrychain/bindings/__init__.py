"""The C library as Python sees it. Only this package calls C; everything above goes through it."""
