# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Pollux developers
"""The commands: each answers, at the prompt, in a script and as JSON; what is wrong is told; no key comes out."""

import json
import os
import re

import plx

KEY = os.urandom(32)


def prompt(*lines, args=(), code=0):
    """Lines typed at the prompt. (standard output, standard error)"""
    done = plx.run(*args, "-i", "--socket", "none", stdin="\n".join([*lines, ""]))
    assert done.returncode == code, f"{lines}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout, done.stderr


def test_each_command_has_help_and_manual(_folder):
    text = plx.good("--print", "reference")
    commands = re.findall(r"^### `(.*)`$", text, re.M)
    assert len(commands) >= 35
    out, err = prompt("help", *(f"help {c}" for c in commands))
    for command in commands:
        assert command in out
    assert "error" not in err


def test_each_show_command_answers_as_table_and_json(folder):
    shows = [c for c in re.findall(r"^### `(show .*)`$", plx.good("--print", "reference"), re.M)]
    assert {"show config", "show devices", "show capabilities", "show algorithms", "show engines", "show lanes",
            "show keys", "show containers", "show stats", "show latency", "show version",
            "show prometheus"} == set(shows)
    answers, _ = plx.script(folder, *shows)
    assert len(answers) == len(shows)
    out, _ = prompt(*shows)
    assert "aes-gcm" in out and "crypto_" in out


def test_show_algorithms_names_devices_or_the_reason(folder):
    answers, _ = plx.script(folder, "show algorithms", "show algorithms aes-gcm", "show algorithms rsa-2048",
                            "show capabilities crypto_openssl0")
    rows = {r["algorithm"]: r for r in answers[0]}
    assert "crypto_openssl0" in rows["rsa-pkcs1"]["devices"]
    assert rows["random"]["devices"].startswith("none: ")
    assert {"aes-cbc", "aes-ctr", "aes-gcm", "aes-ccm", "aes-xts", "chacha20-poly1305", "x25519", "ed25519"} <= set(rows)
    assert {r["device"] for r in answers[1]} >= {"crypto_openssl0"}
    assert any(r["why-not"] for r in answers[3]) and any(not r["why-not"] for r in answers[3])


def test_prompt_reports_errors_and_goes_on(_folder):
    out, err = prompt("shw engines", "show engines 7", "engine remove", "show version", "quit", code=0)
    assert "did you mean" in err and "pollux" in out
    assert "engine remove" in err


def test_prompt_ends_with_the_code_of_the_last_failing_line(_folder):
    prompt("show version", "engine remove 77", code=1)


def test_script_stops_at_the_first_error_with_its_line(folder):
    path = folder / "cmds"
    path.write_text("show version\n# a comment\n\nshow nothing\nshow engines\n")
    done = plx.run("--socket", "none", "--cmdline-file", path)
    assert done.returncode == 1 and f"{path}:4: " in done.stderr and "lcore" not in done.stdout


def test_bad_words_are_refused_with_the_usage_or_the_range(folder):
    with plx.Daemon(folder) as daemon:
        for words, part in [
                (["engine", "remove", "x"], "number"),
                (["engine", "remove", "99"], "99"),
                (["engine", "add", "lcore=999"], "999"),
                (["engine", "add", "lcore=-1"], "lcore"),
                (["engine", "add", "core=1"], "core"),
                (["engine", "remove", "0", "timeout=1"], "timeout"),
                (["set", "engine.burst"], "set NAME VALUE"),
                (["set", "engine.burst", "0"], "1..256"),
                (["set", "nothing", "1"], "nothing"),
                (["set", "engine.lane-slots", "64"], "start"),
                (["device", "add", "crypto_nosuch7"], "nosuch"),
                (["device", "add", "crypto_openssl0"], "crypto_openssl0"),
                (["device", "remove", "crypto_none"], "no device"),
                (["device", "block", "crypto_none"], "no device"),
                (["device", "revive", "crypto_openssl0"], "up"),
                (["container", "create", "a/b"], "a/b"),
                (["container", "create", "a", "ops=dance"], "dance"),
                (["container", "create", "a", "min-key-bits=many"], "min-key-bits"),
                (["container", "remove", "none"], "none"),
                (["key", "load", "none/k", "/etc/hostname", "alg=aes-256"], "none"),
                (["key", "generate", "none/k", "aes-256"], "none"),
                (["key", "generate", "k", "aes-256"], "CONTAINER/NAME"),
                (["key", "delete", "web/k"], "web"),
                (["key", "export-public", "web/k", "out"], "web"),
                (["show", "stats", "engine=9"], "9"),
                (["show", "config", "nothing"], "nothing"),
                (["show", "algorithms", "rot13"], "rot13"),
                (["show", "capabilities", "none"], "none"),
                (["bench", "rot13"], "rot13"),
                (["bench", "aes-256-gcm", "size=70000"], "65280"),
                (["bench", "aes-256-cbc", "size=17"], "multiple"),
                (["bench", "aes-256-gcm", "op=sign"], "sign"),
                (["bench", "rsa-2048", "op=verify"], "not rsa"),
        ]:
            said = daemon.ctl(*words, code=1)
            assert part in said, f"{words}: {said}"
        assert daemon.end() == 0


