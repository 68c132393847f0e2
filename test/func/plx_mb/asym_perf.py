#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Pollux developers
"""Stock dpdk-test-crypto-perf with its asymmetric operations on crypto_plx_mb: each one comes back, and none failed.

22.11 has modex alone, 24.11 signing and more as well; what the installed program does not know is named. The program
counts what went in and came back; it does not look at the status of an operation, so the driver's own count is read, which
it logs when it is stopped.

Usage: asym_perf.py MIN-OPERATIONS       LD_LIBRARY_PATH names the folder of librte_crypto_plx_mb.so
Exit 77: dpdk-test-crypto-perf is not installed.
"""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from stock import fail, lcores, need, run

PROGRAM = "dpdk-test-crypto-perf"
OPS = 640
WANTED = [("modex", None), ("ecdsa_p256r1", "sign"), ("ecdsa_p256r1", "verify"), ("eddsa_25519", "sign"),
          ("eddsa_25519", "verify"), ("sm2", "sign"), ("sm2", "verify"), ("sm2", "encrypt"), ("sm2", "decrypt")]
STOPS = re.compile(rb"stops after (\d+) ops, (\d+) of them with an error")
ROW = re.compile(rb"^\s*(\d+)((?:\s+[\d.]+){5,})\s*$", re.MULTILINE)


def check(optype, op):
    """True when it ran; False when this version has no such operation."""
    code, output = run(PROGRAM, lcores(2), ["-d", "librte_crypto_plx_mb.so", "--vdev", "crypto_plx_mb0", "--log-level",
                                            "pmd.crypto.plx_mb:info", "--", "--devtype", "crypto_plx_mb", "--ptest",
                                            "throughput", "--optype", optype, "--total-ops", str(OPS), "--burst-sz", "32",
                                            *(["--asym-op", op] if op else [])])
    name = f"{optype} {op}" if op else optype
    if b"invalid opt type" in output:
        print(f"  not in this version: {name}")
        return False
    rows = ROW.findall(output)
    if code != 0 or not rows:
        fail(f"{name}: exit {code}, {len(rows)} rows of results", output)
    for lcore, numbers in rows:
        # buffer size, burst size, enqueued, dequeued, failed enqueues, failed dequeues
        enqueued, dequeued = (int(text) for text in numbers.split()[2:4])
        if (enqueued, dequeued) != (OPS, OPS):
            fail(f"{name}, lcore {int(lcore)}: {enqueued} of {OPS} operations went in, {dequeued} came back", output)
    counts = STOPS.findall(output)
    if not counts or any(int(nb) < OPS or int(failed) != 0 for nb, failed in counts):
        fail(f"{name}: the driver counts (operations, errors) {counts}", output)
    print(f"  {name}: {OPS} of {OPS} came back, none with an error")
    return True


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    need(PROGRAM)
    nb = sum(check(optype, op) for optype, op in WANTED)
    print(f"{PROGRAM}: {nb} asymmetric operations of {len(WANTED)}")
    if nb < int(sys.argv[1]):
        fail(f"{nb} ran; want at least {sys.argv[1]}")


main()
