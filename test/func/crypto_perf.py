#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Pollux developers
"""Stock dpdk-test-crypto-perf with symmetric operations on a driver of ours.

  throughput, latency, pmd-cyclecount   AES-128-GCM of 256 bytes: each operation comes back
  verify                                AES-128-CBC with HMAC-SHA1: each result is what OpenSSL and Python make of it; and with
                                        one bit of the expected digest turned, each one is counted as wrong

Usage: crypto_perf.py DRIVER VDEV..      LD_LIBRARY_PATH names the folder of the driver; {cpu} in a VDEV becomes the number of a
CPU that this process may use
Exit 77: dpdk-test-crypto-perf is not installed.
"""

import hashlib
import hmac
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from stock import AEAD, fail, lcores, need, run

PROGRAM = "dpdk-test-crypto-perf"
OPS = 20000
SIZE = 256
CHAIN = ("--optype cipher-then-auth --cipher-algo aes-cbc --cipher-op encrypt --cipher-key-sz 16 --cipher-iv-sz 16 --auth-algo"
         " sha1-hmac --auth-op generate --auth-key-sz 64 --digest-sz 20").split()


def perf(vdev, ptest, operation, more=()):
    driver = sys.argv[1]
    code, output = run(PROGRAM, lcores(2), ["-d", f"librte_{driver}.so", "--vdev", vdev, "--", "--devtype", driver,
                                            "--ptest", ptest, *operation, "--total-ops", str(OPS), "--burst-sz", "32",
                                            "--buffer-sz", str(SIZE), *more])
    if code != 0:
        fail(f"{vdev}, {ptest}: exit {code}", output)
    return output


def row(output):
    """Numbers behind lcore, buffer size and burst size."""
    rows = re.findall(rb"^\s+1\s+%d\s+32((?:\s+[\d.]+)+)\s*$" % SIZE, output, re.MULTILINE)
    return rows[-1].split() if rows else []


def there_and_back(vdev, ptest):
    output = perf(vdev, ptest, AEAD, ["--silent"])
    numbers = re.findall(rb"(?:en|de)queued\s+(\d+)", output) if ptest == "latency" else row(output)[:2]
    if [int(number) for number in numbers] != [OPS, OPS]:
        fail(f"{ptest}: {numbers} operations of {OPS} went in and came back", output)
    print(f"  {ptest}: {OPS} of {OPS} came back")


def vectors(path, damage):
    """A file of test vectors as the program reads it."""
    source = random.Random(7)
    key, auth_key, iv, plain = (source.randbytes(n) for n in (16, 64, 16, SIZE))
    cipher = subprocess.run(["openssl", "enc", "-aes-128-cbc", "-nopad", "-K", key.hex(), "-iv", iv.hex()], input=plain, check=True,
                            stdout=subprocess.PIPE).stdout
    digest = bytearray(hmac.new(auth_key, cipher, hashlib.sha1).digest())
    digest[0] ^= damage
    fields = {"plaintext": plain, "ciphertext": cipher, "cipher_key": key, "auth_key": auth_key, "cipher_iv": iv}
    lines = [f"{name} =\n{', '.join(f'0x{byte:02x}' for byte in value)}" for name, value in fields.items()]
    lines += ["[sha1]", f"digest =\n{', '.join(f'0x{byte:02x}' for byte in digest)}"]
    path.write_text("\n".join(lines) + "\n", encoding="ascii")


def verify(vdev, folder):
    for damage in (0, 1):
        path = folder / f"vectors{damage}"
        vectors(path, damage)
        output = perf(vdev, "verify", CHAIN, ["--test-file", path, "--test-name", "sha1"])
        numbers = [int(number) for number in row(output)]
        if len(numbers) != 5 or numbers[:2] != [OPS, OPS] or numbers[4] != damage * OPS:
            fail(f"verify{', digest damaged' if damage else ''}: enqueued, dequeued, failed enqueues, failed dequeues, failed"
                 f" operations are {numbers}", output)
    print(f"  verify: {OPS} of {OPS} right; {OPS} found wrong with a damaged digest")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    need(PROGRAM)
    need("openssl", "openssl")
    for name in sys.argv[2:]:
        vdev = name.replace("{cpu}", str(min(os.sched_getaffinity(0))))
        print(f"{PROGRAM} on {vdev}")
        for ptest in ("throughput", "latency", "pmd-cyclecount"):
            there_and_back(vdev, ptest)
        with tempfile.TemporaryDirectory(prefix="plx-crypto-perf-") as folder:
            verify(vdev, pathlib.Path(folder))


main()
