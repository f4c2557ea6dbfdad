"""The checksums in captured packets, and what each is worth."""

from .verify import Report, verify

__all__ = ["Report", "verify"]
