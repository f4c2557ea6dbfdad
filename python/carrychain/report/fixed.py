"""Unrolled x86_64 Assembly Squaring for Ch. 12 FFA."""

from .chapter import Chapter

chapter = Chapter(
    carry="collected",
    module="fixed",
    paper="Unrolled x86_64 Assembly Squaring for Ch. 12 FFA, 2019",
    what="constant-time integers of a fixed width, multiplied column by column",
)
