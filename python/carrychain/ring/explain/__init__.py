"""What stayed big, what it costs and what would cut it, in sentences and as a page."""
