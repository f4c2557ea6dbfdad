"""What stayed big, what it costs and what would cut it; said, and drawn."""
