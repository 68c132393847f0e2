# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Pollux developers
"""Jobs over files: OpenSSL and Python's own hashes come to the same bytes, and a failed job leaves nothing."""

import hashlib
import hmac
import os
import signal
import stat
import time

import plx

KEY = bytes(range(32))
IV = "000102030405060708090a0b0c0d0e0f"
SIZES = (0, 1, 15, 16, 17, 255, 4096, 32767, 32768, 32769, 65280, 65281, 100000, 1000003)


def secret(folder, name="key", data=KEY):
    path = folder / name
    path.write_bytes(data)
    path.chmod(0o600)
    return path


def keys(folder):
    secret(folder)
    secret(folder, "key128", KEY[:16])
    return ["container create c", f"key load c/a {folder}/key alg=aes-256", f"key load c/b {folder}/key128 alg=aes-128",
            f"key load c/m {folder}/key alg=hmac-sha256", f"key load c/cc {folder}/key alg=chacha20-poly1305"]


def data_file(folder, size, name="in"):
    path = folder / name
    path.write_bytes(os.urandom(size))
    return path


def enc(folder, cipher, key, iv, path):
    return plx.openssl("enc", f"-{cipher}", "-K", key.hex(), "-iv", iv, "-in", path)


def test_raw_output_equals_openssl_at_all_sizes(folder):
    lines = keys(folder)
    for size in SIZES:
        data_file(folder, size, f"in{size}")
        for name, key in (("aes-256-ctr", "a"), ("aes-256-cbc", "a"), ("aes-128-cbc", "b")):
            lines += [f"job encrypt {folder}/in{size} {folder}/{name}{size} alg={name} key=c/{key} iv={IV}",
                      f"job decrypt {folder}/{name}{size} {folder}/back{name}{size} alg={name} key=c/{key} iv={IV}"]
    plx.script(folder, *lines)
    for size in SIZES:
        plain = (folder / f"in{size}").read_bytes()
        for name, key in (("aes-256-ctr", KEY), ("aes-256-cbc", KEY), ("aes-128-cbc", KEY[:16])):
            assert (folder / f"{name}{size}").read_bytes() == enc(folder, name, key, IV, folder / f"in{size}"), \
                f"{name} of {size} bytes"
            assert (folder / f"back{name}{size}").read_bytes() == plain, f"{name} of {size} bytes, back"
    assert not plx.leftovers(folder)


def test_ctr_counter_carries_as_in_openssl(folder):
    path = data_file(folder, 300000)
    lines = keys(folder)
    ivs = ("ffffffffffffffffffffffffffffffff", "00000000000000000000000000ffffff", "000102030405060708090a0bfffffff0",
           "0001020304050607fffffffffffffffe")
    for iv in ivs:
        for record in ("256", "4k", "65280"):
            lines.append(f"job encrypt {path} {folder}/{iv}-{record} alg=aes-256-ctr key=c/a iv={iv} record={record}")
    plx.script(folder, *lines)
    for iv in ivs:
        want = enc(folder, "aes-256-ctr", KEY, iv, path)
        for record in ("256", "4k", "65280"):
            assert (folder / f"{iv}-{record}").read_bytes() == want, f"{iv}, records of {record}"


def test_shapes_of_a_job_do_not_change_the_bytes(folder):
    path = data_file(folder, 200001)
    lines = keys(folder)
    shapes = ["record=256", "record=65280", "depth=1", "depth=1024 record=1k", "class=high", "mode=inline",
              "mode=pipeline", "mode=auto", "sync=yes"]
    for i, shape in enumerate(shapes):
        for alg in ("aes-ctr", "aes-cbc"):
            lines.append(f"job encrypt {path} {folder}/{alg}{i} alg={alg} key=c/a iv={IV} {shape}")
        lines += [f"job encrypt {path} {folder}/gcm{i} alg=aes-gcm key=c/a {shape}",
                  f"job decrypt {folder}/gcm{i} {folder}/back{i} alg=aes-256-gcm key=c/a {shape}"]
    plx.script(folder, *lines)
    for i, shape in enumerate(shapes):
        for alg in ("ctr", "cbc"):
            assert (folder / f"aes-{alg}{i}").read_bytes() == enc(folder, f"aes-256-{alg}", KEY, IV, path), shape
        assert (folder / f"back{i}").read_bytes() == path.read_bytes(), shape


