"""Checks that do not trust the passes: they re-establish what the passes claim, or refuse."""
