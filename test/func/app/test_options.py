# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Pollux developers
"""The command line and the configuration file: what is refused, and that each option has its effect."""

import json
import os
import re
import resource

import plx


def conf(folder, text):
    path = folder / "pollux.conf"
    path.write_text(text)
    return path


def show(command, *args):
    return json.loads(plx.good(*args, "--json", "--run", command))


def test_help_and_version_need_no_devices(_folder):
    assert "pollux ctl" in plx.good("--help")
    assert re.match(r"pollux \d+\.\d+\.\d+, DPDK", plx.good("--version"))


def test_committed_sample_loads_as_it_is(_folder):
    plx.good("--config", plx.SOURCE / "config/pollux.conf", "--check")


def test_defaults_commented_in_are_still_good(folder):
    text = (plx.SOURCE / "config/pollux.conf").read_text()
    head = text.index("[engine]")
    plain, repeated = text[head:].split("#[device NAME]")[0], text[head:]
    assert repeated.count("NAME]") == 3
    live = re.sub(r"^#(\S+ =)", r"\1", plain, flags=re.M)
    assert live.count("\nburst = ") == 1
    plx.good("--config", conf(folder, live), "--check")


def test_bad_lines_are_refused_with_file_line_and_range(folder):
    for text, line, part in [
            ("[engine]\nburts = 32\n", 2, "burst"),
            ("[engin]\nburst = 32\n", 1, "engine"),
            ("[engine]\n\nburst = 257\n", 3, "1..256"),
            ("[engine]\nburst = lots\n", 2, "1..256"),
            ("[engine]\nidle = 5 parsecs\n", 2, "0us..1m"),
            ("[engine]\nlane-slots = 1000\n", 2, "power of two"),
            ("[engine]\nmode = warp\n", 2, "pipeline, inline, auto"),
            ("[engine]\nburst = 1\nburst = 2\n", 3, "burst"),
            ("[engine]\nengines = 65\n", 2, "from 0 to 64"),
            ("[engine]\nengines = some\n", 2, "auto"),
            ("[engine]\nengines = 0\nmode = pipeline\n", 2, "engine.mode"),
            ("[daemon]\ncore-dumps = maybe\n", 2, "on, off"),
            ("[devices]\ndescriptors = 63\n", 2, "64..32768"),
            ("[container a]\nops = encrypt,dance\n", 2, "dance"),
            ("[container a]\nalgorithms = rot13\n", 2, "rot13"),
            ("[container a]\nmin-key-bits = 9\nmax-key-bits = 8\n", 2, "over max-key-bits"),
            ("[key a/b]\nfile = x\n", 2, "[container a]"),
            ("[container a]\n[key a/b]\nalg = aes\n", 3, "file or generate"),
            ("[container a]\n[key a/b]\nfile = x\ngenerate = aes-256\n", 4, "file or generate"),
            ("[container a]\n[key a/b]\ngenerate = aes-300\n", 3, "aes"),
            ("[container a]\n[key nowhere]\nfile = x\n", 3, "CONTAINER/NAME"),
            ("[engine]\n\x01\x02\n", 2, ""),
    ]:
        path = conf(folder, text)
        said = plx.bad("--config", path, "--check")
        assert f"{path}:{line}: " in said, f"{text!r}: {said}"
        assert part in said, f"{text!r}: {said}"


def test_missing_file_is_named(folder):
    assert "nothing.conf" in plx.bad("--config", folder / "nothing.conf")


def test_bad_command_lines_are_told_what_to_do(_folder):
    assert "--help" in plx.bad("--frobnicate", code=2)
    assert "'--'" in plx.bad("-l", "0-1", code=2)
    assert "'--'" in plx.bad("--vdev", "crypto_null0", code=2)
    assert "pollux ctl" in plx.bad("show", "engines", code=2)
    assert "command" in plx.bad("ctl", code=2)
    assert "--set engine.burst" in plx.bad("--set", "engine.burst", "--check")
    assert "1..256" in plx.bad("--set", "engine.burst=0", "--check")
    assert "did you mean burst" in plx.bad("--set", "engine.burts=1", "--check")
    assert "sample" in plx.bad("--print", "nonsense", code=2)


