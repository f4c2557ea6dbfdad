"""The checksums in captured packets, and the verdict on each."""

from carrychain.bindings.cause import CAUSES

from .batch import by_count
from .by import rows_by
from .conclusions import Conclusion, conclusions, ordered
from .frames import PROTOCOLS, REASONS, VERDICTS, CaptureError, Frame, Layer, Verification
from .names import captures_in
from .pipeline import Report, size_of
from .settled import verify

__all__ = [
    "CAUSES",
    "PROTOCOLS",
    "REASONS",
    "VERDICTS",
    "CaptureError",
    "Conclusion",
    "Frame",
    "Layer",
    "Report",
    "Verification",
    "by_count",
    "captures_in",
    "conclusions",
    "ordered",
    "rows_by",
    "size_of",
    "verify",
]
