# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Pollux developers
"""Starting DPDK's own programs, for the tests that look at our drivers from there."""

import os
import shutil
import subprocess
import sys

AEAD = ("--optype aead --aead-algo aes-gcm --aead-op encrypt --aead-key-sz 16 --aead-iv-sz 12 --aead-aad-sz 16"
        " --digest-sz 16").split()


def fail(text, output=b""):
    sys.stderr.buffer.write(b"\n".join(output.splitlines()[-40:]) + b"\n")
    print(f"FAILED: {text}", file=sys.stderr)
    sys.exit(1)


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def need(program, package="dpdk-dev"):
    if shutil.which(program) is None:
        skip(f"{program} is not installed (package {package})")


def lcores(number):
    """That many lcores that float over the first two CPUs, or over the only one."""
    cpus = sorted(os.sched_getaffinity(0))[:2]
    ids = f"0-{number - 1}" if number > 1 else "0"
    return ["--lcores", f"({ids})@({','.join(str(cpu) for cpu in cpus)})"]


def run(program, eal, arguments, env=None, timeout=300, memory=512):
    """Status and output."""
    command = [program, *eal, "-m", str(memory), "--no-pci", "--no-huge", "--no-shconf", "--file-prefix",
               f"plx_func_{os.getpid()}", *arguments]
    try:
        done = subprocess.run(command, env={**os.environ, **(env or {})}, stdin=subprocess.DEVNULL, timeout=timeout,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    except subprocess.TimeoutExpired as late:
        fail(f"{' '.join(map(str, command))}: not finished after {timeout} s", late.output or b"")
    return done.returncode, done.stdout
