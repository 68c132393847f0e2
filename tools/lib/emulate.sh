#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Pollux developers
#
# tools/test --ifma: tests of crypto_plx_mb on an emulated CPU with AVX512-IFMA and VAES, for machines that have none.
# Started as root in the Debian 13 chroot, where Bochs 3 and crypto_mb are packages (the Bochs of Debian 12 stops in
# the kernel's start). A kernel of Debian's boots from a CD image with the test programs in its initial RAM disk; the
# serial line is the log. Bochs runs some ten million instructions a second on one core: nothing is timed here.
set -euo pipefail

. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"

EMULATE_PACKAGES='bochs grub-pc-bin grub-common xorriso mtools cpio busybox-static libcrypto-mb11'
EMULATE_CPU=corei7_icelake_u
EMULATE_SECONDS=2400
# What has code for such a CPU and is done in minutes; the name of each is that of its executable without "test_".
# mb_rsa makes keys of 8192 bits, and threads wait long for each other there.
EMULATE_TESTS='mb_probe mb_ec mb_mod mb_edwards_sm2 mb_lanes mb_wycheproof xts_known'

main()
{
	local work status=0
	local -a packages programs=()
	local name

	plx_setup run test || return 1
	read -ra packages <<<"$EMULATE_PACKAGES"
	DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${packages[@]}" >/dev/null
	for name in $EMULATE_TESTS; do
		programs+=("test/unit/${name%%_*}/test_$name")
	done
	# the folder of mb_* is plx_mb
	programs=("${programs[@]/#test\/unit\/mb\//test/unit/plx_mb/}")
	plx_note "building"
	plx_build debug "${programs[@]}"
	work=$(mktemp -d)
	# shellcheck disable=SC2064 # now
	trap "rm -rf -- '$work'" EXIT
	plx_note "making an image"
	kernel_get "$work"
	disk_make "$work" "${programs[@]/#/$PLX_BUILD/}"
	plx_note "starting Bochs ($EMULATE_CPU); this takes its time"
	machine_run "$work" || status=$?
	report "$work/log" || status=$?
	return "$status"
}

# The kernel is unpacked, not installed: a chroot boots nothing.
kernel_get()
{
	local name

	name=$(apt-cache depends linux-image-cloud-amd64 | sed -n 's/.*Depends: //p' | head -n 1)
	(cd -- "$1" && apt-get -o APT::Sandbox::User=root download -qq "$name" && dpkg-deb -x "$name"_*.deb kernel)
}