def test_iv_is_made_and_shown_when_none_is_given(folder):
    path = data_file(folder, 1000)
    answers, _ = plx.script(folder, *keys(folder), f"job encrypt {path} {folder}/1 alg=aes-ctr key=c/a",
                            f"job encrypt {path} {folder}/2 alg=aes-ctr key=c/a")
    ivs = [a["iv"] for a in answers if "iv" in a]
    assert len(ivs) == 2 and ivs[0] != ivs[1]
    assert (folder / "1").read_bytes() == enc(folder, "aes-256-ctr", KEY, ivs[0], path)


def test_digests_and_macs_equal_pythons(folder):
    lines = keys(folder)
    algs = ("sha1", "sha224", "sha256", "sha384", "sha512")
    for size in SIZES:
        data_file(folder, size, f"in{size}")
        lines += [f"job digest {folder}/in{size} {folder}/sum-{alg}-{size} alg={alg}" for alg in algs]
        lines.append(f"job mac {folder}/in{size} {folder}/mac{size} alg=hmac-sha256 key=c/m")
    answers, _ = plx.script(folder, *lines)
    digests = {(a["algorithm"], a["bytes"]): a["digest"] for a in answers if "digest" in a}
    macs = {a["bytes"]: a["mac"] for a in answers if "mac" in a}
    for size in SIZES:
        data = (folder / f"in{size}").read_bytes()
        for alg in algs:
            want = hashlib.new(alg, data).hexdigest()
            assert digests[(alg, size)] == want, f"{alg} of {size} bytes"
            assert (folder / f"sum-{alg}-{size}").read_text() == f"{want}  {folder}/in{size}\n"
        assert macs[size] == hmac.digest(KEY, data, "sha256").hex(), f"mac of {size} bytes"
        assert (folder / f"mac{size}").read_text() == macs[size] + "\n"


def test_cmac_equals_openssl(folder):
    path = data_file(folder, 70000)
    answers, _ = plx.script(folder, *keys(folder), f"job mac {path} alg=aes-cmac key=c/b")
    want = plx.openssl("mac", "-cipher", "AES-128-CBC", "-macopt", f"hexkey:{KEY[:16].hex()}", "-in", path, "CMAC")
    assert answers[-1]["mac"] == want.decode().strip().lower()


def test_signatures_are_those_of_openssl(folder):
    path = data_file(folder, 70001)
    pem, pub = folder / "rsa.pem", folder / "rsa.pub"
    plx.openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:3072", "-out", pem)
    plx.openssl("pkey", "-in", pem, "-pubout", "-out", pub)
    pem.chmod(0o600)
    for name in ("sha1", "sha256", "sha512"):
        plx.openssl("dgst", f"-{name}", "-sign", pem, "-out", folder / f"theirs-{name}", path)
    lines = ["container create c", f"key load c/r {pem}", f"key load c/p {pub}",
             f"key export-public c/r {folder}/exported"]
    for name in ("sha1", "sha256", "sha512"):
        lines += [f"job sign {path} {folder}/ours-{name} key=c/r hash={name}",
                  f"job verify {path} {folder}/theirs-{name} key=c/r hash={name}",
                  f"job verify {path} {folder}/theirs-{name} key=c/p hash={name} repeat=20"]
    plx.script(folder, *lines)
    for name in ("sha1", "sha256", "sha512"):
        assert (folder / f"ours-{name}").read_bytes() == (folder / f"theirs-{name}").read_bytes(), name
        plx.openssl("dgst", f"-{name}", "-verify", folder / "exported", "-signature", folder / f"ours-{name}", path)


