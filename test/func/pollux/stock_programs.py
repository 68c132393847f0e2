#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Pollux developers
"""crypto_pollux under programs that know nothing of it.

  service   dpdk-test-crypto-perf with engines as services on a service lcore: each operation comes back
  refused   arguments that are wrong keep the program from starting, with a sentence
  openssl, aesni_mb, default
            dpdk-test's generic symmetric suite under that driver's name, over the device and over the device
            behind crypto_pollux, inline and through engines: what passes on the device passes behind it. Cases the
            device runs and crypto_pollux does not offer are counted, listed by kind, and have to be of the kinds named here
  asym      the asymmetric suite of crypto_openssl, likewise
  event     the event crypto adapter's suite

The suites pick their device by the name of its driver: PLX_POLLUX_DRIVER_ALIAS gives crypto_pollux another one.

Usage: stock_programs.py WHAT        LD_LIBRARY_PATH names the folder of librte_crypto_pollux.so
Exit 77: a program is not installed.
"""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from stock import AEAD, fail, lcores, need, run

DRIVER = ["-d", "librte_crypto_pollux.so"]
CASE = re.compile(rb"^ \+ TestCase \[ *\d+\] : (.*) (succeeded|failed|skipped|unsupported)\s*$", re.MULTILINE)
COUNTS = {what: re.compile(rb"Tests " + what + rb"\s*:\s*(\d+)") for what in (b"Executed", b"Passed", b"Failed", b"Skipped")}
OPS = 100000
CHAINED = re.compile(rb"support.*scatter|support.*SGL|support.*segment", re.IGNORECASE)
# What is not offered though the device has it, and why.
LACKS = (("chained buffers, on which crypto_aesni_mb breaks", re.compile(rb"scatter|sgl|segs|chained buffers", re.IGNORECASE)),
         ("rte_security", re.compile(rb"DOCSIS-BPI|_PROTO_")))


def do_service():
    need("dpdk-test-crypto-perf")
    code, output = run("dpdk-test-crypto-perf", lcores(3) + ["-S", "2"],
                       [*DRIVER, "--vdev", "crypto_pollux0,device=crypto_aesni_mb,service=on,engines=2", "--", "--devtype",
                        "crypto_pollux", "--ptest", "throughput", *AEAD, "--total-ops", str(OPS), "--burst-sz", "32",
                        "--buffer-sz", "256", "--silent"])
    rows = re.findall(rb"^\s+1\s+256\s+32\s+(\d+)\s+(\d+)\s", output, re.MULTILINE)
    if code != 0 or not rows or any(int(number) != OPS for number in rows[-1]):
        fail(f"engines on a service lcore: exit {code}, {rows}", output)
    print(f"engines on a service lcore: {OPS} operations there and back")
    code, output = run("dpdk-test-crypto-perf", lcores(2),
                       [*DRIVER, "--vdev", "crypto_pollux0,device=crypto_aesni_mb,service=on", "--", "--devtype", "crypto_pollux"])
    if code == 0 or b"has no service lcore" not in output:
        fail("service=on without service lcores says nothing", output)
    print("service=on without service lcores is refused with a sentence")


def do_refused():
    need("dpdk-test-crypto-perf")
    for arguments, words in (("burst=0", b'burst: "0" is not taken; give 1..256'),
                             ("engines=100", b'engines: "100" is not taken; give 0..64'),
                             ("device=crypto_none", b"no driver 'crypto_none' is loaded"),
                             ("speed=11", b"no argument 'speed' (besides device)")):
        code, output = run("dpdk-test-crypto-perf", lcores(2), [*DRIVER, "--vdev", "crypto_pollux0," + arguments, "--"])
        if code == 0 or words not in output:
            fail(f"{arguments}: '{words.decode()}' is not said", output)
        print(f"{arguments}: refused: {words.decode()}")


def suite(name, vdev, alias=None, number=2):
    """Of a suite: [(case, result)] in order, counts by word, the output. A case that is skipped for want of chained
    buffers, which not all tell by their names, has that behind its result."""
    arguments = ["--vdev", vdev] + (DRIVER if alias is not None else [])
    env = {"DPDK_TEST": name, **({"PLX_POLLUX_DRIVER_ALIAS": alias} if alias else {})}
    code, output = run("dpdk-test", lcores(number), arguments, env)
    counts = {}
    for what, pattern in COUNTS.items():
        found = pattern.findall(output)
        if not found:
            fail(f"{name} on {vdev} did not come to its end (exit {code})", output)
        counts[what.decode()] = int(found[-1])
    cases, end = [], 0
    for match in CASE.finditer(output):
        why = b" (chained buffers)" if CHAINED.search(output, end, match.start()) else b""
        cases.append((match.group(1), match.group(2) + (why if match.group(2) == b"skipped" else b"")))
        end = match.end()
    return cases, counts, output