def test_command_line_wins_over_the_file(folder):
    path = conf(folder, "[engine]\nburst = 8\n")
    rows = {r["option"]: r for r in show("show config engine.", "--config", path, "--set", "engine.burst=16")}
    assert rows["engine.burst"]["value"] == "16"
    assert rows["engine.burst"]["from"] == "command line"
    rows = {r["option"]: r for r in show("show config engine.", "--config", path)}
    assert rows["engine.burst"]["from"] == f"{path}:2"


def test_engines_option_makes_that_many(_folder):
    for nb in (1, 3):
        assert len(show("show engines", "--engines", nb)) == nb
    assert "lcores" in plx.bad("--engines", 64, "--run", "show engines")


def test_software_option_leaves_the_devices_out(_folder):
    assert show("show devices", "--set", "devices.software=off") == []
    said = plx.bad("--set", "devices.software=off", "--run", "bench aes-128-cbc")
    assert "device" in said


def test_device_sections_use_arguments_and_order(folder):
    path = conf(folder, "[device crypto_openssl0]\norder = 1\nargs = max_nb_queue_pairs=5\n"
                        "[device crypto_chacha20_poly13050]\nuse = off\n")
    rows = {r["device"]: r for r in show("show devices", "--config", path)}
    assert rows["crypto_openssl0"]["order"] == 1
    assert rows["crypto_openssl0"]["queue-pairs"] == 5
    assert "crypto_chacha20_poly13050" not in rows


def test_device_without_a_driver_is_refused_with_its_place(folder):
    path = conf(folder, "[device crypto_nosuch0]\nargs = x=1\n")
    said = plx.bad("--config", path, "--run", "show devices")
    assert f"{path}:2: " in said and "crypto_nosuch0" in said


def test_queue_pairs_and_descriptors_reach_the_devices(_folder):
    rows = show("show devices", "--set", "devices.queue-pairs=6", "--set", "devices.descriptors=256")
    assert all(r["queue-pairs"] == 6 and r["descriptors"] == 256 for r in rows)


def test_container_and_key_sections_are_loaded(folder):
    key = folder / "raw"
    key.write_bytes(os.urandom(32))
    key.chmod(0o600)
    path = conf(folder, "[container web]\nops = sign,verify\nalgorithms = rsa-pkcs1\nmin-key-bits = 2048\n"
                        "[container disk]\nmax-keys = 1\n"
                        "[key web/tls]\ngenerate = rsa-2048\n"
                        f"[key disk/k]\nfile = {key}\nalg = aes-256\n")
    rows = {r["key"]: r for r in show("show keys", "--config", path)}
    assert rows["web/tls"]["bits"] == 2048 and rows["disk/k"]["bits"] == 256
    rows = {r["container"]: r for r in show("show containers", "--config", path)}
    assert rows["web"]["operations"] == "sign verify" and rows["web"]["min-key-bits"] == 2048
    said = plx.bad("--config", path, "--run", "key generate disk/l aes-128")
    assert "1" in said


def test_key_file_that_is_missing_is_refused_with_its_place(folder):
    path = conf(folder, "[container a]\n[key a/b]\nfile = /nonexistent\n")
    assert f"{path}:3: " in plx.bad("--config", path, "--run", "show keys")


def test_stats_period_prints_a_line(_folder):
    done = plx.run("--stats-period", "100ms", "--run", "bench aes-256-gcm seconds=500ms")
    lines = re.findall(r"engines \d+  ops/s (\d+)", done.stderr)
    assert len(lines) >= 2 and any(int(n) > 0 for n in lines), done.stderr


