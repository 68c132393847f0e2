#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Pollux developers
"""Read meson's testlog.json: print what did not pass, and one line "PASSED FAILED SKIPPED" at the end.

Usage: results.py LABEL TESTLOG.json
"""

import json
import sys

TAIL = 40
PASSED = ("OK", "EXPECTEDFAIL")


def tail(entry):
    output = (entry.get("stdout") or "").splitlines() + (entry.get("stderr") or "").splitlines()
    return output[-TAIL:]


def skip_reason(entry):
    """What the test said last before it ended with 77."""
    lines = [line.strip() for line in tail(entry) if line.strip()]
    return lines[-1] if lines else "no reason given"


def main(argv):
    label, path = argv[1], argv[2]
    passed = failed = skipped = 0
    with open(path, encoding="utf-8") as log:
        entries = [json.loads(line) for line in log if line.strip()]
    for entry in entries:
        name = entry["name"].split(" / ")[-1]
        if entry["result"] in PASSED:
            passed += 1
        elif entry["result"] == "SKIP":
            skipped += 1
            print(f"  skipped {label}/{name}: {skip_reason(entry)}")
        else:
            failed += 1
            print(f"  FAILED {label}/{name}: {entry['result']} after {entry['duration']:.1f} s,"
                  f" status {entry['returncode']}; the end of its output:")
            for line in tail(entry):
                print("    | " + line)
    slow = sorted(entries, key=lambda entry: entry["duration"], reverse=True)[:3]
    if slow and slow[0]["duration"] >= 10:
        print("  longest: " + ", ".join(f"{e['name'].split(' / ')[-1]} {e['duration']:.0f} s" for e in slow))
    print(passed, failed, skipped)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