def numbered(cases):
    """{(case, how many of that name before it): result}: names come more than once, suites may be left out whole."""
    seen, results = {}, {}
    for case, result in cases:
        results[case, seen.setdefault(case, 0)] = result
        seen[case] += 1
    return results


def compare(name, driver, vdev, own, least, may_lack=()):
    """Every case that passes on the device itself passes, or is not offered and of a kind that may be."""
    own_cases, own_counts, _ = own
    cases, counts, output = suite(name, vdev, alias=driver)
    results = numbered(cases)
    lacking, worse = [], []
    for key, result in numbered(own_cases).items():
        mine = results.get(key, b"skipped")
        if result == b"succeeded" and mine != b"succeeded":
            (lacking if mine.startswith(b"skipped") else worse).append(key[0] + mine[len(b"skipped"):])
    print(f"dpdk-test {name} (driver name alias {driver}), {vdev}: {counts['Executed']} run, {counts['Passed']} passed, "
          f"{counts['Failed']} failed; the device itself: {own_counts['Executed']} run, {own_counts['Passed']} passed")
    for why, pattern in may_lack:
        of_kind = [case for case in lacking if pattern.search(case)]
        lacking = [case for case in lacking if not pattern.search(case)]
        print(f"  not offered, {why}: {len(of_kind)}")
        for case in of_kind:
            print("    " + case.decode(errors="replace"))
    if worse or lacking or counts["Failed"] != own_counts["Failed"]:
        fail("worse than the device itself: " + "; ".join(case.decode(errors="replace") for case in worse + lacking), output)
    if counts["Passed"] < least:
        fail(f"{counts['Passed']} passed; want at least {least}", output)


def do_openssl():
    need("dpdk-test")
    name = "cryptodev_openssl_autotest"
    own = suite(name, "crypto_openssl0")
    for more in ("", ",engines=2"):
        compare(name, "crypto_openssl", "crypto_pollux0,device=crypto_openssl" + more, own, 238)


def do_aesni_mb():
    need("dpdk-test")
    name = "cryptodev_aesni_mb_autotest"
    own = suite(name, "crypto_aesni_mb0")
    for more in ("", ",engines=2"):
        compare(name, "crypto_aesni_mb", "crypto_pollux0,device=crypto_aesni_mb" + more, own, 340, LACKS)


def do_default():
    need("dpdk-test")
    name = "cryptodev_openssl_autotest"
    own = suite(name, "crypto_openssl0")
    for more in ("", ",engines=2"):
        compare(name, "crypto_openssl", "crypto_pollux0" + more, own, 340, LACKS)


def do_asym():
    need("dpdk-test")
    name = "cryptodev_openssl_asym_autotest"
    own = suite(name, "crypto_openssl0")
    for more in ("", ",engines=2"):
        compare(name, "crypto_openssl", "crypto_pollux0,device=crypto_openssl" + more, own, 10)


def do_event():
    need("dpdk-test")
    name = "event_crypto_adapter_autotest"
    for more in ("", ",engines=1"):
        # one queue pair behind: the adapter steps on queue pairs of devices that are not in it
        vdev = "crypto_pollux0,device=crypto_null,queue-pairs=1" + more
        cases, counts, output = suite(name, vdev, alias="", number=4)
        if counts["Executed"] < 7 or counts["Failed"] != 0 or counts["Passed"] != counts["Executed"]:
            fail(f"{name} on {vdev}: {counts}", output)
        skipped = ", ".join(case.decode() for case, result in cases if result.startswith(b"skipped"))
        print(f"dpdk-test {name}, {vdev}: {counts['Executed']} run, {counts['Passed']} passed; skipped: {skipped}")


def main():
    what = globals().get("do_" + sys.argv[1]) if len(sys.argv) == 2 else None
    if what is None:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    what()
    return 0


if __name__ == "__main__":
    sys.exit(main())
