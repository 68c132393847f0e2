# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Pollux developers
"""The committed documents are those the tables make. test_pages.py --write brings them up to date."""

import os
import sys

import plx

COMMANDS_BEGIN, COMMANDS_END = ".SH COMMANDS\n", ".SH FILES\n"
REFERENCE_BEGIN = "<!-- pollux --print reference -->\n"


def put(text, begin, end, part):
    """The text with what stands between begin and end replaced; end None: to the end."""
    head, rest = text.split(begin, 1)
    tail = "" if end is None else end + rest.split(end, 1)[1]
    return head + begin + part + tail


def documents():
    """(path, committed text, right text)"""
    for name, document in (("config/pollux.conf", "sample"), ("doc/pollux.conf.5", "manual")):
        path = plx.SOURCE / name
        yield path, path.read_text() if path.exists() else "", plx.good("--print", document)
    path = plx.SOURCE / "doc/pollux.1"
    text = path.read_text()
    yield path, text, put(text, COMMANDS_BEGIN, COMMANDS_END, plx.good("--print", "commands"))
    path = plx.SOURCE / "doc/console.md"
    text = path.read_text()
    yield path, text, put(text, REFERENCE_BEGIN, None, plx.good("--print", "reference"))


def test_committed_documents_are_up_to_date(_folder):
    for path, committed, right in documents():
        assert committed == right, f"{path.name} is old: POLLUX=... test_pages.py --write"


def test_manual_pages_are_right_for_man(_folder):
    import subprocess
    plx.need("man")
    for name in ("pollux.1", "pollux.conf.5"):
        done = subprocess.run(["man", "--warnings", "-l", str(plx.SOURCE / "doc" / name)], capture_output=True, text=True,
                              env={**os.environ, "MANWIDTH": "100", "LC_ALL": "C.UTF-8"}, check=False)
        assert done.returncode == 0 and done.stderr == "", done.stderr
        assert "pollux" in done.stdout


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        for a_path, _, wanted in documents():
            a_path.write_text(wanted)
    else:
        plx.main(globals())
