"""Plantykw, Olech, Lobakin: Generic 128-bit Math API."""

from .chapter import Chapter

chapter = Chapter(
    carry="kept",
    module="u128",
    paper="M. A. Plantykw, M. Olech, A. Lobakin: Generic 128-bit Math API",
    what="128-bit arithmetic for kernels, with or without the compiler's help",
)