def test_engines_come_and_go_while_traffic_runs(folder):
    with plx.Daemon(folder, "--engines", 2, "--set", "engine.mode=pipeline") as daemon:
        bench = daemon.start("bench", "aes-128-cbc", "seconds=3s")
        plx.until(lambda: daemon.ctl("show", "lanes"), "no traffic")
        added = daemon.ctl("engine", "add")["done"]
        assert "engine" in added
        daemon.ctl("engine", "remove", "0", "timeout=10s")
        daemon.ctl("set", "mode", "inline")
        daemon.ctl("set", "policy", "least-loaded")
        daemon.ctl("set", "mode", "auto")
        daemon.ctl("set", "burst", "7")
        daemon.ctl("device", "block", "crypto_aesni_mb0")
        daemon.ctl("device", "unblock", "crypto_aesni_mb0")
        daemon.ctl("device", "add", "crypto_openssl1,max_nb_queue_pairs=16")
        daemon.ctl("device", "remove", "crypto_aesni_mb0")
        out, said = bench.communicate(timeout=plx.LIMIT)
        assert bench.returncode == 0, said
        answer = json.loads(out)
        assert answer["count"] == answer["operations"] > 0
        stats = daemon.ctl("show", "stats")
        assert stats["failed"] == 0 and stats["lost"] == 0
        ids = [e["engine"] for e in daemon.ctl("show", "engines") if e["state"] == "running"]
        assert 0 not in ids and len(ids) == 2
        assert "crypto_aesni_mb0" not in [d["device"] for d in daemon.ctl("show", "devices")]
        assert daemon.end() == 0


def test_blocked_device_is_passed_by_and_counted(folder):
    with plx.Daemon(folder) as daemon:
        daemon.ctl("device", "block", "crypto_aesni_mb0")
        health = {d["device"]: d["health"] for d in daemon.ctl("show", "devices")}
        assert health["crypto_aesni_mb0"] == "blocked"
        daemon.ctl("clear", "stats")
        daemon.ctl("bench", "aes-128-cbc", "seconds=200ms")
        stats = daemon.ctl("show", "stats")
        assert stats["fallback-down"] > 0 and stats["failed"] == 0
        assert daemon.ctl("clear", "stats") is None
        assert daemon.ctl("show", "stats")["completed"] == 0
        assert daemon.end() == 0


def test_stop_and_start(folder):
    with plx.Daemon(folder) as daemon:
        daemon.ctl("stop")
        assert {e["state"] for e in daemon.ctl("show", "engines")} == {"stopped"}
        (folder / "in").write_bytes(b"x" * 100)
        daemon.ctl("container", "create", "c")
        daemon.ctl("key", "generate", "c/a", "aes-256")
        words = ["job", "encrypt", folder / "in", folder / "out", "alg=aes-256-gcm", "key=c/a", "mode=pipeline"]
        assert "start" in daemon.ctl(*words, code=1)
        daemon.ctl("start")
        daemon.ctl(*words)
        assert daemon.end() == 0


def test_bench_answers_for_each_kind(folder):
    algs = ["aes-128-cbc", "aes-256-ctr", "aes-256-gcm", "chacha20-poly1305", "sha-256", "hmac-sha256", "aes-128-cmac",
            "rsa-2048 op=sign"]
    answers, _ = plx.script(folder, *(f"bench {a} seconds=100ms" for a in algs))
    assert len(answers) == len(algs)
    for answer in answers:
        assert answer["operations"] > 0 and answer["p99-us"] >= answer["p50-us"] > 0
    answers, _ = plx.script(folder, "show keys", "show containers")
    assert answers == [[], []]


