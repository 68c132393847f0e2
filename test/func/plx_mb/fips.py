#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Pollux developers
"""DPDK's fips_validation, built from the packaged example, answers requests in the form of NIST's ACVP on crypto_plx_mb.

The requests are made here of random keys and messages; the answers are compared with Python's hashlib and with the openssl
program, case by case. Cases are counted.

Usage: fips.py MIN-CASES     LD_LIBRARY_PATH names the folder of librte_crypto_plx_mb.so
Exit 77: the example (package dpdk-doc) or libjansson's header is not installed.
"""

import hashlib
import hmac
import json
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from stock import fail, lcores, need, run, skip

SOURCE = pathlib.Path("/usr/share/dpdk/examples/fips_validation")
RANDOM = random.Random(20)
HASHES = {"SHA-1": "sha1", "SHA2-224": "sha224", "SHA2-256": "sha256", "SHA2-384": "sha384", "SHA2-512": "sha512"}


def tool(*command, data=None):
    done = subprocess.run(command, input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, timeout=300)
    if done.returncode != 0:
        fail(f"{' '.join(map(str, command))}: exit {done.returncode}", done.stdout + done.stderr)
    return done.stdout


def some(size):
    return RANDOM.randbytes(size)


def build(folder):
    """The example's Makefile leaves out what needs OpenSSL; so it is compiled here."""
    if not SOURCE.is_dir():
        skip(f"{SOURCE} is not there (package dpdk-doc)")
    if subprocess.run(["pkg-config", "--exists", "jansson"], check=False).returncode != 0:
        skip("jansson's header is not installed (package libjansson-dev)")
    program = folder / "fips_validation"
    flags = tool("pkg-config", "--cflags", "libdpdk", "jansson", "libcrypto").decode().split()
    libs = tool("pkg-config", "--libs", "libdpdk", "jansson", "libcrypto").decode().split()
    tool("cc", "-O1", "-w", "-DALLOW_EXPERIMENTAL_API", "-DUSE_JANSSON", "-DUSE_OPENSSL", *flags,
        *sorted(map(str, SOURCE.glob("*.c"))), "-o", program, *libs)
    return program


def answers(program, folder, vector_set):
    """All cases of the answer by tcId, each with its group.

    A run a set: 22.11's example frees what is not its own when it goes on to another.
    """
    request, response = folder / "request.json", folder / "response.json"
    session = {"acvVersion": "1.0", "vectorSetUrls": [], "testSessionId": 1, "isSample": True}
    request.write_text(json.dumps([session, {"vsId": 1, "revision": "1.0", **vector_set}]), encoding="utf-8")
    code, output = run(program, lcores(1), ["-d", "librte_crypto_plx_mb.so", "--vdev", "crypto_plx_mb0", "--", "--req-file", request,
                                            "--rsp-file", response, "--cryptodev", "crypto_plx_mb0",
                                            *(["--asymmetric"] if "mode" in vector_set else [])])
    if code != 0:
        fail(f"fips_validation: exit {code}", output)
    groups = json.loads(response.read_text(encoding="utf-8"))[1][-1]["testGroups"]
    return {case["tcId"]: (case, group) for group in groups for case in group["tests"]}


class Set:
    """A vector set, and what each case has to answer: fields, or a function of case and group that tells whether it is right."""

    def __init__(self, algorithm, **more):
        self.set = {"algorithm": algorithm, **more, "testGroups": []}
        self.want = {}

    def group(self, **fields):
        self.set["testGroups"].append({"tgId": len(self.set["testGroups"]) + 1, **fields, "tests": []})

    def case(self, want, **fields):
        number = len(self.want) + 1
        self.set["testGroups"][-1]["tests"].append({"tcId": number, **fields})
        self.want[number] = want


def hashes():
    for name, python in HASHES.items():
        one = Set(name)
        one.group(testType="AFT")
        for size in (1, 3, 55, 56, 64, 65, 127, 128, 1000):
            message = some(size)
            one.case({"md": hashlib.new(python, message).hexdigest()}, msg=message.hex(), len=8 * size)
        yield one


def macs():
    for name, python in HASHES.items():
        one = Set("HMAC-" + name)
        for key_bytes, mac_bytes in ((16, 16), (64, hashlib.new(python).digest_size), (200, 16)):
            one.group(testType="AFT", keyLen=8 * key_bytes, msgLen=1024, macLen=8 * mac_bytes)
            for _ in range(3):
                key, message = some(key_bytes), some(128)
                one.case({"mac": hmac.new(key, message, python).hexdigest()[:2 * mac_bytes]}, key=key.hex(), msg=message.hex())
        yield one
    one = Set("CMAC-AES")
    for key_bytes in (16, 32):
        for direction in ("gen", "ver"):
            one.group(testType="AFT", direction=direction, keyLen=8 * key_bytes, msgLen=320, macLen=128)
            for bad in (False, True):
                key, message = some(key_bytes), some(40)
                mac = tool("openssl", "mac", "-cipher", f"AES-{8 * key_bytes}-CBC", "-macopt", "hexkey:" + key.hex(), "-binary",
                          "CMAC", data=message)
                if direction == "gen":
                    one.case({"mac": mac.hex()}, key=key.hex(), message=message.hex())
                else:
                    one.case({"testPassed": not bad}, key=key.hex(), message=message.hex(),
                             mac=(bytes([mac[0] ^ bad]) + mac[1:]).hex())
    yield one


