# SPDX-License-Identifier: MIT
"""The public headers as reStructuredText pages: each declaration, and the comment that precedes it.

A comment applies to the declarations after it, up to the next blank line or comment. A comment followed by a
blank line stands alone. An inline function without a comment shares that of the one before it if both have
the same types, except for their widths.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

INCLUDE = Path(__file__).resolve().parent.parent / "include/carrychain"
LICENCE = "/* SPDX-License-Identifier: MIT */\n"
# what is no declaration: the guard and C++'s braces
FRAME = re.compile(
    r"^#ifndef CARRYCHAIN_\w+\n#define .*\n|^#endif /\* CARRYCHAIN_\w+ \*/\n|^#include .*\n|^CC_C_CASTS_\w+\n"
    # another library's names for ours
    r"|^#define \w+\s+cc_(?:gmp|mp)\w+\n"
    r"|^#ifdef __cplusplus\n.*\n#endif\n|^/\*.*\*/\n#ifdef __KERNEL__\n(?:#.*\n)*?#endif\n",
    re.MULTILINE,
)
PIECE = re.compile(
    r"(?P<comment>/\*.*?\*/\n)"
    r"|(?P<blank>\n+)"
    r"|(?P<conditional>#if.*?\n#endif\n(?=\n))"
    r"|(?P<macro>#define (?:[^\n]*\\\n)*[^\n]*\n)"
    r"|(?P<inline>static inline [^{]*\n\{\n.*?^\}\n)"
    r"|(?P<type>(?:typedef )?(?:struct|union|enum)(?: \w+)? \{\n.*?^\}[^\n]*;\n)"
    r"|(?P<forward>struct \w+;\n)"
    r"|(?P<typedef>typedef .*?;[^\n]*\n)"
    r"|(?P<variable>extern [^;(){}]*;\n)"
    r"|(?P<function>\w[^;{}]*\);\n)",
    re.MULTILINE | re.DOTALL,
)
ENUMERATOR = re.compile(
    r"^\t(?:/\* (?P<above>.*) \*/\n\t)?(?P<name>\w+(?: = -?\w+)?),(?:\s*/\* (?P<beside>.*) \*/)?", re.M
)
ROLES = {"function": "func", "enumerator": "macro", "var": "data"}


@dataclass
class Entry:
    """Declarations of one kind that share a comment, or (of no kind) a comment that stands for itself."""

    kind: str
    comment: str
    signatures: list[str] = field(default_factory=list)
    source: str = ""

    @property
    def names(self) -> list[str]:
        if self.kind == "enum":
            return [each["name"].split()[0] for each in ENUMERATOR.finditer(self.source)]
        return [re.search(r"(\w+)(?:\[\w+\])?(?:\(.*)?$", each, re.DOTALL)[1] for each in self.signatures]


def plain(comment: str) -> str:
    """A comment's text, without what makes it one; a tab that begins a line, as of a program, stays."""
    text = re.sub(r"^/\*\*?\s?|\s*\*/$", "", comment.strip())
    lines = (line if line.startswith(" *\t") else line.expandtabs() for line in text.split("\n"))
    return "\n".join(re.sub(r"^ ?\* ?", "", line) for line in lines).strip("\n")


def shape(signature: str) -> str:
    """An inline function's types, without names and widths."""
    result, arguments = re.fullmatch(r"(.*?)\w+\((.*)\)", signature, re.DOTALL).groups()
    types = [re.sub(r"\w+$", "", each.strip()) for each in arguments.split(",")]
    return re.sub(r"\d+", "", ",".join([result, *types]))


def entries(text: str) -> tuple[str, list[Entry]]:
    """A header's first comment, and what comes behind it, in order."""
    body = FRAME.sub("", text.removeprefix(LICENCE))
    head, body = re.fullmatch(r"(/\*.*?\*/\n)(.*)", body, re.DOTALL).groups()
    found: list[Entry] = []
    comment, group = "", False

    def add(kind: str, signature: str, source: str = "") -> None:
        nonlocal group
        last = found[-1] if found else None
        if group and last.kind == kind and kind in ("function", "macro"):
            last.signatures.append(signature)
            last.source += source
        else:
            found.append(Entry(kind, comment, [signature], source))
        group = True

    at = 0
    while at < len(body):
        match = PIECE.match(body, at)
        if not match:
            raise ValueError(f"no declaration of a kind that is known: {body[at : at + 200]!r}")
        at, text, kind = match.end(), match[0], match.lastgroup
        if kind == "comment":
            comment, group = plain(text), False
            if body[at : at + 1] == "\n":
                found.append(Entry("", comment))
        elif kind == "blank":
            comment, group = "", False
        elif kind == "conditional":
            types = dict.fromkeys(re.findall(r"\btypedef .*?(\w+);", text))
            macros = dict.fromkeys(re.findall(r"^#define (\w+)", text, re.MULTILINE))
            for name in types:
                add("type", name, "" if macros else text)
            for name in macros:
                add("macro", name, text if name == next(reversed(macros)) else "")
        elif kind == "macro":
            add("macro", re.match(r"#define (\w+(?:\([\w, ]*\))?)", text)[1], text)
        elif kind == "inline":
            signature = text[len("static inline ") : text.index("\n{")]
            alike = (
                found and found[-1].kind == "function" and shape(found[-1].signatures[-1]) == shape(signature)
            )
            group = not comment and bool(alike)
            add("function", signature)
        elif kind == "type":
            opening = re.match(r"(?:typedef )?(struct|union|enum)(?: (\w+))? ", text)
            add(opening[1], opening[2] or "@" + ENUMERATOR.search(text)["name"].split()[0], text)
        elif kind == "forward":
            add("struct", text.split()[1].rstrip(";"))
        elif kind == "variable":
            add("var", text.removeprefix("extern ").rstrip(";\n"))
        elif kind == "function":
            add("function", text.rstrip(";\n"))
        # not a name for what has it already
        elif not re.match(r"typedef (?:struct|union) (\w+) \1;", text):
            add("type", text.removeprefix("typedef ").split(";")[0])
    return plain(head), found


