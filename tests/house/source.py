"""What the checks of the house share: the files of copse/, without their comments and strings."""
import re
from pathlib import Path

TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<d>[^(\s]*)\(.*?\)(?P=d)"|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'",
    re.S)


def files(root, *patterns):
    for path in sorted((Path(root) / "copse").rglob("*")):
        if path.suffix in patterns:
            yield path


def room_of(root, path):
    """The folder under copse/ that a file is in; empty for copse/copse.h."""
    parts = path.relative_to(Path(root) / "copse").parts
    return parts[0] if len(parts) > 1 else ""


def blank(text):
    return "".join("\n" if c == "\n" else " " for c in text)


def code_only(text):
    """Comments and literals blanked out; lines and columns stay where they were."""
    return TOKEN.sub(lambda match: blank(match[0]), text)


def literals(text):
    """Pairs of line number and string literal, those of comments and #include left out."""
    for match in TOKEN.finditer(text):
        if match[0].startswith(("//", "/*", "'")):
            continue
        line = text.count("\n", 0, match.start()) + 1
        start = text.rfind("\n", 0, match.start()) + 1
        if not text[start:match.start()].lstrip().startswith("#"):
            yield line, match[0]


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1