def test_wrong_signatures_are_refused(folder):
    path, other = data_file(folder, 1000), data_file(folder, 1000, "other")
    lines = ["container create c", "key generate c/r rsa-2048", "key generate c/o rsa-2048",
             f"job sign {path} {folder}/sig key=c/r"]
    with plx.Daemon(folder) as daemon:
        for line in lines:
            daemon.ctl(*line.split())
        good = (folder / "sig").read_bytes()
        assert "signature" in daemon.ctl("job", "verify", path, f"{folder}/sig", "key=c/o", code=1)
        assert "signature" in daemon.ctl("job", "verify", other, f"{folder}/sig", "key=c/r", code=1)
        assert "signature" in daemon.ctl("job", "verify", path, f"{folder}/sig", "key=c/r", "hash=sha1", code=1)
        for at in (0, 100, 255):
            wrong = bytearray(good)
            wrong[at] ^= 1
            (folder / "wrong").write_bytes(wrong)
            daemon.ctl("job", "verify", path, f"{folder}/wrong", "key=c/r", code=1)
        for wrong in (good[:-1], good + b"\0", b"", bytes(256), b"\xff" * 256):
            (folder / "wrong").write_bytes(wrong)
            daemon.ctl("job", "verify", path, f"{folder}/wrong", "key=c/r", code=1)
        assert daemon.ctl("job", "verify", path, f"{folder}/sig", "key=c/r")["signature"] == "good"


