# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Pollux developers
"""The prompt on a terminal: what Ctrl-C does, and the demo that goes on to it."""

import os
import pty
import re
import select
import signal
import time

import plx


class Terminal:
    """pollux on a terminal of its own."""

    def __init__(self, *args, env=None):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update({"TERM": "dumb", **(env or {})})
            os.execvp(plx.POLLUX, [plx.POLLUX, *map(str, args)])
        self.text = ""

    def wait(self, pattern, limit=60):
        """Read until the text has the pattern; what came after the last match before is looked at."""
        end = time.monotonic() + limit
        while True:
            found = re.search(pattern, self.text)
            if found:
                self.text = self.text[found.end():]
                return found
            assert time.monotonic() < end, f"no {pattern!r} in {self.text!r}"
            if select.select([self.fd], [], [], 0.2)[0]:
                try:
                    self.text += os.read(self.fd, 65536).decode(errors="replace")
                except OSError as why:
                    raise AssertionError(f"it ended; no {pattern!r} in {self.text!r}") from why

    def type(self, text):
        os.write(self.fd, text.encode())

    def code(self, limit=60):
        end = time.monotonic() + limit
        while time.monotonic() < end:
            if select.select([self.fd], [], [], 0.1)[0]:
                try:
                    os.read(self.fd, 65536)
                except OSError:
                    pass
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                os.close(self.fd)
                return os.waitstatus_to_exitcode(status)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        raise AssertionError(f"it does not end: {self.text!r}")


def test_ctrl_c_ends_the_command_and_not_the_prompt(folder):
    big = folder / "big"
    with open(big, "wb") as f:
        f.truncate(8 << 30)
    term = Terminal("-i", "--socket", "none")
    term.wait("pollux> ")
    term.type("container create c\nkey generate c/a aes-256\n")
    term.wait("key c/a generated")
    term.type(f"job encrypt {big} {folder}/out alg=aes-256-gcm key=c/a\n")
    term.wait(r"of 8589\.9 MB")  # progress
    term.type("\x03")
    term.wait("interrupted")
    assert not (folder / "out").exists() and not plx.leftovers(folder)
    term.type("show version\n")
    term.wait("openssl")
    term.type("quit\n")
    assert term.code() == 0


def test_ctrl_c_at_an_idle_prompt_and_end_of_input_end_it(_folder):
    for text in ("\x03", "\x04", "quit\n"):
        term = Terminal("-i", "--socket", "none")
        term.wait("pollux> ")
        term.type(text)
        assert term.code() == 0


def test_second_signal_ends_it_at_once(folder):
    big = folder / "big"
    with open(big, "wb") as f:
        f.truncate(1 << 30)
    term = Terminal("--socket", "none")
    term.wait("Ctrl-C ends it")
    os.kill(term.pid, signal.SIGSTOP)  # both are there when it looks
    os.kill(term.pid, signal.SIGTERM)
    os.kill(term.pid, signal.SIGINT)
    os.kill(term.pid, signal.SIGCONT)
    assert term.code() in (128 + signal.SIGTERM, 128 + signal.SIGINT)


def test_demo_goes_on_to_the_prompt(folder):
    path = folder / "file"
    path.write_bytes(os.urandom(50000))
    term = Terminal("--demo", path, "--socket", folder / "s", env={"TMPDIR": str(folder)})
    term.wait("10 of 10 rows checked")
    term.wait("pollux> ")
    assert (folder / "s").exists()
    term.type("show engines\n")
    term.wait("running")
    term.type("quit\n")
    assert term.code() == 0


if __name__ == "__main__":
    plx.main(globals())
