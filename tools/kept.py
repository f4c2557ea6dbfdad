# SPDX-License-Identifier: MIT
"""What has passed of a run that takes hours, in a file: the run goes on where it was ended."""

import contextlib
import json
import threading
import time
from pathlib import Path


class Kept:
    """The parts that have passed for one tree and one seed.

    ``seed`` is that of the run that did not end well, or None.  ``parts`` maps the name of a part, or of
    a piece of one, to when it passed and what it counted.
    """

    def __init__(self, file: Path, tree: int) -> None:
        self.file, self.tree, self.lock = file, tree, threading.Lock()
        self.seed: int | None = None
        self.parts: dict[str, dict] = {}
        with contextlib.suppress(FileNotFoundError):
            before = json.loads(file.read_text())
            if before["tree"] == tree:
                self.seed, self.parts = before["seed"], before["parts"]

    def begin(self, seed: int) -> None:
        """With another seed nothing has passed yet."""
        if seed != self.seed:
            self.seed, self.parts = seed, {}

    def passed(self, name: str, **counted: float) -> None:
        with self.lock:
            self.parts[name] = {"when": time.strftime("%Y-%m-%d %H:%M"), **counted}
            whole = {"tree": self.tree, "seed": self.seed, "parts": self.parts}
            new = self.file.with_suffix(".new")
            new.write_text(json.dumps(whole, indent=1) + "\n")
            new.rename(self.file)

    def end(self) -> None:
        """All has passed: the next run begins anew."""
        self.file.unlink(missing_ok=True)