def test_sealed_files_come_back_at_all_sizes(folder):
    lines = keys(folder)
    for size in SIZES:
        data_file(folder, size, f"in{size}")
        for alg, key in (("aes-256-gcm", "a"), ("aes-128-gcm", "b"), ("chacha20-poly1305", "cc")):
            lines += [f"job encrypt {folder}/in{size} {folder}/{alg}{size} alg={alg} key=c/{key} record=4k",
                      f"job decrypt {folder}/{alg}{size} {folder}/back{alg}{size} alg={alg} key=c/{key}"]
    plx.script(folder, *lines)
    for size in SIZES:
        for alg in ("aes-256-gcm", "aes-128-gcm", "chacha20-poly1305"):
            assert (folder / f"back{alg}{size}").read_bytes() == (folder / f"in{size}").read_bytes(), (alg, size)
            records = max(1, -(-size // 4096))
            assert (folder / f"{alg}{size}").stat().st_size == 32 + size + 16 * records
    mode = stat.S_IMODE((folder / f"backaes-256-gcm{SIZES[-1]}").stat().st_mode)
    assert mode == 0o600, "plaintext is its owner's alone"


def poly1305(key, message):
    """RFC 8439 2.5."""
    r = int.from_bytes(key[:16], "little") & 0x0ffffffc0ffffffc0ffffffc0fffffff
    total = 0
    for i in range(0, len(message), 16):
        total = (total + int.from_bytes(message[i:i + 16] + b"\1", "little")) * r % ((1 << 130) - 5)
    return ((total + int.from_bytes(key[16:32], "little")) & ((1 << 128) - 1)).to_bytes(16, "little")


def padded(data):
    return data + bytes(-len(data) % 16)


def chacha20(nonce, counter, data):
    iv = counter.to_bytes(4, "little") + nonce
    return plx.openssl("enc", "-chacha20", "-K", KEY.hex(), "-iv", iv.hex(), input=data)


def test_sealed_file_is_what_the_format_says(folder):
    """Opened by hand as doc/file-format.md describes it, with OpenSSL's bare ciphers and Poly1305 from its RFC."""
    path = folder / "in"
    path.write_bytes(bytes(9000))  # the same plaintext in each record
    plx.script(folder, *keys(folder), f"job encrypt {path} {folder}/chacha alg=chacha20-poly1305 key=c/cc record=4k",
               f"job encrypt {path} {folder}/gcm alg=aes-256-gcm key=c/a record=4k")
    for name, number in (("gcm", 1), ("chacha", 2)):
        sealed = (folder / name).read_bytes()
        header, body = sealed[:32], sealed[32:]
        assert header[:8] == b"PLXSEAL\x01" and header[8] == number and header[9] == 32
        assert header[10:16] == b"\0\0\0\0\x10\0" and header[28:] == bytes(4)
        assert len(body) == 9000 + 3 * 16
        records = [body[:4112], body[4112:8224], body[8224:]]
        for i, record in enumerate(records):
            nonce = (int.from_bytes(header[16:28], "big") ^ i).to_bytes(12, "big")
            data, tag = record[:-16], record[-16:]
            if name == "gcm":
                iv = nonce + (2).to_bytes(4, "big")
                plain = plx.openssl("enc", "-aes-256-ctr", "-K", KEY.hex(), "-iv", iv.hex(), input=data)
            else:
                plain = chacha20(nonce, 1, data)
                aad = header + i.to_bytes(8, "big") + bytes([i == 2]) + bytes(7)
                sizes = len(aad).to_bytes(8, "little") + len(data).to_bytes(8, "little")
                assert tag == poly1305(chacha20(nonce, 0, bytes(32)), padded(aad) + padded(data) + sizes)
            assert plain == bytes(len(data)), f"{name}, record {i}"


def tampered(sealed, record=4096 + 16):
    """Ways to change a sealed file, each with a name."""
    head, body = sealed[:32], sealed[32:]
    records = [body[i:i + record] for i in range(0, len(body), record)]
    assert len(records) == 4

    def flip(at):
        return sealed[:at] + bytes([sealed[at] ^ 1]) + sealed[at + 1:]

    for at in (0, 7, 8, 9, 11, 12, 14, 15, 16, 27, 28, 31):
        yield f"header byte {at}", flip(at)
    for at in (32, 32 + 4095, 32 + 4096, 32 + record - 1, len(sealed) - 17, len(sealed) - 16, len(sealed) - 1):
        yield f"byte {at}", flip(at)
    for nb in (0, 1, 2, 3):
        yield f"cut to {nb} records", head + b"".join(records[:nb])
    for cut in (1, 15, 16, 17, 100):
        yield f"cut by {cut}", sealed[:-cut]
    yield "two records swapped", head + records[1] + records[0] + b"".join(records[2:])
    yield "a record left out", head + records[0] + b"".join(records[2:])
    yield "a record doubled", head + records[0] * 2 + b"".join(records[1:])
    yield "the last record doubled", sealed + records[3]
    yield "the first record at the end", sealed + records[0]
    yield "bytes behind the end", sealed + bytes(40)
    yield "a header alone", head
    yield "half a header", sealed[:20]
    yield "nothing", b""
    yield "something else", os.urandom(len(sealed))


def test_changed_sealed_files_are_refused_and_leave_nothing(folder):
    path = data_file(folder, 3 * 4096 + 100)
    with plx.Daemon(folder) as daemon:
        for line in keys(folder):
            daemon.ctl(*line.split())
        daemon.ctl("job", "encrypt", path, f"{folder}/sealed", "alg=aes-256-gcm", "key=c/a", "record=4k")
        daemon.ctl("job", "encrypt", path, f"{folder}/second", "alg=aes-256-gcm", "key=c/a", "record=4k")
        sealed, second = (folder / "sealed").read_bytes(), (folder / "second").read_bytes()
        cases = list(tampered(sealed))
        cases.append(("a record of another file", sealed[:32 + 4112] + second[32 + 4112:32 + 2 * 4112] +
                      sealed[32 + 2 * 4112:]))
        cases.append(("the header of another file", second[:32] + sealed[32:]))
        for name, data in cases:
            (folder / "bad").write_bytes(data)
            (folder / "out").write_bytes(b"before")
            said = daemon.ctl("job", "decrypt", f"{folder}/bad", f"{folder}/out", "alg=aes-256-gcm", "key=c/a", code=1)
            assert said, name
            assert (folder / "out").read_bytes() == b"before", name
            assert not plx.leftovers(folder), name
        daemon.ctl("key", "generate", "c/x", "aes-256-gcm")
        said = daemon.ctl("job", "decrypt", f"{folder}/sealed", f"{folder}/new", "alg=aes-256-gcm", "key=c/x", code=1)
        assert "authenticate" in said and not (folder / "new").exists()
        assert daemon.ctl("show", "engines"), "the daemon is well"
        assert daemon.end() == 0


def test_cbc_with_a_wrong_key_leaves_nothing(folder):
    path = data_file(folder, 100001)
    with plx.Daemon(folder) as daemon:
        for line in keys(folder):
            daemon.ctl(*line.split())
        daemon.ctl("key", "generate", "c/x", "aes-256")
        daemon.ctl("job", "encrypt", path, f"{folder}/cbc", "alg=aes-cbc", "key=c/a", f"iv={IV}")
        refused = 0
        for _ in range(3):  # a wrong key has right padding once in 256 times
            done = plx.run("ctl", "--socket", daemon.path, "job", "decrypt", folder / "cbc", folder / "out",
                           "alg=aes-cbc", "key=c/x", f"iv={IV}")
            if done.returncode:
                refused += 1
                assert "padding" in done.stderr and not (folder / "out").exists()
            (folder / "out").unlink(missing_ok=True)
            daemon.ctl("key", "delete", "c/x")
            daemon.ctl("key", "generate", "c/x", "aes-256")
        assert refused >= 2
        (folder / "odd").write_bytes(b"x" * 33)
        (folder / "empty").write_bytes(b"")
        for name in ("odd", "empty"):
            said = daemon.ctl("job", "decrypt", folder / name, folder / "out", "alg=aes-cbc", "key=c/a", f"iv={IV}",
                              code=1)
            assert "16" in said
        assert not plx.leftovers(folder)


def test_bad_inputs_are_refused_with_a_sentence(folder):
    path = data_file(folder, 1000)
    os.mkfifo(folder / "fifo")
    (folder / "dir").mkdir()
    (folder / "locked").mkdir(mode=0o500)
    job = ["job", "encrypt"]
    rest = ["alg=aes-256-gcm", "key=c/a"]
    with plx.Daemon(folder) as daemon:
        for line in keys(folder):
            daemon.ctl(*line.split())
        for words, part in [
                ([*job, folder / "none", folder / "out", *rest], "No such file"),
                ([*job, folder / "fifo", folder / "out", *rest], "regular"),
                ([*job, folder / "dir", folder / "out", *rest], "regular"),
                ([*job, path, folder / "dir", *rest], "not replaced"),
                ([*job, path, "/dev/null", *rest], "not replaced"),
                ([*job, path, folder / "nodir/out", *rest], "out"),
                ([*job, path, folder / "out", "alg=aes-256-gcm"], "key="),
                ([*job, path, folder / "out", "key=c/a"], "alg="),
                ([*job, path, folder / "out", "alg=aes-256-gcm", "key=c/none"], "none"),
                ([*job, path, folder / "out", "alg=aes-256-gcm", "key=c"], "CONTAINER/NAME"),
                ([*job, path, folder / "out", "alg=aes-128-gcm", "key=c/a"], "256 bits"),
                ([*job, path, folder / "out", "alg=rot13", "key=c/a"], "rot13"),
                ([*job, path, folder / "out", "alg=sha-256", "key=c/a"], "cannot encrypt"),
                ([*job, path, folder / "out", *rest, "iv=" + IV], "nonce"),
                ([*job, path, folder / "out", "alg=aes-ctr", "key=c/a", "iv=zz"], "hexadecimal"),
                ([*job, path, folder / "out", "alg=aes-ctr", "key=c/a", "iv=" + IV + "00"], "hexadecimal"),
                ([*job, path, folder / "out", *rest, "record=64k"], "65280"),
                ([*job, path, folder / "out", *rest, "record=257"], "multiple of 16"),
                ([*job, path, folder / "out", *rest, "depth=0"], "1 to 1024"),
                ([*job, path, folder / "out", *rest, "class=gold"], "high, normal, bulk"),
                ([*job, path, folder / "out", *rest, "mode=warp"], "pipeline, inline, auto"),
                ([*job, path, folder / "out", *rest, "sync=maybe"], "yes nor no"),
                ([*job, path, folder / "out", *rest, "speed=9"], "speed"),
                ([*job, path, *rest], "job encrypt"),
                (["job", "decrypt", path, folder / "out", "alg=aes-ctr", "key=c/a"], "iv="),
                (["job", "mac", path, "alg=aes-gmac", "key=c/a"], "nonce"),
                (["job", "digest", path, "alg=random"], "random"),
                (["job", "sign", path, folder / "out", "key=c/a"], "aes"),
        ]:
            said = daemon.ctl(*words, code=1)
            assert part in said, f"{words}: {said}"
            assert not (folder / "out").exists() and not plx.leftovers(folder)
        assert daemon.end() == 0


def test_files_that_do_not_tell_their_size_are_refused(folder):
    with plx.Daemon(folder) as daemon:
        for line in keys(folder):
            daemon.ctl(*line.split())
        for words in (["encrypt", "/proc/cpuinfo", folder / "out", "alg=aes-256-gcm", "key=c/a"],
                      ["digest", "/proc/cpuinfo", "alg=sha-256"]):
            assert "does not tell its size" in daemon.ctl("job", *words, code=1)
            assert not (folder / "out").exists() and not plx.leftovers(folder)
        assert daemon.end() == 0


def test_output_may_be_behind_a_link_but_not_the_input(folder):
    path = data_file(folder, 100000)
    plain = path.read_bytes()
    (folder / "same").symlink_to(path)
    (folder / "old").write_bytes(b"old")
    (folder / "link").symlink_to(folder / "old")
    rest = ["alg=aes-256-gcm", "key=c/a"]
    with plx.Daemon(folder) as daemon:
        for line in keys(folder):
            daemon.ctl(*line.split())
        for name in (path, folder / "same"):
            assert "is the input" in daemon.ctl("job", "encrypt", path, name, *rest, code=1)
            assert path.read_bytes() == plain and not plx.leftovers(folder)
        daemon.ctl("job", "encrypt", path, folder / "link", *rest)
        assert (folder / "link").is_symlink() and (folder / "old").read_bytes() != b"old"
        daemon.ctl("job", "decrypt", folder / "link", folder / "back", *rest)
        assert (folder / "back").read_bytes() == plain
        assert daemon.end() == 0


def test_files_that_change_under_way_fail_the_job(folder):
    path = folder / "big"
    with open(path, "wb") as f:
        f.truncate(1 << 30)
    with plx.Daemon(folder) as daemon:
        for line in keys(folder):
            daemon.ctl(*line.split())
        job = daemon.start("job", "encrypt", path, folder / "out", "alg=aes-256-gcm", "key=c/a", "record=4k")
        plx.until(lambda: daemon.ctl("show", "lanes"), "the job does not begin")
        os.truncate(path, 5000)
        _, said = job.communicate(timeout=plx.LIMIT)
        assert job.returncode == 1 and "big" in said, said
        assert not (folder / "out").exists() and not plx.leftovers(folder)

        with open(path, "wb") as f:
            f.truncate(1 << 29)
        job = daemon.start("job", "encrypt", path, folder / "out", "alg=aes-256-gcm", "key=c/a", "record=4k")
        plx.until(lambda: daemon.ctl("show", "lanes"), "the job does not begin")
        with open(path, "r+b") as f:
            f.write(b"changed")
        _, said = job.communicate(timeout=plx.LIMIT)
        assert job.returncode == 1 and "changed" in said, said
        assert not (folder / "out").exists() and not plx.leftovers(folder)

        with open(path, "wb") as f:
            f.truncate(1 << 28)
        job = daemon.start("job", "digest", path, "alg=sha-256")
        time.sleep(0.05)
        os.truncate(path, 5000)  # a mapped file would end the daemon here
        job.communicate(timeout=plx.LIMIT)
        assert daemon.ctl("show", "engines")
        assert daemon.end() == 0


def test_interrupted_jobs_leave_nothing(folder):
    path = folder / "big"
    with open(path, "wb") as f:
        f.truncate(4 << 30)
    with plx.Daemon(folder) as daemon:
        for line in keys(folder):
            daemon.ctl(*line.split())
        job = daemon.start("job", "encrypt", path, folder / "out", "alg=aes-256-gcm", "key=c/a")
        plx.until(lambda: daemon.ctl("show", "lanes"), "the job does not begin")
        said = daemon.ctl("stop", code=1)
        assert "under way" in said
        job.kill()  # the client goes; the daemon notices
        job.wait()
        plx.until(lambda: not daemon.ctl("show", "lanes"), "the job does not end")
        assert not (folder / "out").exists() and not plx.leftovers(folder)

        job = daemon.start("job", "encrypt", path, folder / "out", "alg=aes-256-gcm", "key=c/a")
        plx.until(lambda: daemon.ctl("show", "lanes"), "the job does not begin")
        assert daemon.end(signal.SIGTERM) == 0, "a job under way does not keep the daemon from a clean end"
        job.communicate(timeout=plx.LIMIT)
        assert job.returncode == 1
        assert not (folder / "out").exists() and not plx.leftovers(folder)


def test_file_too_large_for_one_operation_is_refused_with_the_limit(folder):
    path = folder / "big"
    with open(path, "wb") as f:
        f.truncate(1 << 31)
    said = plx.bad("--run", f"job digest {path} alg=sha-256")
    assert "2147483647" in said


def test_full_disk_is_a_sentence_and_leaves_nothing(folder):
    path = data_file(folder, 100000)
    with plx.Daemon(folder) as daemon:
        for line in keys(folder):
            daemon.ctl(*line.split())
        import resource  # the limit stands in for a full disk: writes fail half way
        resource.prlimit(daemon.proc.pid, resource.RLIMIT_FSIZE, (50000, 50000))
        said = daemon.ctl("job", "encrypt", path, folder / "out", "alg=aes-256-gcm", "key=c/a", code=1)
        assert "out" in said and "large" in said.lower()
        assert not (folder / "out").exists() and not plx.leftovers(folder)
        assert daemon.end() == 0


def test_jobs_run_at_the_same_time(folder):
    path = data_file(folder, 3000000)
    with plx.Daemon(folder) as daemon:
        for line in keys(folder):
            daemon.ctl(*line.split())
        jobs = [daemon.start("job", "encrypt", path, folder / f"out{i}", "alg=aes-ctr", "key=c/a", f"iv={IV}",
                             f"mode={'pipeline' if i % 2 else 'inline'}") for i in range(6)]
        for job in jobs:
            job.communicate(timeout=plx.LIMIT)
        want = enc(folder, "aes-256-ctr", KEY, IV, path)
        for i in range(6):
            assert (folder / f"out{i}").read_bytes() == want
        assert daemon.ctl("show", "lanes") == []
        assert daemon.end() == 0


if __name__ == "__main__":
    plx.main(globals())
