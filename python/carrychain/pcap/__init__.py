"""The checksums in captured packets, and what each is worth."""

from .pipeline import Report, size_of, verify

__all__ = ["Report", "size_of", "verify"]
