"""The IR: unbounded integers in static single assignment; its meaning, and whether it is well formed."""