def ciphers():
    for mode, sizes in (("CBC", (16, 64, 160)), ("CTR", (16, 48, 160))):
        one = Set("ACVP-AES-" + mode)
        for key_bytes in (16, 24, 32):
            for direction in ("encrypt", "decrypt"):
                one.group(testType="AFT", direction=direction, keyLen=8 * key_bytes)
                for size in sizes:
                    key, iv, plain = some(key_bytes), some(16), some(size)
                    cipher = tool("openssl", "enc", f"-aes-{8 * key_bytes}-{mode.lower()}", "-K", key.hex(), "-iv", iv.hex(),
                                 "-nopad", data=plain)
                    if direction == "encrypt":
                        one.case({"ct": cipher.hex()}, key=key.hex(), iv=iv.hex(), pt=plain.hex())
                    else:
                        one.case({"pt": plain.hex()}, key=key.hex(), iv=iv.hex(), ct=cipher.hex())
        yield one


def xts():
    """Vectors 2 and 3 of IEEE 1619, annex B: the openssl program has no XTS."""
    tweak, plain = "3333333333" + "00" * 11, "44" * 32
    one = Set("ACVP-AES-XTS")
    for direction in ("encrypt", "decrypt"):
        one.group(testType="AFT", direction=direction, keyLen=128, tweakMode="hex", payloadLen=256)
        for key, cipher in (("11" * 16 + "22" * 16, "c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0"),
                            ("fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0" + "22" * 16,
                             "af85336b597afc1a900b2eb21ec949d292df4c047e0b21532186a5971a227a89")):
            if direction == "encrypt":
                one.case({"ct": cipher}, key=key, tweakValue=tweak, pt=plain)
            else:
                one.case({"pt": plain}, key=key, tweakValue=tweak, ct=cipher)
    yield one


def gcm():
    """Known answers (test cases 4 and 16 of the GCM specification), then what they say goes back, whole and damaged."""
    plain = ("d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657"
             "ba637b39")
    aad, iv = "feedfacedeadbeeffeedfacedeadbeefabaddad2", "cafebabefacedbaddecaf888"
    known = (
        ("feffe9928665731c6d6a8f9467308308",
         "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091",
         "5bc94fbc3221a5db94fae95ae7121a47"),
        ("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
         "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662",
         "76fc6ece0f4e1768cddf8853bb2d551b"),
    )
    one = Set("ACVP-AES-GCM")
    for key, cipher, tag in known:
        sizes = {"testType": "AFT", "keyLen": 4 * len(key), "ivLen": 96, "payloadLen": 480, "aadLen": 160, "tagLen": 128}
        one.group(direction="encrypt", ivGen="external", ivGenMode="8.2.1", **sizes)
        one.case({"ct": cipher, "tag": tag}, key=key, iv=iv, pt=plain, aad=aad)
        one.group(direction="decrypt", **sizes)
        one.case({"pt": plain}, key=key, iv=iv, ct=cipher, aad=aad, tag=tag)
        one.case({"testPassed": False}, key=key, iv=iv, ct=cipher, aad=aad, tag="ff" + tag[2:])
    yield one


def der_numbers(der):
    """The two INTEGERs of an ECDSA signature."""
    at, numbers = 3 if der[1] & 0x80 else 2, []
    for _ in range(2):
        size = der[at + 1]
        numbers.append(int.from_bytes(der[at + 2:at + 2 + size], "big"))
        at += 2 + size
    return numbers


