"""The five papers' tables and figures, published beside measured, as one HTML page."""

from collections.abc import Callable
from pathlib import Path

from . import checksum, fib, fixed, page, ring, u128

# in the papers' own order
CHAPTERS = (u128.chapter, fixed.chapter, checksum.chapter, fib.chapter, ring.chapter)


def write(directory: str, say: Callable[[str], None]) -> Path:
    """Measure every chapter there is and write DIRECTORY/index.html; ``say`` hears what is being done."""
    target = Path(directory)
    target.mkdir(parents=True, exist_ok=True)
    sections = []
    for chapter in CHAPTERS:
        if chapter.measure is None:
            say(f"{chapter.carry}: not measured yet")
            sections.append(page.section(chapter, page.NOT_MEASURED))
        else:
            say(f"{chapter.carry}: measuring")
            sections.append(page.section(chapter, chapter.measure(target)))
    index = target / "index.html"
    page.write(index, sections)
    return index
