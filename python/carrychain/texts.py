"""Text of others, as it may be shown."""


def printable(text: str) -> str:
    """Foreign text as one line of a terminal: what is no text, or could steer the terminal, is escaped."""
    line = " ".join(text.split())
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in line)