def test_container_rules_hold(folder):
    lines = ["container create s ops=sign,verify algorithms=rsa-pkcs1 min-key-bits=3072 max-keys=1"]
    with plx.Daemon(folder) as daemon:
        daemon.ctl(*lines[0].split())
        assert "3072" in daemon.ctl("key", "generate", "s/small", "rsa-2048", code=1)
        daemon.ctl("key", "generate", "s/k", "rsa-3072")
        assert daemon.ctl("key", "generate", "s/l", "rsa-3072", code=1)
        assert daemon.ctl("key", "generate", "s/a", "aes-256", code=1)
        daemon.ctl("key", "export-public", "s/k", folder / "pub.pem")
        assert (folder / "pub.pem").read_text().startswith("-----BEGIN PUBLIC KEY-----")
        daemon.ctl("key", "delete", "s/k")
        assert daemon.ctl("show", "keys") == []
        daemon.ctl("container", "remove", "s")
        assert daemon.ctl("show", "containers") == []


def test_no_command_gives_a_key_back(folder):
    raw = folder / "raw"
    raw.write_bytes(KEY)
    raw.chmod(0o600)
    plx.openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", folder / "rsa.pem")
    text = plx.openssl("pkey", "-in", folder / "rsa.pem", "-noout", "-text").decode()
    exponent = re.search(r"privateExponent:\n([\s0-9a-f:]+)", text).group(1).replace(":", "").split()
    (folder / "in").write_bytes(b"data" * 1000)
    lines = ["container create c", f"key load c/a {raw} alg=aes-256", f"key load c/r {folder}/rsa.pem",
             f"job encrypt {folder}/in {folder}/out alg=aes-256-gcm key=c/a", f"job sign {folder}/in {folder}/sig key=c/r",
             f"key export-public c/r {folder}/pub"]
    commands = re.findall(r"^### `(.*)`$", plx.good("--print", "reference"), re.M)
    shows = [c for c in commands if c.startswith("show ")] + ["show keys c", "show capabilities crypto_openssl0", "help"]
    done = plx.run("--verbose", "--set", "daemon.log-level=debug", "-i", "--socket", "none",
                   stdin="\n".join([*lines, *shows, "quit", ""]))
    assert done.returncode == 0
    said = done.stdout + done.stderr + (folder / "pub").read_text() + (folder / "sig").read_bytes().hex()
    for secret in (KEY.hex(), KEY.hex().upper(), KEY.hex()[:32], exponent[0][2:28], exponent[1]):
        assert secret not in said
    said = plx.bad("--run", "container create c", "--run", f"key export-public c/a {folder}/x")
    assert not (folder / "x").exists() and said


def test_secret_key_has_no_public_half(folder):
    said = plx.bad("--run", "container create c", "--run", "key generate c/a aes-256", "--run",
                   f"key export-public c/a {folder}/x")
    assert "public" in said and not (folder / "x").exists()


def test_prometheus_text_is_well_formed(_folder):
    text = plx.good("--run", "bench aes-256-gcm seconds=100ms mode=pipeline", "--run", "show prometheus")
    text = text[text.index("# HELP"):]
    for line in text.strip().splitlines():
        assert re.fullmatch(r"# (HELP|TYPE) \w+ .+|\w+(\{\w+=\"[^\"]*\"(,\w+=\"[^\"]*\")*\})? [-+.e0-9]+", line), line
    done = re.findall(r'pollux_engine_completed_total\{engine="(\w+)"\} (\d+)', text)
    assert {"0", "gone"} <= {engine for engine, _ in done} and sum(int(nb) for _, nb in done) > 0
    assert re.search(r'pollux_latency_seconds_bucket\{le="0.001"\} \d+', text)
    counts = re.findall(r"pollux_latency_seconds_count (\d+)", text)
    assert [int(n) for n in counts] == [sum(int(nb) for _, nb in done)]
    assert 'pollux_device_up{device="crypto_openssl0",driver="crypto_openssl"} 1' in text


if __name__ == "__main__":
    plx.main(globals())
