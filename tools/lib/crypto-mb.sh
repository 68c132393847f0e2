# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Pollux developers
# shellcheck shell=bash
#
# crypto_mb, the multi-buffer library that crypto_plx_mb looks for when a device is made. Sourced by tools/setup.
#
# Debian 13 has a package; for Debian 12 the same package is unpacked into .prefix/crypto-mb, since it needs nothing
# but libc and OpenSSL 3. The package lists live in a folder of their own and the system's sources stay as they
# are; apt checks the archive's signature as always. Without the library all works, by OpenSSL.

CRYPTO_MB_PACKAGE=libcrypto-mb11
CRYPTO_MB_FILE=libcrypto_mb.so.11
CRYPTO_MB_SUITE=trixie

# Only these CPUs run it. PLX_CRYPTO_MB_ANYWAY is for those who prepare a tree for another machine.
crypto_mb_wanted()
{
	[ -n "${PLX_CRYPTO_MB_ANYWAY:-}" ] || grep -qw avx512ifma /proc/cpuinfo
}

# Prints where it is, or nothing.
crypto_mb_where()
{
	local root

	if ldconfig -p 2>/dev/null | grep -q "$CRYPTO_MB_FILE"; then
		printf 'installed\n'
		return
	fi
	for root in "$@"; do
		if [ -s "$root/.prefix/crypto-mb/$CRYPTO_MB_FILE" ]; then
			printf '%s\n' "$root/.prefix/crypto-mb/$CRYPTO_MB_FILE"
			return
		fi
	done
}

# crypto_mb_fetch DIR: into a folder beside, then renamed, so that a half-made one is never found.
crypto_mb_fetch()
{
	local out=$1 work mirror tmp ret=1
	local -a APT_PRIVATE

	command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || return 1
	mirror=$(packages_mirror)
	[ -n "$mirror" ] || return 1
	work=$(mktemp -d) || return 1
	packages_private "$work"
	printf 'deb %s %s main\n' "$mirror" "$CRYPTO_MB_SUITE" >"$work/sources.list"
	# nothing of this release counts as installed there
	APT_PRIVATE+=(-o Dir::State::status=/dev/null)
	if (cd -- "$work" && apt-get "${APT_PRIVATE[@]}" update -qq && apt-get "${APT_PRIVATE[@]}" download -qq "$CRYPTO_MB_PACKAGE") \
		>"$work/log" 2>&1 && dpkg-deb -x "$work/$CRYPTO_MB_PACKAGE"_*.deb "$work/x" >>"$work/log" 2>&1; then
		tmp=$(mktemp -d -- "$out.XXXXXX") &&
			find "$work/x" -name "$CRYPTO_MB_FILE*" -exec cp -P -- {} "$tmp/" \; &&
			find "$work/x" -name copyright -exec cp -- {} "$tmp/" \; &&
			[ -s "$tmp/$CRYPTO_MB_FILE" ] && chmod 0755 "$tmp" && rm -rf -- "$out" && mv -- "$tmp" "$out" && ret=0
	fi
	[ "$ret" = 0 ] || grep '^E:' "$work/log" | sort -u | sed 's/^/    /' | head -n 6 >&2
	rm -rf -- "$work"
	return "$ret"
}

# Make sure of the library where the CPU can run it; to have none is said and is no failure.
crypto_mb_ensure()
{
	local root=$1 dir=$1/.prefix/crypto-mb

	crypto_mb_wanted || return 0
	[ -z "$(crypto_mb_where "$root" "$PLX_TOP")" ] || return 0
	[ -z "$(find "$dir.absent" -mmin -1440 2>/dev/null)" ] || [ -n "$SETUP_RETRY" ] || return 0
	mkdir -p -- "$root/.prefix" || return 1
	setup_say "the multi-buffer library crypto_mb from the package $CRYPTO_MB_PACKAGE of $CRYPTO_MB_SUITE"
	if crypto_mb_fetch "$dir"; then
		rm -f -- "$dir.absent"
		return 0
	fi
	: >"$dir.absent"
	setup_say "it is not to be had; crypto_plx_mb works without it, by OpenSSL (tools/setup --retry asks again)"
}
