# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Pollux developers
# shellcheck shell=bash
#
# tools/test --debian13 and --ifma: a chroot of the next Debian and what runs in it. Sourced by tools/test.
#
# The mirror and how to reach it (proxies, certificates) are those of this machine's own apt. What is mounted in
# the chroot lives in a mount namespace of its own, so nothing stays mounted however the run ends; where the
# kernel refuses a namespace, the mounts are undone on exit.

CHROOT_SUITE=trixie

chroot_make()
{
	local dir=$1 mirror

	plx_setup debian13 || return 1
	mirror=$(packages_mirror)
	[ -n "$mirror" ] || plx_die "apt on this machine names no archive for its own release; make the chroot by hand in $dir"
	plx_note "making a Debian 13 chroot in $dir"
	# Under another name until it is whole.
	rm -rf -- "$dir.part"
	if ! debootstrap --variant=minbase "$CHROOT_SUITE" "$dir.part" "$mirror" >"$dir.log" 2>&1; then
		tail -n 20 -- "$dir.log" >&2
		plx_die "debootstrap failed; the whole log is $dir.log"
	fi
	mv -T -- "$dir.part" "$dir"
	rm -f -- "$dir.log"
}

# How this machine reaches its mirror: name resolution, proxies, certificates.
chroot_network()
{
	local dir=$1

	cp -L -- /etc/resolv.conf /etc/hosts "$dir/etc/" 2>/dev/null || true
	apt-config dump | grep -E '^Acquire::(http|https|ftp|Retries|Check-Valid-Until|Check-Date)\b' \
		>"$dir/etc/apt/apt.conf.d/90host" || true
	if [ -r /etc/ssl/certs/ca-certificates.crt ] && [ ! -e "$dir/etc/ssl/certs/ca-certificates.crt" ]; then
		mkdir -p -- "$dir/etc/ssl/certs"
		cp -L -- /etc/ssl/certs/ca-certificates.crt "$dir/etc/ssl/certs/"
	fi
}

# The tree as it is here, changes included; what an earlier run compiled stays.
chroot_copy_tree()
{
	local to=$1/srv/pollux line

	mkdir -p -- "$to"
	find "$to" -mindepth 1 -maxdepth 1 ! -name build ! -name .prefix -exec rm -rf -- {} +
	plx_files '*' | tar -C "$PLX_TOP" --files-from=- -cf - | tar -C "$to" --no-same-owner -xf -
	# Driver headers this machine has for that release, for a mirror that has none.
	for line in "$PLX_TOP"/.prefix/driver-sdk/24.11*/; do
		[ -d "$line" ] || continue
		mkdir -p -- "$to/.prefix/driver-sdk"
		cp -r -- "${line%/}" "$to/.prefix/driver-sdk/"
	done
	if [ -n "$PLX_VECTORS" ]; then
		rm -rf -- "$1/srv/vectors"
		cp -rL -- "$PLX_VECTORS" "$1/srv/vectors"
	fi
}

chroot_mount()
{
	local dir=$1

	mount -t proc proc "$dir/proc" &&
		mount --bind /sys "$dir/sys" &&
		mount --bind /dev "$dir/dev" &&
		mount --bind /dev/pts "$dir/dev/pts" &&
		mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs "$dir/dev/shm"
}

chroot_unmount()
{
	local sub

	for sub in dev/shm dev/pts dev sys proc; do
		umount -l -- "$1/$sub" 2>/dev/null || true
	done
}

# chroot_run DIR COMMAND..: inside the namespace (or with the mounts of the machine) mount, run, undo.
chroot_run()
{
	local dir=$1 status=0

	shift
	trap 'chroot_unmount "$dir"' EXIT
	trap 'exit 130' INT TERM
	chroot_mount "$dir" || plx_die "cannot mount in $dir: it needs a root that may mount"
	chroot "$dir" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 TERM="${TERM:-dumb}" \
		http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" no_proxy="${no_proxy:-}" \
		PLX_VECTORS="$([ -z "$PLX_VECTORS" ] || echo /srv/vectors)" \
		"$@" </dev/null || status=$?
	return "$status"
}

# chroot_test DIR OPTION: what this option of tools/test runs; status and last line are those of the tests inside.
chroot_test()
{
	local dir=$1 option=$2 lock status=0
	local -a inner=(/srv/pollux/tools/test --quick)

	if [ "$(id -u)" != 0 ]; then
		command -v sudo >/dev/null || plx_die "$option makes a chroot and mounts in it: run it as root"
		exec sudo --preserve-env=PLX_VECTORS,PLX_DPDK_SRC,http_proxy,https_proxy,no_proxy \
			"$PLX_TOP/tools/test" "$option" --chroot "$dir"
	fi
	[ "$option" = --debian13 ] || inner=(/srv/pollux/tools/lib/emulate.sh)
	mkdir -p -- "${dir%/*}"
	(: >"$dir.lock") 2>/dev/null || plx_die "--chroot $dir: cannot write there"
	exec {lock}>"$dir.lock"
	flock -n "$lock" || plx_die "another run is using $dir"
	[ -x "$dir/usr/bin/env" ] || chroot_make "$dir" || return 1
	grep -q "VERSION_CODENAME=$CHROOT_SUITE" "$dir/etc/os-release" || plx_die "$dir holds something else than Debian 13"
	chroot_network "$dir"
	chroot_copy_tree "$dir"
	if unshare --mount --propagation private true 2>/dev/null; then
		export PLX_CHROOT=$dir
		# shellcheck disable=SC2016 # for the inner shell
		unshare --mount --propagation private bash -c '
			. "$1/tools/lib.sh" && . "$1/tools/lib/chroot.sh" && shift && chroot_run "$PLX_CHROOT" "$@"' \
			bash "$PLX_TOP" "${inner[@]}" || status=$?
	else
		(chroot_run "$dir" "${inner[@]}") || status=$?
	fi
	return "$status"
}
