"""Makes foreign text safe to show."""


def printable(text: str) -> str:
    """Foreign text as one line for a terminal. Control characters and invalid text are escaped."""
    line = " ".join(text.split())
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in line)
