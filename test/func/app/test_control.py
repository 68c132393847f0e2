# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Pollux developers
"""The daemon: its control socket, its signals, its end, telemetry; and as an ordinary user."""

import fcntl
import json
import os
import pathlib
import re
import signal
import socket
import stat
import subprocess
import tempfile

import plx


def test_socket_is_for_its_owner_alone(folder):
    with plx.Daemon(folder) as daemon:
        assert stat.S_IMODE(daemon.path.stat().st_mode) == 0o600
        assert daemon.end() == 0
        assert not daemon.path.exists()


def test_client_answers_as_table_and_as_json(folder):
    with plx.Daemon(folder) as daemon:
        table = plx.good("ctl", "--socket", daemon.path, "show", "engines")
        assert table.splitlines()[0].split()[:3] == ["engine", "lcore", "state"]
        assert daemon.ctl("show", "engines")[0]["engine"] == 0
        assert daemon.ctl("show engines".split()[0], "engines")
        assert daemon.end() == 0


def test_client_without_a_daemon_is_told(folder):
    said = plx.bad("ctl", "--socket", folder / "nobody", "show", "engines")
    assert "nobody" in said
    said = plx.bad("ctl", "show", "engines", env={"XDG_RUNTIME_DIR": str(folder)}) if os.geteuid() else "pollux"
    assert "pollux" in said


def test_words_with_blanks_and_quotes_arrive_whole(folder):
    name = folder / "it's a \"file\" $HOME"
    name.write_bytes(b"hello")
    with plx.Daemon(folder) as daemon:
        answer = daemon.ctl("job", "digest", name, "alg=sha-256")
        assert answer["file"] == str(name)
        done = subprocess.run([plx.POLLUX, "ctl", "--socket", str(daemon.path), "--json", "job", "digest", name.name,
                               "alg=sha-256"], cwd=folder, capture_output=True, text=True, check=True)
        assert json.loads(done.stdout)["digest"] == answer["digest"], "a relative name is the client's"
        assert "line break" in daemon.ctl("show", "engines\nquit", code=1)
        assert daemon.end() == 0


def test_second_daemon_on_a_socket_is_refused_and_a_dead_ones_is_replaced(folder):
    with plx.Daemon(folder) as daemon:
        said = plx.bad("--socket", daemon.path)
        assert str(daemon.path) in said
        daemon.proc.kill()
        daemon.proc.wait()
        assert daemon.path.exists()
    with plx.Daemon(folder) as daemon:
        assert daemon.ctl("show", "version")["pollux"]
        assert daemon.end() == 0


def test_hostile_clients_cost_the_daemon_nothing(folder):
    with plx.Daemon(folder) as daemon:
        for data in (b"\0" * 100, b"\xff" * 5000, b"A" * 100000, b"show engines", b"\n" * 1000, b"{}\n", os.urandom(9999),
                     b"job encrypt a b alg=aes-ctr key=c/a iv=" + b"0" * 3000 + b"\n"):
            with socket.socket(socket.AF_UNIX) as s:
                s.connect(str(daemon.path))
                try:
                    s.sendall(data)
                except OSError:
                    pass
        many = []
        for _ in range(40):
            s = socket.socket(socket.AF_UNIX)
            s.connect(str(daemon.path))
            many.append(s)
        for s in many:
            s.close()
        plx.until(lambda: plx.run("ctl", "--socket", daemon.path, "show", "engines").returncode == 0, "no answer")
        assert daemon.end() == 0


def test_signals_end_it_with_0(folder):
    for sig in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        with plx.Daemon(folder) as daemon:
            assert daemon.end(sig) == 0
            assert not daemon.path.exists()


def test_sighup_behind_another_signal_hurries_nobody(folder):
    with plx.Daemon(folder) as daemon:
        daemon.proc.send_signal(signal.SIGTERM)
        daemon.proc.send_signal(signal.SIGHUP)
        assert daemon.end(signal.SIGHUP) == 0
        assert not daemon.path.exists()


def test_sighup_that_is_ignored_at_the_start_stays_ignored(folder):
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with plx.Daemon(folder) as daemon:
            daemon.proc.send_signal(signal.SIGHUP)
            assert daemon.ctl("show", "engines")
            assert daemon.end() == 0
    finally:
        signal.signal(signal.SIGHUP, before)


def test_quit_from_a_client_ends_it_with_0(folder):
    with plx.Daemon(folder) as daemon:
        daemon.ctl("quit")
        assert daemon.proc.wait(timeout=plx.LIMIT) == 0


