# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Pollux developers
"""The main job of tools/run: all rows checked, and not one called good that is not."""

import json
import os
import shutil
import stat

import plx

ROWS = ["encrypt aes-256-ctr", "decrypt aes-256-ctr", "encrypt aes-256-cbc", "decrypt aes-256-cbc", "encrypt aes-256-gcm",
        "decrypt aes-256-gcm", "digest sha256", "mac hmac-sha256", "sign rsa-2048", "verify rsa-2048"]


def a_file(folder, size=2000003):
    path = folder / "file"
    path.write_bytes(os.urandom(size))
    return path


def test_all_rows_are_checked(folder):
    path = a_file(folder)
    rows = json.loads(plx.good("--demo", path, "--json", env={"TMPDIR": str(folder)}))
    assert [r["operation"] for r in rows] == ROWS
    for row in rows:
        assert row["result"] == "good" and row["checked-by"] and row["engines"] and row["device"].startswith("crypto_")
        assert row["p99-us"] >= row["p50-us"] > 0
    assert os.listdir(folder) == ["file"], "it takes away what it made"


def test_table_and_summary(folder):
    out = plx.good("--demo", a_file(folder))
    for name in ("operation", "bytes", "speed", "p50", "p99", "engines", "device", "checked by", *ROWS):
        assert name in out
    assert f"{len(ROWS)} of {len(ROWS)} rows checked" in out


def fake_tool(folder, name, text):
    tools = folder / "bin"
    tools.mkdir(exist_ok=True)
    path = tools / name
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return {"PATH": f"{tools}:{os.environ['PATH']}", "TMPDIR": str(folder)}


def test_checker_that_disagrees_fails_the_run(folder):
    path = a_file(folder, 100000)
    env = fake_tool(folder, "sha256sum", "echo 0000000000000000000000000000000000000000000000000000000000000000\n")
    done = plx.run("--demo", path, "--json", env=env)
    assert done.returncode == 1
    wrong = [r["operation"] for r in json.loads(done.stdout) if r["result"] != "good"]
    assert wrong == ["digest sha256"]
    shutil.rmtree(folder / "bin")
    env = fake_tool(folder, "cmp", "exit 1\n")
    done = plx.run("--demo", path, "--json", env=env)
    assert done.returncode == 1
    wrong = [r["operation"] for r in json.loads(done.stdout) if r["result"] != "good"]
    assert len(wrong) == 5


def test_missing_checker_is_told(folder):
    path = a_file(folder, 1000)
    empty = folder / "empty"
    empty.mkdir()
    said = plx.bad("--demo", path, env={"PATH": str(empty), "TMPDIR": str(folder)})
    assert "openssl" in said


def test_bad_files_are_told(folder):
    assert "none" in plx.bad("--demo", folder / "none", env={"TMPDIR": str(folder)})
    out = plx.run("--demo", folder, env={"TMPDIR": str(folder)})
    assert out.returncode == 1 and "regular" in out.stdout + out.stderr


def test_odd_sizes_are_good(folder):
    for size in (0, 1, 32768):
        out = plx.good("--demo", a_file(folder, size), env={"TMPDIR": str(folder)})
        assert f"{len(ROWS)} of {len(ROWS)}" in out


if __name__ == "__main__":
    plx.main(globals())