def test_core_dumps_are_off_unless_asked_for(folder):
    _, most = resource.getrlimit(resource.RLIMIT_CORE)
    most = resource.RLIM_INFINITY if os.geteuid() == 0 else most
    if most == 0:
        raise plx.Skip("needs a hard limit of core files above 0 (ulimit -Hc)")
    resource.setrlimit(resource.RLIMIT_CORE, (most, most))
    with plx.Daemon(folder) as daemon:
        with open(f"/proc/{daemon.proc.pid}/limits", encoding="utf-8") as limits:
            assert re.search(r"core file size +0 +0 ", limits.read())
        assert daemon.end() == 0
    asan = os.environ.get("ASAN_OPTIONS", "") + ":disable_coredump=0"  # a sanitizer sets the limit itself otherwise
    with plx.Daemon(folder, "--set", "daemon.core-dumps=on", env={"ASAN_OPTIONS": asan}) as daemon:
        with open(f"/proc/{daemon.proc.pid}/limits", encoding="utf-8") as limits, \
                open("/proc/self/limits", encoding="utf-8") as ours:
            assert [l for l in limits if "core file" in l] == [l for l in ours if "core file" in l]
        assert daemon.end() == 0


def test_log_level_lets_messages_through(_folder):
    quiet = plx.run("--set", "daemon.log-level=error", "--run", "show version").stderr
    loud = plx.run("--set", "daemon.log-level=debug", "--run", "show version").stderr
    assert quiet == "" and len(loud) > 0


def test_engine_options_reach_the_engines(_folder):
    # deadline: an operation too old is handed back; lane-slots and burst bound what is under way
    said = plx.bad("--set", "engine.deadline=1us", "--run", "bench aes-128-cbc size=16k seconds=300ms depth=256")
    assert "deadline" in said
    plx.good("--set", "engine.lane-slots=64", "--set", "engine.burst=1", "--set", "engine.mode=pipeline", "--run",
             "bench aes-128-cbc seconds=200ms depth=512")
    stats = show("show stats", "--set", "engine.idle=0us", "--set", "engine.mode=pipeline", "--engines", "1")
    assert stats["sleeps"] == 0


def test_mode_and_policy_are_those_of_a_port(folder):
    with plx.Daemon(folder, "--set", "engine.mode=pipeline", "--set", "engine.policy=session") as daemon:
        job = daemon.start("bench", "aes-256-gcm", "seconds=2s")
        plx.until(lambda: daemon.ctl("show", "lanes"), "no port")
        row = daemon.ctl("show", "lanes")[0]
        assert row["mode"] == "pipeline" and row["mode-now"] == "pipeline" and row["policy"] == "session"
        assert row["class"] == "normal"
        daemon.ctl("set", "mode", "inline")
        plx.until(lambda: daemon.ctl("show", "lanes")[0]["mode-now"] == "inline", "the mode does not change")
        out, _ = job.communicate(timeout=plx.LIMIT)
        assert json.loads(out)["operations"] > 0 and job.returncode == 0


def test_eal_options_are_used_as_they_are(folder):
    eal = ["--no-huge", "-m", "128", "--no-pci", "--no-shconf", "-l", "0", "--file-prefix", f"plx{os.getpid()}",
           "--vdev", "crypto_openssl0"]
    rows = show("show devices", *eal, "--")
    assert [r["device"] for r in rows] == ["crypto_openssl0"]
    assert show("show engines", *eal, "--") == []
    # one lcore: no engine lcore, the caller does the work
    answer = show("bench aes-256-gcm seconds=100ms", *eal, "--")
    assert answer["operations"] > 0 and "inline" in answer["engines"]
    assert "engine.mode" in plx.bad(*eal, "--", "--set", "engine.mode=pipeline", "--run", "show engines")
    path = conf(folder, "[device crypto_openssl0]\nuse = off\n")
    assert show("show devices", *eal, "--", "--config", path) == []


def test_no_engines_is_inline_whatever_is_set_later(folder):
    bench = "bench aes-256-gcm seconds=50ms"
    answers, _ = plx.script(folder, bench, "set engine.burst 16", bench, args=["--engines", "0"])
    rows = [a for a in answers if "operations" in a]
    assert len(rows) == 2 and all(r["operations"] > 0 and "inline" in r["engines"] for r in rows)


def test_eal_that_does_not_start_is_a_sentence(_folder):
    said = plx.bad("-l", "0-120", "--no-huge", "--", "--run", "show engines")
    assert "EAL did not start" in said and "Segmentation" not in said


if __name__ == "__main__":
    plx.main(globals())
