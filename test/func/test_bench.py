#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Pollux developers
"""What tools/bench writes is well formed: cases, subjects, peers, ratios, table, plot and errors. No timing is judged.

Usage: test_bench.py POLLUX-BENCH
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

BENCH = pathlib.Path(__file__).resolve().parents[2] / "tools" / "bench"
PROGRAM = None
SHORT = ["--rounds", "2", "--window-ms", "2"]
KEYS = {"bench", "case", "subject", "peer", "metric", "unit", "value", "peer_value", "ratio", "spread", "rounds"}
QUEUE_PAIRS = {("lane", "mutex-one"), ("lane", "mutex-many"), ("mutex-many", "mutex-one")}
ENGINE_PAIRS = {("inline", "direct"), ("pipeline", "direct"), ("scheduler", "direct")}


def bench(*args):
    return subprocess.run([BENCH, *args, "--program", PROGRAM], check=False, capture_output=True, text=True)


class Lines(unittest.TestCase):
    """A short run of one case of each benchmark."""

    def run_case(self, name, case, *args):
        with tempfile.TemporaryDirectory() as folder:
            lines, plot = pathlib.Path(folder, "lines.json"), pathlib.Path(folder, "plot.svg")
            done = bench(name, "--case", case, *SHORT, *args, "--json", str(lines), "--plot", str(plot))
            self.assertEqual(done.returncode, 0, done.stderr)
            objects = [json.loads(line) for line in lines.read_text(encoding="utf-8").splitlines()]
            root = xml.etree.ElementTree.parse(plot).getroot() if plot.exists() else None
        return done, objects, root

    def check_lines(self, objects, name, case, pairs, metrics):
        head, rows = objects[0], objects[1:]
        self.assertEqual(head["bench"], name)
        self.assertNotIn("case", head)
        for key in ("cpu", "cpus", "kernel", "os", "features", "hugepages"):
            self.assertIn(key, head["machine"])
        for key in ("pollux", "commit", "dpdk", "openssl", "compiler"):
            self.assertTrue(head["versions"][key], key)
        self.assertEqual({(r["subject"], r["peer"], r["metric"]) for r in rows},
                         {(*pair, metric) for pair in pairs for metric in metrics})
        self.assertEqual(len(rows), len(pairs) * len(metrics))
        for row in rows:
            self.assertEqual(set(row), KEYS)
            self.assertEqual((row["bench"], row["case"]), (name, case))
            self.assertGreater(row["value"], 0)
            self.assertGreater(row["peer_value"], 0)
            self.assertAlmostEqual(row["ratio"], row["value"] / row["peer_value"], delta=1e-6 * row["ratio"])
            self.assertLessEqual(row["spread"][0], row["spread"][1])
            self.assertGreater(row["spread"][0], 0)
            self.assertEqual(row["rounds"], 2)

    def test_queue_writes_each_pair(self):
        for case in ("null/1", "sha-256/2"):
            _, objects, _ = self.run_case("queue", case)
            self.check_lines(objects, "queue", case, QUEUE_PAIRS, ("ops_per_s", "ops_per_cpu_s"))

    def test_engine_writes_each_way(self):
        for case in ("aes-256-gcm/64/openssl", "aes-128-cbc/1024/openssl"):
            _, objects, _ = self.run_case("engine", case)
            self.check_lines(objects, "engine", case, ENGINE_PAIRS, ("ops_per_s", "cycles_per_op"))

    def test_xts_writes_each_size(self):
        for case in ("512", "512x8", "4096", "16384"):
            _, objects, _ = self.run_case("xts", case)
            self.check_lines(objects, "xts", case, {("plx_mb", "openssl")}, ("gb_per_s", "cycles_per_byte"))
            self.assertEqual({row["unit"] for row in objects[1:]}, {"GB/s", "cycles"})

    def test_table_has_a_line_a_case_with_ratios(self):
        done, objects, _ = self.run_case("queue", "null/[12]", "--quick")
        self.assertTrue(objects[0]["quick"])
        for case in ("null/1", "null/2"):
            lines = [line for line in done.stdout.splitlines() if line.startswith(case + " ")]
            self.assertEqual(len(lines), 2, done.stdout)  # one for each metric
            self.assertEqual([line.count("..") for line in lines], [3, 3])
        self.assertIn("lane/mutex-one", done.stdout)
        self.assertIn("machine: ", done.stdout)

    def test_plot_is_svg(self):
        done, _, root = self.run_case("queue", "aes-256/1")
        if root is None:
            self.assertIn("gnuplot is not installed", done.stderr)
            self.skipTest("gnuplot is not installed")
        self.assertTrue(root.tag.endswith("svg"))


class Words(unittest.TestCase):
    """Lists and errors."""

    def test_lists_all_cases(self):
        queue = bench("queue", "--list").stdout.split()
        self.assertEqual(sorted(queue), sorted(f"{op}/{n}" for op in ("null", "aes-256", "sha-256", "rsa-2048")
                                               for n in (1, 2, 4, 8, 10)))
        engine = bench("engine", "--list").stdout.split()
        self.assertEqual(len(engine), 25)
        for device in ("aesni_mb", "aesni_gcm", "openssl"):
            self.assertIn(f"aes-256-gcm/1024/{device}", engine)
        self.assertIn("aes-128-cbc/16384/openssl", engine)
        self.assertEqual(bench("xts", "--list").stdout.split(), ["512", "512x8", "4096", "16384"])

    def test_help_names_the_benchmarks(self):
        done = bench("--help")
        self.assertEqual(done.returncode, 0)
        for word in ("engine", "queue", "xts", "--quick", "--json", "--plot"):
            self.assertIn(word, done.stdout)

    def test_refuses_what_it_does_not_know(self):
        for args, word in ((("nothing",), "nothing"),
                           (("queue", "--speed"), "--speed"),
                           (("queue", "--case", "md5/*"), "md5/*"),
                           (("queue", "--rounds", "0"), "--rounds 0"),
                           (("queue", "--rounds", "many"), "many"),
                           (("engine", "--window-ms", "1000000"), "1000000"),
                           (("queue", "--json", "/nowhere/at/all"), "/nowhere/at/all"),
                           (("queue", "--plot", "plot.png"), "plot.png")):
            done = bench(*args)
            self.assertNotEqual(done.returncode, 0, args)
            self.assertIn(word, done.stderr, args)
            self.assertNotIn("Traceback", done.stderr)
            self.assertEqual(done.stdout, "", args)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main(verbosity=2)
