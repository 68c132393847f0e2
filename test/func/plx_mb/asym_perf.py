#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Pollux developers
"""Stock dpdk-test-crypto-perf with its asymmetric operations on crypto_plx_mb: each one comes back, and none failed.

22.11 has modex alone, 24.11 signing and more as well; what the installed program does not know is named. The program
counts what went in and came back; it does not look at the status of an operation, so the driver's own count is read, which
it logs when it is stopped.

Usage: asym_perf.py       LD_LIBRARY_PATH names the folder of librte_crypto_plx_mb.so
Exit 77: dpdk-test-crypto-perf is not installed.
"""

import os
import re
import shutil
import subprocess
import sys

PROGRAM = "dpdk-test-crypto-perf"
OPS = 640
WANTED = [("modex", None), ("ecdsa_p256r1", "sign"), ("ecdsa_p256r1", "verify"), ("eddsa_25519", "sign"),
          ("eddsa_25519", "verify"), ("sm2", "sign"), ("sm2", "verify"), ("sm2", "encrypt"), ("sm2", "decrypt")]
STOPS = re.compile(r"stops after (\d+) ops, (\d+) of them with an error")
ROW = re.compile(r"^\s*(\d+)((?:\s+[\d.]+){5,})\s*$", re.MULTILINE)


def fail(text, output=""):
    sys.stderr.write("\n".join(output.splitlines()[-40:]) + "\n")
    print(f"FAILED: {text}", file=sys.stderr)
    sys.exit(1)


def run(optype, op):
    cpus = sorted(os.sched_getaffinity(0))[:2]
    command = [PROGRAM, "--lcores", f"(0-1)@({','.join(map(str, cpus))})", "-m", "512", "--no-pci", "--no-huge", "--no-shconf",
               "--file-prefix", f"plx_asym_perf_{os.getpid()}", "-d", "librte_crypto_plx_mb.so", "--vdev", "crypto_plx_mb0",
               "--log-level", "pmd.crypto.plx_mb:info", "--", "--devtype", "crypto_plx_mb", "--ptest", "throughput",
               "--optype", optype, "--total-ops", str(OPS), "--burst-sz", "32",
               *(["--asym-op", op] if op else [])]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False, timeout=120)
    except subprocess.TimeoutExpired as late:
        fail(f"{optype} {op or ''}: not finished after 120 s", str(late.output or ""))
    return done.returncode, done.stdout


def check(optype, op):
    """True when it ran; False when this version has no such operation."""
    code, output = run(optype, op)
    name = f"{optype} {op}" if op else optype
    if "invalid opt type" in output or "invalid ASYM operation" in output:
        print(f"  not in this version: {name}")
        return False
    rows = ROW.findall(output)
    if code != 0 or not rows:
        fail(f"{name}: exit {code}, {len(rows)} rows of results", output)
    for lcore, numbers in rows:
        # buffer size, burst size, enqueued, dequeued, failed enqueues, failed dequeues
        enqueued, dequeued = (int(text) for text in numbers.split()[2:4])
        if (enqueued, dequeued) != (OPS, OPS):
            fail(f"{name}, lcore {lcore}: {enqueued} of {OPS} operations went in, {dequeued} came back", output)
    counts = STOPS.findall(output)
    if not counts or any(int(nb) < OPS or int(failed) != 0 for nb, failed in counts):
        fail(f"{name}: the driver counts (operations, errors) {counts}", output)
    print(f"  {name}: {OPS} of {OPS} came back, none with an error")
    return True


def main():
    if shutil.which(PROGRAM) is None:
        print(f"skipped: {PROGRAM} is not installed (package dpdk-dev)")
        sys.exit(77)
    nb = sum(check(optype, op) for optype, op in WANTED)
    print(f"{PROGRAM}: {nb} asymmetric operations of {len(WANTED)}")
    if nb == 0:
        fail("none ran")


main()
