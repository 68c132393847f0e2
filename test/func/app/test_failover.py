# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Pollux developers
"""Devices that fail under a job: the bytes are right all the same, and the counters say what happened."""

import hashlib
import json
import os
import re

import plx

IV = "000102030405060708090a0b0c0d0e0f"
SIZE = 20000003


def eal(faults, inner="crypto_openssl"):
    """EAL options: a device with faults in front of a sound one."""
    # the build leaves the driver out when DPDK's driver headers are not there
    if b"crypto_plx_fault" not in open(plx.POLLUX, "rb").read():
        raise plx.Skip("needs the crypto_plx_fault driver; tools/setup fetches the driver headers of DPDK")
    return ["--no-huge", "-m", "512", "--no-pci", "--no-shconf", "--lcores", "(0-4)@(0)", "--file-prefix",
            f"plxf{os.getpid()}", "--log-level", "lib.eal:error", "--vdev",
            f"crypto_plx_fault0,inner={inner},max_nb_queue_pairs=16,{faults}", "--vdev",
            "crypto_openssl1,max_nb_queue_pairs=16", "--", "--engines", "2", "--set", "engine.mode=pipeline", "--set",
            "engine.stall=20ms", "--set", "engine.lost=200ms"]


def file_and_key(folder):
    path = folder / "in"
    path.write_bytes(os.urandom(SIZE))
    key = folder / "key"
    key.write_bytes(bytes(range(32)))
    key.chmod(0o600)
    return path, key


def encrypt(folder, daemon):
    path, key = file_and_key(folder)
    daemon.ctl("container", "create", "c")
    daemon.ctl("key", "load", "c/a", key, "alg=aes-256")
    answer = daemon.ctl("job", "encrypt", path, folder / "out", "alg=aes-ctr", "key=c/a", f"iv={IV}")
    want = plx.openssl("enc", "-aes-256-ctr", "-K", bytes(range(32)).hex(), "-iv", IV, "-in", path)
    assert hashlib.sha256(want).digest() == hashlib.sha256((folder / "out").read_bytes()).digest()
    return answer


def health(daemon):
    return {d["device"]: d["health"] for d in daemon.ctl("show", "devices")}


def test_wrapper_stands_first_and_its_inner_device_is_left_alone(folder):
    with plx.Daemon(folder, *eal("refuse=off")) as daemon:
        rows = {d["device"]: d for d in daemon.ctl("show", "devices")}
        assert list(rows) == ["crypto_plx_fault0", "crypto_openssl1"] and rows["crypto_plx_fault0"]["order"] == 1
        assert rows["crypto_plx_fault0"]["kind"] == "wrapper"
        assert encrypt(folder, daemon)["device"] == "crypto_plx_fault0"
        assert daemon.end() == 0


def test_refused_operations_run_elsewhere(folder):
    with plx.Daemon(folder, *eal("refuse=20%")) as daemon:
        encrypt(folder, daemon)
        stats = daemon.ctl("show", "stats")
        assert stats["fallback-refused"] > 0 and stats["failed"] == 0
        assert daemon.end() == 0


def test_device_that_vanishes_is_given_up_and_revived(folder):
    with plx.Daemon(folder, *eal("vanish=1/200:limit=1")) as daemon:
        encrypt(folder, daemon)
        stats = daemon.ctl("show", "stats")
        assert stats["failed"] == 0 and stats["lost"] == 0
        plx.until(lambda: health(daemon)["crypto_plx_fault0"] == "stopped", "the device is not given up")
        rows = {d["device"]: d for d in daemon.ctl("show", "devices")}
        assert rows["crypto_plx_fault0"]["times-lost"] == 1
        assert stats["replayed"] + stats["fallback-stalled"] + stats["fallback-down"] > 0
        text = daemon.ctl("show", "prometheus")
        assert re.search(r'pollux_device_up\{device="crypto_plx_fault0",.*\} 0', text)

        daemon.ctl("device", "revive", "crypto_plx_fault0")
        assert health(daemon)["crypto_plx_fault0"] == "up"
        daemon.ctl("device", "block", "crypto_openssl1")  # so that the revived one has to do it
        answer = daemon.ctl("bench", "aes-256-gcm", "seconds=200ms")
        assert answer["operations"] > 0
        assert daemon.end() == 0


