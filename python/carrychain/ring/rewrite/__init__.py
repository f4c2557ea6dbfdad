"""Passes: each replaces a function by one that is observably the same on every run."""