# disk_make DIR PROGRAM..: a CD image that boots and runs them.
disk_make()
{
	local work=$1 root=$1/root program file

	shift
	mkdir -p -- "$root"/{bin,dev,proc,sys,tmp,tests,lib64,usr/lib} "$work/cd/boot/grub"
	cp -- /bin/busybox "$root/bin/"
	for program in "$@" /usr/lib/x86_64-linux-gnu/libcrypto_mb.so.11 /usr/lib/x86_64-linux-gnu/dpdk/pmds-*/*mempool_ring.so; do
		while IFS= read -r file; do
			file_put "$root" "$file"
		done < <(ldd "$program" | sed -n 's/.*=> \(\/[^ ]*\) .*/\1/p; s/^\t\(\/[^ ]*\) (.*/\1/p')
	done
	for program in "$@"; do
		strip -o "$root/tests/${program##*/test_}" -- "$program"
	done
	for file in /usr/lib/x86_64-linux-gnu/libcrypto_mb.so.11 /usr/lib/x86_64-linux-gnu/dpdk/pmds-*/*mempool_ring.so* \
		/usr/lib/x86_64-linux-gnu/ossl-modules/*; do
		file_put "$root" "$file"
	done
	[ -z "$PLX_VECTORS" ] || cp -rL -- "$PLX_VECTORS" "$root/vectors"
	init_write "$root/init"
	(cd -- "$root" && find . | cpio --quiet -o -H newc | gzip -1) >"$work/cd/boot/initrd"
	cp -- "$work"/kernel/boot/vmlinuz-* "$work/cd/boot/vmlinuz"
	printf '%s\n' 'set timeout=0' 'linux /boot/vmlinuz console=ttyS0 panic=-1 mitigations=off tsc=reliable quiet' \
		'initrd /boot/initrd' boot >"$work/cd/boot/grub/grub.cfg"
	grub-mkrescue -o "$work/cd.iso" "$work/cd" >"$work/grub.log" 2>&1 || { cat -- "$work/grub.log" >&2; return 1; }
}

# A file with the folders it stands in, and what a link points to.
file_put()
{
	mkdir -p -- "$1$(dirname -- "$2")"
	cp -L -- "$2" "$1$2"
}

init_write()
{
	cat >"$1" <<'INIT'
#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin HOME=/tmp
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
mkdir -p /var/run
grep -qw avx512ifma /proc/cpuinfo && grep -qw vaes /proc/cpuinfo && echo "plx-cpu ok"
[ ! -d /vectors ] || export PLX_VECTORS=/vectors
cd /tests
for test in *; do
	echo "plx-start $test"
	./"$test" $PLX_VECTORS
	echo "plx-end $test $?"
done
echo plx-done
# the serial line has still to send what is in its buffer
sleep 2
poweroff -f
INIT
	chmod +x -- "$1"
}

machine_run()
{
	local work=$1

	cat >"$work/bochsrc" <<RC
cpu: model=$EMULATE_CPU, count=1, ips=100000000
memory: guest=1536, host=1536
romimage: file=/usr/share/bochs/BIOS-bochs-latest
vgaromimage: file=/usr/share/bochs/VGABIOS-lgpl-latest
ata0-master: type=cdrom, path=$work/cd.iso, status=inserted
boot: cdrom
com1: enabled=1, mode=file, dev=$work/log
log: $work/bochs.log
info: action=ignore
error: action=ignore
clock: sync=none
display_library: rfb, options="timeout=0"
RC
	: >"$work/log"
	tail -f -- "$work/log" | sed -un 's/\r$//; s/^plx-start \(.*\)/emulated: \1/p' >&2 &
	# its debugger waits for a word at the start; its screen would listen on a port, so it has no network
	printf 'c\n' | timeout "$EMULATE_SECONDS" unshare --net bochs -q -f "$work/bochsrc" >"$work/bochs.out" 2>&1 || true
	kill $!
	[ -s "$work/log" ] || { tail -n 20 -- "$work/bochs.log" >&2; plx_die "the emulated machine did not start"; }
}

# One line a program, then the counts; the log of what failed.
report()
{
	local log=$1 name passed=0 failed=0 skipped=0 status

	grep -q '^plx-cpu ok' "$log" || { tail -n 20 -- "$log"; plx_die "the emulated CPU has no AVX512-IFMA and VAES"; }
	for name in $EMULATE_TESTS; do
		status=$(tr -d '\r' <"$log" | sed -n "s/^plx-end $name //p")
		if [ "$status" = 0 ]; then
			passed=$((passed + 1))
			printf 'ok       %s\n' "$name"
			continue
		fi
		if [ "$status" = 77 ]; then
			skipped=$((skipped + 1))
			printf 'skipped  %s\n' "$name"
			continue
		fi
		failed=$((failed + 1))
		printf 'FAILED   %s (%s)\n' "$name" "${status:-not run to its end}"
		tr -d '\r' <"$log" | sed -n "/^plx-start $name\$/,/^plx-end $name /p" | tail -n 60 | sed 's/^/    | /'
	done
	# with another answer the programs pass as well, and have shown nothing
	if ! grep -q 'asymmetric ops by crypto_mb' "$log"; then
		failed=$((failed + 1))
		echo 'FAILED   the device did not find crypto_mb'
	fi
	printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
	[ "$failed" = 0 ]
}

main "$@"
