"""The checksums in captured packets, and what each is worth."""

from .names import captures_in
from .pipeline import Report, size_of, verify

__all__ = ["Report", "captures_in", "size_of", "verify"]
