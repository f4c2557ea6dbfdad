"""The checksums in captured packets, and the verdict on each."""

from .by import rows_by
from .frames import PROTOCOLS, REASONS, VERDICTS, CaptureError, Frame, Layer, Verification
from .names import captures_in
from .offload import Offload, offload
from .pipeline import Report, size_of, verify

__all__ = [
    "PROTOCOLS",
    "REASONS",
    "VERDICTS",
    "CaptureError",
    "Frame",
    "Layer",
    "Offload",
    "Report",
    "Verification",
    "captures_in",
    "offload",
    "rows_by",
    "size_of",
    "verify",
]
