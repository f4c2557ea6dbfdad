"""Zaks, Naishlos, Citron: TCP/IP checksum vectorization using AltiVec."""

from .chapter import Chapter

chapter = Chapter(
    carry="deferred",
    module="checksum",
    paper="A. Zaks, D. Naishlos, D. Citron: TCP/IP checksum vectorization using AltiVec, 2004",
    what="the Internet checksum, summed in wide lanes and folded at the end",
)
