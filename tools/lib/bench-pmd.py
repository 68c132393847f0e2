#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Pollux developers
"""Our drivers beside DPDK's in dpdk-test-crypto-perf; JSON lines as pollux-bench writes them.

Started by tools/bench pmd. Each participant is a process of dpdk-test-crypto-perf with one submitting lcore, for all
sizes in turn; processes of all participants take turns, round by round. Where a second lcore works for the submitter
(an engine, a worker of crypto_scheduler) it is the other CPU, for all alike.
"""

import argparse
import fnmatch
import json
import os
import pathlib
import statistics
import subprocess
import sys

SIZES = [64, 256, 1024, 4096, 16384]
ALGORITHMS = {
    "aes-256-gcm": ["--optype", "aead", "--aead-algo", "aes-gcm", "--aead-op", "encrypt", "--aead-key-sz", "32",
                    "--aead-iv-sz", "12", "--aead-aad-sz", "16", "--digest-sz", "16"],
    "aes-128-cbc-sha1": ["--optype", "cipher-then-auth", "--cipher-algo", "aes-cbc", "--cipher-op", "encrypt",
                         "--cipher-key-sz", "16", "--cipher-iv-sz", "16", "--auth-algo", "sha1-hmac", "--auth-op",
                         "generate", "--auth-key-sz", "64", "--digest-sz", "20"],
}
# name: vdevs, driver, whether a second lcore of the program is needed
WAYS = {
    "crypto_openssl": (["crypto_openssl0"], "crypto_openssl", False),
    "crypto_aesni_mb": (["crypto_aesni_mb0"], "crypto_aesni_mb", False),
    "crypto_scheduler": (["crypto_aesni_mb0,name=mb0", "crypto_scheduler0,worker=mb0,mode=multi-core,corelist=2"],
                         "crypto_scheduler", True),
    "plx_mb": (["crypto_plx_mb0"], "crypto_plx_mb", False),
    "pollux-inline": (["crypto_pollux0,device=crypto_aesni_mb,mode=inline"], "crypto_pollux", False),
    "pollux-pipeline": (["crypto_pollux0,device=crypto_aesni_mb,mode=pipeline,engines=1,cores={other}"],
                        "crypto_pollux", False),
}
PAIRS = [("plx_mb", "crypto_openssl"), ("plx_mb", "crypto_aesni_mb"), ("pollux-inline", "crypto_aesni_mb"),
         ("pollux-pipeline", "crypto_aesni_mb"), ("pollux-pipeline", "crypto_scheduler")]
# ops at 64 bytes; fewer as they get longer
OPS = 400000


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("build", help="build folder with pollux-bench and the drivers")
    parser.add_argument("name", choices=["pmd"])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--case", default="*")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--window-ms", type=int, help="taken, and not needed: a window is a number of ops")
    args = parser.parse_args()
    if args.rounds is not None and not 1 <= args.rounds <= 101:
        parser.error(f"--rounds {args.rounds}: must be a number from 1 to 101")
    return args


