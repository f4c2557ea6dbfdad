"""The IR: unbounded integers in static single assignment; its meaning, and its verifier."""
