"""Passes: each replaces a function by one that observes the same on every run."""
