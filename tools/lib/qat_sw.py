# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Pollux developers
"""QAT_SW, the multi-buffer half of Intel's QAT engine for OpenSSL, as a peer of tools/bench asym.

It is a package of Debian 13 (qatengine) and runs in the chroot of tools/test --debian13, driven by that release's own
"openssl speed" with as many asynchronous jobs as ops are in flight. speed counts CPU time, and so does the line of plx_mb
beside it. The two take turns, round by round. The engine falls back to plain OpenSSL on a CPU without AVX512-IFMA, so
there it is no peer.
"""

import json
import os
import pathlib
import statistics
import subprocess

# works of pollux-bench: what "openssl speed" calls it, and the prefix of its result, whose fourth field is the rate
WORKS = {"rsa-2048-sign": ("rsa2048", "+F2"), "rsa-3072-sign": ("rsa3072", "+F2"), "rsa-4096-sign": ("rsa4096", "+F2"),
         "p256-sign": ("ecdsap256", "+F4"), "p384-sign": ("ecdsap384", "+F4"), "p256-ecdh": ("ecdhp256", "+F5"),
         "p384-ecdh": ("ecdhp384", "+F5"), "x25519": ("ecdhx25519", "+F5")}
RATE = 3
INFLIGHTS = (1, 2, 4, 8, 32)


def why_not(chroot):
    """What keeps QAT_SW from running here; None when nothing does."""
    if "avx512ifma" not in pathlib.Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace").split():
        return "this CPU has no AVX512-IFMA, which QAT_SW needs"
    if not (chroot / "usr/bin/openssl").exists():
        return f"there is no Debian 13 in {chroot}; tools/test --debian13 makes it"
    if os.geteuid() != 0:
        return "to enter the chroot takes root"
    if not any(chroot.glob("usr/lib/*/engines-3/qatengine.so")):
        return f"qatengine is not installed there: chroot {chroot} apt-get install qatengine"
    return None


def speed(chroot, work, inflight, seconds):
    """Operations a second of CPU time; 0 when speed had nothing to say, or goes on without an engine it did not find."""
    name, prefix = WORKS[work]
    command = ["chroot", chroot, "openssl", "speed", "-mr", "-seconds", str(seconds), "-engine", "qatengine", "-async_jobs",
               str(inflight), name]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          timeout=60 + 20 * seconds)
    if 'Engine "qatengine" set.' not in done.stdout:
        return 0.0
    for line in done.stdout.splitlines():
        fields = line.split(":")
        if fields[0] == prefix:
            return float(fields[RATE])
    return 0.0


def ours(program, case, seconds):
    """plx_mb's operations a second of CPU time."""
    done = subprocess.run([program, "asym", f"--case={case}", "--rounds=1", f"--window-ms={1000 * seconds}"],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    for line in done.stdout.splitlines():
        row = json.loads(line)
        if row.get("metric") == "ops_per_cpu_s" and row.get("subject") == "plx_mb":
            return float(row["value"])
    return 0.0


def rows(program, chroot, wanted, rounds, seconds, say):
    """A result line a case; wanted tells which."""
    for work in WORKS:
        for inflight in INFLIGHTS:
            case = f"{work}/{inflight}"
            if not wanted(case):
                continue
            pairs = [(ours(program, case, seconds), speed(chroot, work, inflight, seconds)) for _ in range(rounds)]
            pairs = [(mine, theirs) for mine, theirs in pairs if mine > 0 and theirs > 0]
            if not pairs:
                say(f"qat_sw {case}: no result")
                continue
            value, peer = (statistics.median(column) for column in zip(*pairs))
            ratios = [mine / theirs for mine, theirs in pairs]
            say(f"{case:18} plx_mb {value:9.0f}/s, qat_sw {peer:9.0f}/s: {value / peer:.2f}")
            yield {"bench": "asym", "case": case, "subject": "plx_mb", "peer": "qat_sw", "metric": "ops_per_cpu_s", "unit": "ops/s",
                   "value": value, "peer_value": peer, "ratio": value / peer, "spread": [min(ratios), max(ratios)],
                   "rounds": len(pairs)}