def test_failing_device_fails_the_job_with_a_sentence_and_no_file(folder):
    path, key = file_and_key(folder)
    with plx.Daemon(folder, *eal("fail=1/50")) as daemon:
        daemon.ctl("container", "create", "c")
        daemon.ctl("key", "load", "c/a", key, "alg=aes-256")
        said = daemon.ctl("job", "encrypt", path, folder / "out", "alg=aes-ctr", "key=c/a", f"iv={IV}", code=1)
        assert "record" in said and "device failed" in said
        assert not (folder / "out").exists() and not plx.leftovers(folder)
        assert daemon.ctl("show", "stats")["failed"] > 0
        assert daemon.end() == 0


def test_corrupted_record_does_not_open(folder):
    path, key = file_and_key(folder)
    with plx.Daemon(folder, *eal("corrupt=1/100")) as daemon:
        daemon.ctl("container", "create", "c")
        daemon.ctl("key", "load", "c/a", key, "alg=aes-256")
        daemon.ctl("job", "encrypt", path, folder / "sealed", "alg=aes-256-gcm", "key=c/a")
        daemon.ctl("device", "block", "crypto_plx_fault0")
        said = daemon.ctl("job", "decrypt", folder / "sealed", folder / "out", "alg=aes-256-gcm", "key=c/a", code=1)
        assert "authenticate" in said and not (folder / "out").exists()
        assert daemon.end() == 0


def test_all_devices_blocked_is_a_sentence(folder):
    path, key = file_and_key(folder)
    with plx.Daemon(folder, *eal("refuse=off")) as daemon:
        daemon.ctl("container", "create", "c")
        daemon.ctl("key", "load", "c/a", key, "alg=aes-256")
        for name in health(daemon):
            daemon.ctl("device", "block", name)
        said = daemon.ctl("job", "encrypt", path, folder / "out", "alg=aes-ctr", "key=c/a", f"iv={IV}", code=1)
        assert "blocked" in said and not (folder / "out").exists()
        for name in health(daemon):
            daemon.ctl("device", "unblock", name)
        daemon.ctl("job", "encrypt", path, folder / "out", "alg=aes-ctr", "key=c/a", f"iv={IV}")
        assert daemon.end() == 0


def test_device_removed_under_a_job_costs_no_byte(folder):
    with plx.Daemon(folder, *eal("delay=1%:200us")) as daemon:
        path, key = file_and_key(folder)
        daemon.ctl("container", "create", "c")
        daemon.ctl("key", "load", "c/a", key, "alg=aes-256")
        job = daemon.start("job", "encrypt", path, folder / "out", "alg=aes-ctr", "key=c/a", f"iv={IV}", "record=1k")
        plx.until(lambda: daemon.ctl("show", "lanes"), "the job does not begin")
        daemon.ctl("device", "remove", "crypto_plx_fault0", "timeout=5s")
        out, said = job.communicate(timeout=plx.LIMIT)
        assert job.returncode == 0, said
        assert json.loads(out)["bytes"] == SIZE
        want = plx.openssl("enc", "-aes-256-ctr", "-K", bytes(range(32)).hex(), "-iv", IV, "-in", path)
        assert want == (folder / "out").read_bytes()
        assert list(health(daemon)) == ["crypto_openssl1"]
        assert daemon.end() == 0


def test_job_that_waits_for_its_last_operation_can_be_interrupted(folder):
    args = [*eal("delay=always:3s"), "--set", "engine.lost=1m", "--set", "engine.stall=30s"]
    with plx.Daemon(folder, *args) as daemon:
        _, key = file_and_key(folder)
        (folder / "short").write_bytes(b"one record")
        daemon.ctl("container", "create", "c")
        daemon.ctl("key", "load", "c/a", key, "alg=aes-256")
        job = daemon.start("job", "encrypt", folder / "short", folder / "out", "alg=aes-ctr", "key=c/a", f"iv={IV}")
        plx.until(lambda: daemon.ctl("show", "lanes"), "the job does not begin")
        assert daemon.end() == 0
        _, said = job.communicate(timeout=plx.LIMIT)
        assert job.returncode == 1, "it went on as if nobody had said anything"
        assert not (folder / "out").exists() and not plx.leftovers(folder), said


if __name__ == "__main__":
    plx.main(globals())
