"""What does not believe the passes: it establishes anew what they claim, or refuses."""