def test_prompt_ends_on_sigterm_with_0(folder):
    with subprocess.Popen([plx.POLLUX, "-i", "--socket", str(folder / "s")], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as proc:
        plx.until((folder / "s").exists, "it does not start")
        proc.send_signal(signal.SIGTERM)
        assert proc.wait(timeout=plx.LIMIT) == 0


def test_command_line_file_can_quit(folder):
    path = folder / "cmds"
    path.write_text("show version\nquit\nshow engines\n")
    out = plx.good("--socket", "none", "--cmdline-file", path)
    assert "dpdk" in out and "lcore" not in out


def test_nothing_is_left_behind(folder):
    runtime = folder / "run"
    runtime.mkdir()
    done = plx.run("--run", "show version", env={"RUNTIME_DIRECTORY": str(runtime), "XDG_RUNTIME_DIR": str(runtime)})
    assert done.returncode == 0
    base = pathlib.Path("/var/run/dpdk") if os.geteuid() == 0 else runtime / "dpdk"
    ours = re.compile(r"pollux-\d+$")
    for path in base.iterdir() if base.exists() else []:
        if ours.match(path.name):
            pid = int(path.name.split("-")[1])
            assert pathlib.Path(f"/proc/{pid}").exists() or path.stat().st_mtime < os.stat(folder).st_mtime


def telemetry(pid, *commands):
    base = pathlib.Path("/var/run") if os.geteuid() == 0 else pathlib.Path(os.environ.get("XDG_RUNTIME_DIR", "/tmp"))
    path = os.environ.get("RUNTIME_DIRECTORY", str(base)) + f"/dpdk/pollux-{pid}/dpdk_telemetry.v2"
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as s:
        s.connect(path)
        size = json.loads(s.recv(1024))["max_output_len"]
        for command in commands:
            s.send(command.encode())
            yield json.loads(s.recv(size))[command.split(",")[0]]


def test_telemetry_answers_what_the_console_shows(folder):
    with plx.Daemon(folder) as daemon:
        daemon.ctl("bench", "aes-256-gcm", "seconds=100ms", "mode=pipeline")
        names = ("/pollux/engines", "/pollux/engines,0", "/pollux/devices", "/pollux/devices,crypto_openssl0",
                 "/pollux/lanes", "/pollux/latency,all", "/pollux/stats", "/pollux/config", "/pollux/version", "/pollux/stats,0",
                 "/pollux/stats,77", "/")
        (engines, engine, devices, device, lanes, latency, stats, config, version, one, none,
         listed) = telemetry(daemon.proc.pid, *names)
        assert one["engine"] == 0 and one["completed"] == engine["completed"] and none is None
        assert engines == ["0", "1"] or len(engines) >= 1
        assert engine["state"] == "running"
        assert "crypto_openssl0" in devices and device["health"] == "up"
        assert lanes in ([], None)
        assert float(latency["p99_us"]) >= float(latency["p50_us"]) > 0
        assert stats["completed"] == daemon.ctl("show", "stats")["completed"] > 0
        assert config["engine_burst"] == "32"
        assert version["pollux"] == daemon.ctl("show", "version")["pollux"]
        assert "/pollux/engines" in listed
        assert daemon.end() == 0


def test_ordinary_user_needs_no_more(folder):
    """Without root, huge pages or a runtime folder; as root it becomes nobody for it."""
    if os.geteuid() != 0:
        raise plx.Skip("needs root to become another user; the other tests have run as this one")
    nobody = 65534
    os.chown(folder, nobody, nobody)
    # a sanitizer's list of known leaks may be where this user cannot read it
    env = {"PATH": os.environ["PATH"], "HOME": str(folder), "TMPDIR": str(folder), "ASAN_OPTIONS": "detect_leaks=0"}
    (folder / "in").write_bytes(os.urandom(100000))
    os.chown(folder / "in", nobody, nobody)
    exe = folder / "pollux"
    exe.write_bytes(pathlib.Path(plx.POLLUX).read_bytes())
    exe.chmod(0o755)
    done = subprocess.run([str(exe), "--demo", str(folder / "in")], user=nobody, group=nobody, extra_groups=[], env=env,
                          cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=plx.LIMIT,
                          check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    lock = open(f"{tempfile.gettempdir()}/pollux-test-nobody.lock", "w", encoding="utf-8")
    fcntl.flock(lock, fcntl.LOCK_EX)  # the default socket is one for all builds tested at the same time
    with lock, subprocess.Popen([str(exe)], user=nobody, group=nobody, extra_groups=[], env=env, cwd=folder,
                          stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as proc:
        line = ""
        while "control socket" not in line:
            line = proc.stderr.readline()
            assert line, "it does not start"
        path = re.search(r"control socket (\S+);", line).group(1)
        folder_mode = os.stat(os.path.dirname(path))
        assert stat.S_IMODE(folder_mode.st_mode) == 0o700 and folder_mode.st_uid == nobody
        asked = subprocess.run([str(exe), "ctl", "show", "engines"], user=nobody, group=nobody, extra_groups=[], env=env,
                               cwd=folder, capture_output=True, text=True, timeout=plx.LIMIT, check=False)
        assert asked.returncode == 0, asked.stderr
        proc.send_signal(signal.SIGTERM)
        assert proc.wait(timeout=plx.LIMIT) == 0


def test_foreign_socket_folder_is_refused(folder):
    if os.geteuid() != 0:
        raise plx.Skip("needs root to become another user")
    nobody = 65534
    os.chmod(folder, 0o755)
    theirs = folder / "pollux"
    theirs.mkdir(mode=0o777)
    exe = folder / "exe"
    exe.write_bytes(pathlib.Path(plx.POLLUX).read_bytes())
    exe.chmod(0o755)
    env = {"PATH": os.environ["PATH"], "XDG_RUNTIME_DIR": str(folder), "ASAN_OPTIONS": "detect_leaks=0"}
    done = subprocess.run([str(exe), "ctl", "show", "engines"], user=nobody, group=nobody, extra_groups=[], env=env,
                          cwd="/", capture_output=True, text=True, timeout=plx.LIMIT, check=False)
    assert done.returncode == 1 and "belongs to this user" in done.stderr, done.stderr


if __name__ == "__main__":
    plx.main(globals())