def der_signature(r, s):
    parts = b"".join(b"\x02" + bytes([len(part)]) + part for part in
                     (number.to_bytes(number.bit_length() // 8 + 1, "big") for number in (r, s)))
    return b"\x30" + (b"\x81" if len(parts) > 127 else b"") + bytes([len(parts)]) + parts


def padded(text, size):
    return int(text, 16).to_bytes(size, "big")


CURVES = (("P-256", "SHA2-256", 32), ("P-384", "SHA2-384", 48), ("P-521", "SHA2-512", 66))


def signatures(folder):
    """Signatures made by OpenSSL, right and wrong ones."""
    key, message_file = folder / "key.pem", folder / "message"
    one = Set("ECDSA", mode="sigVer")
    for curve, digest, size in CURVES:
        one.group(testType="AFT", curve=curve, hashAlg=digest)
        tool("openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:" + curve, "-out", key)
        public = tool("openssl", "pkey", "-in", key, "-pubout", "-outform", "DER")[-2 * size:]
        for bad in (False, True):
            message = some(128)
            message_file.write_bytes(message)
            r, s = der_numbers(tool("openssl", "dgst", "-" + HASHES[digest], "-sign", key, message_file))
            one.case({"testPassed": not bad}, message=message.hex(), qx=public[:size].hex(), qy=public[size:].hex(),
                     r=(r ^ bad).to_bytes(size, "big").hex(), s=s.to_bytes(size, "big").hex())
    yield one
    one = Set("RSA", mode="sigVer")
    for bits, digest in ((2048, "SHA2-256"), (3072, "SHA2-512")):
        tool("openssl", "genpkey", "-algorithm", "RSA", "-pkeyopt", f"rsa_keygen_bits:{bits}", "-out", key)
        modulus = tool("openssl", "rsa", "-in", key, "-noout", "-modulus").decode().strip().split("=")[1].lower()
        one.group(testType="GDT", sigType="pkcs1v1.5", modulo=bits, hashAlg=digest, n=modulus, e="010001")
        for bad in (False, True):
            message = some(128)
            message_file.write_bytes(message)
            signature = tool("openssl", "dgst", "-" + HASHES[digest], "-sign", key, message_file)
            one.case({"testPassed": not bad}, message=message.hex(), signature=(bytes([signature[0] ^ bad]) + signature[1:]).hex())
    yield one


def pkcs1(digest, message, size):
    """EMSA-PKCS1-v1_5 (RFC 8017 9.2)."""
    info = {"SHA2-256": "3031300d060960864801650304020105000420", "SHA2-512": "3051300d060960864801650304020305000440"}[digest]
    end = b"\0" + bytes.fromhex(info) + hashlib.new(HASHES[digest], message).digest()
    return b"\0\1" + b"\xff" * (size - 2 - len(end)) + end


def made_signatures(folder):
    """The example makes keys, the device signs."""
    one = Set("RSA", mode="sigGen")
    for bits, digest in ((2048, "SHA2-256"), (3072, "SHA2-512")):
        one.group(testType="GDT", sigType="pkcs1v1.5", modulo=bits, hashAlg=digest)
        message = some(128)

        def is_right(case, group, padded=pkcs1(digest, message, bits // 8)):
            n, e, signature = (int(text, 16) for text in (group["n"], group["e"], case["signature"]))
            return pow(signature, e, n) == int.from_bytes(padded, "big")
        one.case(is_right, message=message.hex())
    yield one
    one = Set("ECDSA", mode="sigGen")
    for curve, digest, size in CURVES:
        one.group(testType="AFT", curve=curve, hashAlg=digest)
        key = folder / f"{curve}.pem"
        tool("openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:" + curve, "-out", key)
        head = tool("openssl", "pkey", "-in", key, "-pubout", "-outform", "DER")[:-2 * size]
        message = some(128)

        def is_right(case, group, head=head, message=message, digest=digest, size=size):
            for name, content in (("public", head + padded(group["qx"], size) + padded(group["qy"], size)), ("message", message),
                                  ("signature", der_signature(int(case["r"], 16), int(case["s"], 16)))):
                (folder / name).write_bytes(content)
            return b"OK" in tool("openssl", "dgst", "-" + HASHES[digest], "-verify", folder / "public", "-keyform", "DER",
                                "-signature", folder / "signature", folder / "message")
        one.case(is_right, message=message.hex())
    yield one


def compare(one, got):
    name = " ".join(filter(None, (one.set["algorithm"], one.set.get("mode"))))
    for number, want in one.want.items():
        case, group = got.get(number, ({}, {}))
        if callable(want):
            if not case or not want(case, group):
                fail(f"{name}, case {number}: {case or 'no answer'}")
            continue
        for field, value in want.items():
            answer = case.get(field)
            if (answer.lower() if isinstance(answer, str) else answer) != value:
                fail(f"{name}, case {number}: {field} is {answer}, want {value}", json.dumps(one.set, indent=1).encode())
    return name, len(one.want)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    need("openssl", "openssl")
    with tempfile.TemporaryDirectory(prefix="plx-fips-") as name:
        folder = pathlib.Path(name)
        program = build(folder)
        sets = [*gcm(), *hashes(), *macs(), *ciphers(), *xts(), *signatures(folder), *made_signatures(folder)]
        counts = {}
        for one in sets:
            name, nb = compare(one, answers(program, folder, one.set))
            counts[name] = counts.get(name, 0) + nb
    for name, nb in counts.items():
        print(f"  {name}: {nb}")
    nb = sum(counts.values())
    print(f"fips_validation on crypto_plx_mb: {nb} cases right")
    if nb < int(sys.argv[1]):
        fail(f"{nb} cases; want at least {sys.argv[1]}")


main()