class Pages:
    """All headers, each of whose comments may name what another declares."""

    def __init__(self, folder: Path = INCLUDE) -> None:
        self.headers = {path.name: entries(path.read_text()) for path in sorted(folder.glob("*.h"))}
        self.roles = {
            name: ROLES.get("enumerator" if entry.kind == "enum" else entry.kind, entry.kind)
            for _, found in self.headers.values()
            for entry in found
            for name in ([*entry.names, *entry.signatures] if entry.kind == "enum" else entry.names)
        }

    def inline(self, text: str) -> str:
        """A comment's words: arguments (@name) as code, what is declared somewhere as a link to it."""

        def replaced(match: re.Match) -> str:
            if match["argument"]:
                return rf"\ ``{match[0].replace('@', '')}``\ "
            if match["name"]:
                role = self.roles.get(match["name"])
                shown = match[0].replace("*", r"\*")
                return rf"\ :c:{role}:`{shown} <{match['name']}>`\ " if role else match[0].replace("_", r"\_")
            return "\\" + match[0]

        return re.sub(
            r"(?P<argument>\*?@\w+(?:\[\w+\])?)|(?P<name>\b[A-Za-z]\w*_\w+\b)(?:\(\))?|[\\*`|_]",
            replaced,
            text,
        )

    def prose(self, comment: str) -> str:
        """A comment as paragraphs, a list of arguments, and what is indented as it stands."""
        comment = re.sub(r"^(?:union \w+|\w+\(\)) - ", "", comment)
        parts: list[tuple[str, list[str]]] = []
        for line in comment.split("\n"):
            kind = "blank" if not line.strip() else "set" if line.startswith(("\t", "  ")) else "text"
            begins = re.match(r"@\w+: ", line)
            if kind == "set" and [each for each, _ in parts[-2:]] == ["set", "blank"]:
                # one program, with a blank line in it
                parts[-2][1].extend(parts.pop()[1])
            last = parts[-1][0] if parts else ""
            if begins or kind != last:
                parts.append((kind, [line]))
            else:
                parts[-1][1].append(line)
        shown = []
        for kind, lines in parts:
            text = " ".join(line.strip() for line in lines)
            if kind == "set":
                language = "c" if lines[0].startswith("\t") else "text"
                block = "\n".join("   " + line.removeprefix("\t").expandtabs() for line in lines)
                shown.append(f".. code-block:: {language}\n   :force:\n\n{block}\n")
            elif argument := re.match(r"@(\w+): (.*)", text):
                shown.append(f"- ``{argument[1]}``: {self.inline(argument[2])}")
            elif kind == "text":
                shown.append(f"\n{self.inline(text)}\n")
        return "\n".join(shown).strip("\n") + "\n"

    def entry(self, entry: Entry) -> str:
        if not entry.kind:
            return self.prose(entry.comment)
        first, *more = [" ".join(each.split()) for each in entry.signatures]
        lines = [
            f".. c:{entry.kind}:: {first}",
            *(" " * len(f".. c:{entry.kind}:: ") + each for each in more),
            "",
        ]
        body = self.prose(entry.comment) if entry.comment else ""
        if entry.kind == "enum":
            for each in ENUMERATOR.finditer(entry.source):
                said = [self.inline(text) for text in (each["above"], each["beside"]) if text]
                body += (
                    f"\n.. c:enumerator:: {each['name']}\n\n"
                    + "\n\n".join(f"   {text}" for text in said)
                    + "\n"
                )
        elif entry.source:
            text = re.sub(r"\s+\\$", r" \\", entry.source.rstrip().expandtabs(), flags=re.MULTILINE)
            source = "".join(f"   {line}\n" for line in text.split("\n"))
            body += f"\n.. code-block:: c\n   :force:\n\n{source}"
        lines += [f"   {line}".rstrip() for line in body.split("\n")]
        return "\n".join(lines) + "\n"

    def summary(self, name: str) -> str:
        """What a header is for, in its first sentence."""
        return self.inline(
            " ".join(self.headers[name][0].removeprefix(f"{name} - ").split("\n\n")[0].split("\n"))
        )

    def page(self, name: str) -> str:
        head, found = self.headers[name]
        said = head.removeprefix(f"{name} - ")
        return "\n".join(
            [
                f"{name}\n{'=' * len(name)}\n",
                f".. code-block:: c\n\n   #include <carrychain/{name}>\n",
                self.prose(said[0].upper() + said[1:]),
                f":doc:`The file as it stands </include/carrychain/{name}>`\n",
                *(self.entry(entry) for entry in found),
            ]
        )
