"""The five papers' tables and figures, published next to measured: one page per paper."""

from collections.abc import Callable, Iterable
from pathlib import Path

from carrychain.bench import stored

from . import checksum, fib, fixed, page, picture, ring, u128
from .chapter import Chapter, Marks
from .measured import FILE, Foreign, Measured, measure

__all__ = ["CHAPTERS", "Foreign", "write"]

# in the papers' own order
CHAPTERS = (u128.chapter, fixed.chapter, checksum.chapter, fib.chapter, ring.chapter)


def write(
    directory: str, say: Callable[[str], None], *, quick: bool = False, compare: Iterable[str] = ()
) -> Path:
    """Measure everything, or continue an interrupted run, and write DIRECTORY/index.html.

    ``say`` receives progress messages. ``compare`` names the files of other reports to show alongside. Raises
    OSError and measured.Foreign.
    """
    others = [_ratios(Measured.load(Path(each)), each) for each in compare]
    others += [_ratios(Measured(stored.load(each)), each) for each in stored.names("report-")]
    target = Path(directory)
    target.mkdir(parents=True, exist_ok=True)
    phases = {name: phase for chapter in CHAPTERS for name, phase in chapter.phases.items()}
    here = measure(target / FILE, phases, say, quick=quick)
    shown = []
    for chapter in CHAPTERS:
        say(f"drawing {chapter.module}")
        machines = [("measured now", chapter.ratios(here))]
        machines += [(other.name, ratios[chapter.module]) for other, ratios in others]
        if kept := chapter.stored():
            machines.append(("stored", kept))
        picture.draw(chapter.published, machines, target / page.picture(chapter))
        means = " ".join(filter(None, (chapter.means(machines[0][1], kept), _unmeasured(chapter, here))))
        page.chapter_page(target, CHAPTERS, chapter, means, chapter.show(here, target))
        shown.append((chapter, means))
    return page.index_page(target, shown, here, [other for other, _ in others])


def _unmeasured(chapter: Chapter, here: Measured) -> str:
    """Why no comparison was measured here, if none was."""
    if chapter.ratios(here):
        return ""
    why = dict.fromkeys(here.why[phase] for phase in chapter.phases if phase in here.why)
    return f"None of its comparisons was measured here: {'; '.join(why)}."


def _ratios(other: Measured, path: str) -> tuple[Measured, dict[str, Marks]]:
    """The ratios by module, read before anything is measured.

    Foreign if another version wrote the rows differently.
    """
    try:
        return other, {chapter.module: chapter.ratios(other) for chapter in CHAPTERS}
    except (KeyError, TypeError, AttributeError):
        raise Foreign(f"{path}: what another version measured: measure again with this one") from None