def say(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


def cases(pattern):
    return [(alg, size) for alg in ALGORITHMS for size in SIZES if fnmatch.fnmatch(f"{alg}/{size}", pattern)]


def command(build, way, algorithm, sizes, ops):
    cpus = sorted(os.sched_getaffinity(0))
    main, other = cpus[-1], cpus[0]
    vdevs, driver, has_worker = WAYS[way]
    lcores = f"0@{other},1@{main}" + (f",2@{other}" if has_worker else "")
    line = ["dpdk-test-crypto-perf", "--lcores", lcores, "--no-pci", "--file-prefix", f"plxpmd{os.getpid()}"]
    line += ["--in-memory", "-m", "512"] if has_hugepages() else ["--no-huge", "--no-shconf", "-m", "512"]
    for name in ("plx_mb", "pollux"):
        if driver == f"crypto_{name}":
            line += ["-d", f"librte_crypto_{name}.so"]
    for vdev in vdevs:
        line += ["--vdev", vdev.format(other=other)]
    line += ["--", "--devtype", driver, "--ptest", "throughput", "--silent", "--csv-friendly", "--burst-sz", "32",
             "--total-ops", str(ops), "--buffer-sz", ",".join(map(str, sizes))] + ALGORITHMS[algorithm]
    folders = [str(build / "pmd" / name) for name in ("plx_mb", "pollux")]
    return line, {**os.environ, "LD_LIBRARY_PATH": ":".join(folders)}


def has_hugepages():
    text = pathlib.Path("/proc/meminfo").read_text(encoding="ascii")
    fields = dict(line.split(":") for line in text.splitlines())
    return int(fields["HugePages_Free"].split()[0]) * int(fields["Hugepagesize"].split()[0]) >= 600 * 1024


def run(build, way, algorithm, sizes, ops):
    """Size -> ops a second."""
    line, env = command(build, way, algorithm, sizes, ops)
    done = subprocess.run(line, check=False, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=300)
    rates = {}
    for row in done.stdout.splitlines():
        cells = row.split(",")
        # lcore, bytes, burst, enqueued, dequeued, ..., Mops, Gbps, cycles
        if len(cells) >= 10 and cells[0].isdigit() and cells[3] == cells[4] == str(ops):
            rates[int(cells[1])] = float(cells[7]) * 1e6
    if done.returncode != 0 or sorted(rates) != sorted(sizes):
        raise RuntimeError(f"{' '.join(line)}\nended with {done.returncode}:\n{done.stdout[-1500:]}")
    return rates


def ops_for(size):
    return max(OPS * 64 // max(size, 64) // (1 if size <= 1024 else 2), 4000)


def measure(build, algorithm, sizes, rounds):
    """Way -> size -> a rate a round. Long buffers take fewer ops, so short and long ones are two processes."""
    rates = {way: {size: [] for size in sizes} for way in WAYS}
    groups = [g for g in ([s for s in sizes if s <= 1024], [s for s in sizes if s > 1024]) if g]
    names = list(WAYS)
    for turn in range(rounds):
        for place in range(len(names)):
            way = names[(turn + place) % len(names)]
            for group in groups:
                for size, rate in run(build, way, algorithm, group, ops_for(group[-1])).items():
                    rates[way][size].append(rate)
    return rates


def report(algorithm, size, rates, rounds):
    for subject, peer in PAIRS:
        values, peers = rates[subject][size], rates[peer][size]
        value, peer_value = statistics.median(values), statistics.median(peers)
        ratios = [a / b for a, b in zip(values, peers)]
        print(json.dumps({"bench": "pmd", "case": f"{algorithm}/{size}", "subject": subject, "peer": peer,
                          "metric": "ops_per_s", "unit": "ops/s", "value": value, "peer_value": peer_value,
                          "ratio": value / peer_value, "spread": [min(ratios), max(ratios)], "rounds": rounds}),
              flush=True)
    median = {way: statistics.median(rates[way][size]) for way in WAYS}
    say(f"{algorithm}/{size}: " + ", ".join(f"{s} {median[s] / median[p]:.2f} of {p}" for s, p in PAIRS))


def main():
    args = arguments()
    wanted = cases(args.case)
    if not wanted:
        say(f"no case of pmd matches '{args.case}'; --list names them")
        return 2
    if args.list:
        print("\n".join(f"{alg}/{size}" for alg, size in wanted))
        return 0
    build = pathlib.Path(args.build).resolve()
    rounds = args.rounds or (3 if args.quick else 9)
    head = subprocess.run([build / "app" / "bench" / "pollux-bench", f"--rounds={rounds}", "--machine=pmd"], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    print(head.strip(), flush=True)
    for algorithm in ALGORITHMS:
        sizes = [size for alg, size in wanted if alg == algorithm]
        if args.quick and algorithm != "aes-256-gcm" and args.case == "*":
            continue
        if sizes:
            rates = measure(build, algorithm, sizes, rounds)
            for size in sizes:
                report(algorithm, size, rates, rounds)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (OSError, RuntimeError, subprocess.SubprocessError) as error:
        say(str(error))
        sys.exit(1)
