#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Pollux developers
"""Our drivers beside DPDK's in dpdk-test-crypto-perf; JSON lines as pollux-bench writes them.

Started by tools/bench pmd. Each participant is a process of dpdk-test-crypto-perf with one submitting lcore; processes of
all participants take turns, round by round. Where a second lcore works for the submitter (an engine, a worker of
crypto_scheduler) it is the other CPU, for all alike. The program's main lcore only waits, but it polls while it does: it
is put on that other CPU with the lowest priority, so that it takes one or two percent of it and not half. A size is
run three times in a process, and the first time, before that is done and caches are warm, is thrown away.
"""

import argparse
import fnmatch
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

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
PASSES = 3
# A peer that dies of a signal is started again, as crypto_scheduler of 22.11 has to be now and then; one of ours is not.
PEER_TRIES = 3
# ops of a pass, about a quarter of a second of crypto_aesni_mb
OPS = {64: 1500000, 256: 1000000, 1024: 450000, 4096: 150000, 16384: 40000}
QUICK_SHARE = 6


class ProgramError(RuntimeError):
    """dpdk-test-crypto-perf did not do what it was told; code is how it ended, negative for a signal."""

    def __init__(self, text, code):
        super().__init__(text)
        self.code = code


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("build", help="build folder with pollux-bench and the drivers")
    parser.add_argument("name", choices=["pmd"])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--case", default="*")
    parser.add_argument("--rounds")
    args = parser.parse_args()
    if args.rounds is not None and not (args.rounds.isdecimal() and 1 <= int(args.rounds) <= 101):
        say(f"--rounds {args.rounds}: must be a number from 1 to 101")
        sys.exit(2)
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


def main_lcore_yields(pid, has_pollux_thread):
    """Wait until the threads that work are there, then give the one that waits the lowest priority."""
    for _ in range(1000):
        try:
            comms = pathlib.Path(f"/proc/{pid}/task").glob("*/comm")
            names = {path.read_text(encoding="utf-8", errors="replace").strip() for path in comms}
            # rte-worker-1, or dpdk-worker1 since 23.07
            if any(re.fullmatch(r".*worker-?1", name) for name in names) and (not has_pollux_thread or "plx-engine0" in names):
                os.setpriority(os.PRIO_PROCESS, pid, 19)
                return
        except OSError:
            return  # it has ended, and says why
        time.sleep(0.01)
    raise RuntimeError(f"dpdk-test-crypto-perf has no worker after 10 s, only {', '.join(sorted(names))}")


def has_engine(way):
    """Does it have a thread of Pollux?"""
    return any("mode=pipeline" in vdev or "mode=auto" in vdev for vdev in WAYS[way][0])


def run(build, way, algorithm, size, ops):
    """Ops a second, of each pass but the first."""
    line, env = command(build, way, algorithm, [size] * PASSES, ops)
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as out:
        with subprocess.Popen(line, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT) as child:
            main_lcore_yields(child.pid, has_engine(way))
            try:
                child.wait(timeout=300)
            except BaseException:
                child.kill()
                raise
        out.seek(0)
        text = out.read()
    rates = []
    for row in text.splitlines():
        cells = row.split(",")
        # lcore, bytes, burst, enqueued, dequeued, ..., Mops, Gbps, cycles
        if len(cells) >= 10 and cells[0].isdigit() and cells[3] == cells[4] == str(ops):
            rates.append(float(cells[7]) * 1e6)
    if child.returncode != 0 or len(rates) != PASSES:
        raise ProgramError(f"{' '.join(line)}\nended with {child.returncode}:\n{text[-1500:]}", child.returncode)
    return rates[1:]


def run_patiently(build, way, algorithm, size, ops):
    is_peer = way in [peer for _, peer in PAIRS]
    for left in range(PEER_TRIES - 1, -1, -1):
        try:
            return run(build, way, algorithm, size, ops)
        except ProgramError as error:
            if not is_peer or error.code >= 0 or left == 0:
                raise
            say(f"{way} was ended by signal {-error.code} at {algorithm}/{size}; once more")
    return []


def measure(build, algorithm, size, rounds, share):
    """Way -> a rate a round; the ways in turn, each round beginning with another one."""
    rates = {way: [] for way in WAYS}
    names = list(WAYS)
    for turn in range(rounds):
        for place in range(len(names)):
            way = names[(turn + place) % len(names)]
            rates[way].append(statistics.mean(run_patiently(build, way, algorithm, size, OPS[size] // share)))
    return rates


def report(algorithm, size, rates, rounds):
    for subject, peer in PAIRS:
        values, peers = rates[subject], rates[peer]
        value, peer_value = statistics.median(values), statistics.median(peers)
        ratios = [a / b for a, b in zip(values, peers)]
        print(json.dumps({"bench": "pmd", "case": f"{algorithm}/{size}", "subject": subject, "peer": peer,
                          "metric": "ops_per_s", "unit": "ops/s", "value": value, "peer_value": peer_value,
                          "ratio": value / peer_value, "spread": [min(ratios), max(ratios)], "rounds": rounds}),
              flush=True)
    median = {way: statistics.median(rates[way]) for way in WAYS}
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
    if len(os.sched_getaffinity(0)) < 2:
        say("pmd takes two CPUs, and this process may use one: engine and submitter would share it (see taskset -p)")
        return 2
    rounds = int(args.rounds) if args.rounds else (2 if args.quick else 9)
    head = subprocess.run([build / "app" / "bench" / "pollux-bench", f"--rounds={rounds}", "--machine=pmd"], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    machine = json.loads(head)
    # other programs do the work, at this process' own priority, in windows of a number of ops
    machine["machine"]["nice"] = os.getpriority(os.PRIO_PROCESS, 0)
    machine["machine"]["cpus"] = len(os.sched_getaffinity(0))
    machine.pop("window_us", None)
    print(json.dumps(machine), flush=True)
    for algorithm, size in wanted:
        if args.quick and algorithm != "aes-256-gcm" and args.case == "*":
            continue
        report(algorithm, size, measure(build, algorithm, size, rounds, QUICK_SHARE if args.quick else 1), rounds)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (OSError, RuntimeError, subprocess.SubprocessError) as error:
        say(str(error))
        sys.exit(1)
