# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Pollux developers
"""What the tests of the program share: running it, a daemon with its socket, a folder that goes away.

A test file ends with plx.main(globals()): each function named test_* runs with a folder of its own, and says with
its name what it expects. Exit 77 only through plx.need().
"""

import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback

POLLUX = os.environ.get("POLLUX", "pollux")
SOURCE = pathlib.Path(os.environ.get("POLLUX_SOURCE", pathlib.Path(__file__).parents[3]))
LIMIT = 120


class Skip(Exception):
    """A named need is missing."""


def need(program):
    """The program, or a skip that names it."""
    path = shutil.which(program)
    if path is None:
        raise Skip(f"needs {program}")
    return path


def run(*args, stdin="", env=None, limit=LIMIT):
    """Run pollux to its end."""
    return subprocess.run([POLLUX, *map(str, args)], input=stdin, capture_output=True, text=True, timeout=limit,
                          env={**os.environ, **(env or {})}, check=False)


def good(*args, **kwargs):
    """Run it; it must succeed. Its standard output."""
    done = run(*args, **kwargs)
    assert done.returncode == 0, f"{args}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def bad(*args, code=1, **kwargs):
    """Run it; it must fail with the code and without a crash. Its standard error."""
    done = run(*args, **kwargs)
    assert done.returncode == code, f"{args}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    assert done.stderr, f"{args}: no sentence"
    return done.stderr


def script(folder, *lines, args=(), code=0):
    """Run command lines from a file, then end. (answers as JSON values, standard error)"""
    path = folder / "script"
    path.write_text("\n".join([*lines, "quit", ""]))
    done = run(*args, "--json", "--socket", "none", "--cmdline-file", path)
    assert done.returncode == code, f"{lines}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    return [a for a in answers if a is not None], done.stderr


class Daemon:
    """A pollux in the background with a control socket in the test's folder."""

    def __init__(self, folder, *args, env=None):
        self.path = folder / "ctl.sock"
        self.err = open(folder / "daemon.err", "w+", encoding="utf-8")
        self.proc = subprocess.Popen([POLLUX, *map(str, args), "--socket", str(self.path)],
                                     stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self.err,
                                     env={**os.environ, **(env or {})})
        until(self.answers, f"the daemon does not answer: {self.errors()}")

    def answers(self):
        assert self.proc.poll() is None, f"the daemon ended: {self.errors()}"
        with socket.socket(socket.AF_UNIX) as s:
            try:
                s.connect(str(self.path))
                return True
            except OSError:
                return False

    def errors(self):
        self.err.flush()
        return pathlib.Path(self.err.name).read_text(encoding="utf-8")

    def ctl(self, *words, code=0):
        """One command; its answer as a JSON value, or with another code its sentence."""
        done = run("ctl", "--socket", self.path, "--json", *words)
        assert done.returncode == code, f"{words}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
        if code != 0:
            return done.stderr
        return json.loads(done.stdout) if done.stdout.strip() else None

    def start(self, *words):
        """A command in the background."""
        return subprocess.Popen([POLLUX, "ctl", "--socket", str(self.path), "--json", *map(str, words)],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def end(self, sig=signal.SIGTERM):
        """Signal it and wait: its exit code."""
        if self.proc.poll() is None:
            self.proc.send_signal(sig)
        code = self.proc.wait(timeout=LIMIT)
        self.err.close()
        return code

    def __enter__(self):
        return self

    def __exit__(self, kind, *rest):
        if self.proc.poll() is None:
            self.proc.kill()
            self.proc.wait()
        if not self.err.closed:
            if kind is not None:
                sys.stderr.write(self.errors())
            self.err.close()


def until(check, text, limit=30):
    """Wait for a condition."""
    end = time.monotonic() + limit
    while not check():
        assert time.monotonic() < end, text
        time.sleep(0.05)


def leftovers(folder):
    """Files jobs use on their way."""
    return [p.name for p in folder.iterdir() if ".pollux-" in p.name]


def openssl(*args, **kwargs):
    """Run openssl; it must succeed. Its output."""
    return subprocess.run([need("openssl"), *map(str, args)], capture_output=True, check=True, timeout=LIMIT,
                          **kwargs).stdout


def main(names):
    """Run the test_ functions of a module."""
    # under nohup it is ignored, and every pollux started from here would keep it so
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    failed = skipped = 0
    wanted = sys.argv[1:]
    for name, function in list(names.items()):
        if not name.startswith("test_") or (wanted and name not in wanted):
            continue
        with tempfile.TemporaryDirectory(prefix="pollux-test-") as folder:
            started = time.monotonic()
            try:
                function(pathlib.Path(folder))
                print(f"ok {name} ({time.monotonic() - started:.1f} s)", flush=True)
            except Skip as why:
                skipped += 1
                print(f"skipped {name}: {why}", flush=True)
            except Exception:  # pylint: disable=broad-except
                failed += 1
                print(f"FAILED {name}\n{traceback.format_exc()}", flush=True)
    sys.exit(1 if failed else 77 if skipped else 0)
