# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Pollux developers
# shellcheck shell=bash
#
# Debian packages, in groups by what needs them. Sourced by tools/setup. The same names hold for Debian 12 and 13.

packages_of()
{
	case $1 in
	# Build and run. libdpdk-dev brings every driver of the release.
	run) echo gcc libc6-dev meson ninja-build pkg-config libdpdk-dev dpdk libssl-dev openssl libnuma-dev \
		libinih-dev libjansson-dev libedit-dev python3 xz-utils ;;
	# Everything tools/test starts besides; dpdk-dev has dpdk-telemetry.py and
	# dpdk-test-crypto-perf, dpdk-doc the source of fips_validation.
	test) echo libcmocka-dev valgrind dpdk-dev dpdk-doc man-db clang clang-format clang-tidy cppcheck shellcheck gcovr ;;
	bench) echo dpdk-dev gnuplot-nox ;;
	debian13) echo debootstrap ;;
	*) return 1 ;;
	esac
}

PACKAGE_GROUPS='run test bench debian13'

# The archive this machine takes its own release from.
packages_mirror()
{
	# shellcheck disable=SC2016 # apt's own format, not the shell's
	apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
		awk -v c="$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")" '$3 == "main" && $2 == c { print $1; exit }'
}

# packages_private DIR: fills APT_PRIVATE with options for an apt whose lists and cache are in DIR, which it makes
# ready; DIR/sources.list is the caller's to write. apt's own configuration stays as it is.
packages_private()
{
	mkdir -p -- "$1/lists/partial" "$1/cache/archives/partial"
	# apt as root fetches as its own user; it has to reach the folder.
	chmod -R go+rX -- "$1"
	# shellcheck disable=SC2034 # the caller's
	APT_PRIVATE=(-o "Dir::Etc::sourcelist=$1/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$1/lists"
		-o "Dir::Cache=$1/cache" -o Acquire::Retries=1 -o Acquire::http::Timeout=30)
}

# The packages of the groups named that dpkg does not have installed, one a line.
packages_missing()
{
	local group name state
	local -a names=()
	local -A have=()

	for group in "$@"; do
		# shellcheck disable=SC2207 # package names have no spaces
		names+=($(packages_of "$group")) || plx_die "no group '$group'; there are: $PACKAGE_GROUPS"
	done
	while read -r name state; do
		[ "$state" = installed ] && have[$name]=1
	done < <(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "${names[@]}" 2>/dev/null)
	for name in "${names[@]}"; do
		[ -n "${have[$name]:-}" ] || printf '%s\n' "$name"
	done | LC_ALL=C sort -u
}

# The command that makes us root: nothing for root, sudo where it works, else fails.
packages_as_root()
{
	if [ "$(id -u)" = 0 ]; then
		echo env
	elif command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
		echo sudo
	else
		return 1
	fi
}

# packages_install LOG NAME..
packages_install()
{
	local log=$1 root
	local -a apt

	shift
	root=$(packages_as_root) || {
		plx_note "tools/setup: these packages are missing and only root can install them:"
		plx_note "    $*"
		plx_note "Run once as root:  $PLX_TOP/tools/setup"
		plx_note "or:  apt-get install --no-install-recommends $*"
		return 1
	}
	setup_say "installing $*"
	command -v apt-get >/dev/null || plx_die "this system has no apt-get; install what corresponds to: $*"
	apt=("$root" DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o DPkg::Lock::Timeout=600
		-o APT::Install-Recommends=false -o Dpkg::Use-Pty=0)
	# With lists that are current the update is not needed; without any, or with old ones, the install says so.
	if "${apt[@]}" install "$@" >"$log" 2>&1 </dev/null; then
		return 0
	fi
	if ! "${apt[@]}" update >"$log" 2>&1 </dev/null ||
		! "${apt[@]}" install "$@" >>"$log" 2>&1 </dev/null; then
		tail -n 20 -- "$log" >&2
		plx_note "tools/setup: apt-get could not install: $* (whole log: $log)"
		return 1
	fi
}
