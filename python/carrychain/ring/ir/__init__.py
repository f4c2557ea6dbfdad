"""The IR: integers without end, in static single assignment; what it means, and whether it is well formed."""
