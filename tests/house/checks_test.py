#!/usr/bin/env python3
"""The checks of the house see what they are there to see: each is given a small house with one
fault in it."""
import contextlib
import io
import tempfile
import unittest
from pathlib import Path

import definitions
import flags
import public_headers
import rooms

DRAWING = """
    cli/                 front ends
    tag/   dependency/   what a user asks for
    learning/            estimators
    base/                the ground

    learning/ does not use base/
"""
SOUND = {
    "docs/architecture.md": DRAWING,
    "copse/copse.h": '#include "copse/tag/tag.h"\n',
    "copse/base/CMakeLists.txt": "copse_room(base SOURCES text.cc)\n",
    "copse/base/text.h": "namespace copse {\nstruct Text {};\nclass Other;\n}\n",
    "copse/learning/CMakeLists.txt": "copse_room(learning SOURCES a.cc)\n",
    "copse/learning/a.cc": "namespace copse {\nnamespace {\nstruct Mine {};\n}\n}\n",
    "copse/tag/CMakeLists.txt": "copse_room(tag SOURCES tag.cc USES base PRIVATE x)\n",
    "copse/tag/tag.h": '#include "copse/base/text.h"\nnamespace copse {\nenum class Tag { a };\n}\n',
    "copse/tag/tag.cc": '// "--threads" is not a message\nnamespace { struct Mine {}; }\n'
                        'const char* style = "--ink: #222; color: var(--ink)";\n',
    "copse/dependency/CMakeLists.txt": "copse_room(dependency SOURCES a.cc)\n",
    "copse/dependency/arc.h": "namespace copse::dependency {\nstruct Text {};\n}\n",
    "copse/cli/CMakeLists.txt": "copse_room(cli SOURCES main.cc USES tag)\n",
    "copse/cli/main.cc": '#include "copse/tag/tag.h"\nconst char* hint = "try --threads";\n',
}


class House(unittest.TestCase):
    def faults(self, check, changes):
        with tempfile.TemporaryDirectory() as root:
            for name, text in {**SOUND, **changes}.items():
                path = Path(root) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                status = check.main(root)
            return status, out.getvalue()

    def sees(self, check, what, changes):
        status, said = self.faults(check, changes)
        self.assertEqual(status, 1, said)
        self.assertIn(what, said)

    def test_a_sound_house_passes(self):
        for check in (rooms, flags, definitions, public_headers):
            status, said = self.faults(check, {})
            self.assertEqual(status, 0, said)

    def test_rooms(self):
        up = {"copse/base/text.cc": '#include "copse/tag/tag.h"\n'}
        self.sees(rooms, "text.cc:1: the drawing does not let base/ use tag/", up)
        beside = {"copse/tag/x.cc": '\n#include "copse/dependency/arc.h"\n'}
        self.sees(rooms, "x.cc:2: the drawing does not let tag/ use dependency/", beside)
        excepted = {"copse/learning/x.cc": '#include "copse/base/text.h"\n'}
        self.sees(rooms, "the drawing does not let learning/ use base/", excepted)
        linked = {"copse/tag/CMakeLists.txt": "copse_room(tag SOURCES tag.cc USES dependency)\n"}
        self.sees(rooms, "tag/CMakeLists.txt: the drawing does not let tag/ use dependency/", linked)
        unlinked = {"copse/dependency/a.cc": '#include "copse/base/text.h"\n'}
        self.sees(rooms, "copse_room(dependency USES ...) does not lead to base", unlinked)
        unknown = {"copse/attic/a.cc": "\n"}
        self.sees(rooms, "attic/ is not in the drawing", unknown)
        door = {"copse/tag/x.cc": '#include "copse/copse.h"\n'}
        self.sees(rooms, "only front ends use the front door", door)
        front = {"copse/copse.h": '#include "copse/cli/command.h"\n'}
        self.sees(rooms, "a front end", front)

    def test_flags(self):
        named = {"copse/tag/x.cc": '\nthrow Error("raise it with --max-words");\n'}
        self.sees(flags, "x.cc:2: the library names the flag --max-words", named)
        raw = {"copse/tag/x.cc": 'f(R"(no (--strict)\n)");\n'}
        self.sees(flags, "the flag --strict", raw)

    def test_definitions(self):
        again = {"copse/tag/x.h": "namespace copse {\nenum class Text : int { a };\n}\n"}
        self.sees(definitions, "copse::Text is defined more than once", again)
        hidden = {"copse/tag/x.cc": "namespace copse {\n struct Text final : Base<int> {\n};\n}\n"}
        self.sees(definitions, "tag/x.cc:2", hidden)

    def test_public_headers(self):
        gone = {"copse/tag/tag.h": '#include "copse/base/none.h"\n'}
        self.sees(public_headers, "copse/base/none.h is not there", gone)
        front = {"copse/tag/tag.h": '#include "copse/cli/command.h"\n', "copse/cli/command.h": "\n"}
        self.sees(public_headers, "copse/cli/command.h is no header for users", front)


if __name__ == "__main__":
    unittest.main()
