"""What a paper's module hands to the page."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Chapter:
    carry: str  # what happens to it
    module: str
    paper: str  # author, title, year
    what: str  # the chapter in one line
    # draws into the directory and returns the section's HTML; None: nothing measured yet
    measure: Callable[[Path], str] | None = None
