# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Pollux developers
# shellcheck shell=bash
#
# The four headers a cryptodev driver needs and no Debian package ships. Sourced by tools/setup.
#
# Looked for, in this order: an installed driver SDK (DPDK built with -Denable_driver_sdk=true), a DPDK source
# tree in PLX_DPDK_SRC, an earlier run's folder, the distribution's source package. The last needs neither root
# nor a change to apt's configuration: the mirror is the machine's own, the package lists live in a folder of
# their own. Within a line (22.11.x, 24.11.x) these headers do not move, so any version of the line will do.

DRIVER_SDK_HEADERS='lib/cryptodev/cryptodev_pmd.h lib/eal/include/dev_driver.h lib/eal/include/bus_driver.h drivers/bus/vdev/bus_vdev_driver.h'

driver_sdk_installed()
{
	[ -f "$(pkg-config --variable=includedir libdpdk)/cryptodev_pmd.h" ]
}

driver_sdk_complete()
{
	local header

	for header in $DRIVER_SDK_HEADERS; do
		[ -s "$1/${header##*/}" ] || return 1
	done
}

# driver_sdk_copy TREE DIR: into a folder beside, then renamed, so that a half-made one is never found.
driver_sdk_copy()
{
	local tree=$1 dir=$2 origin=$3 header tmp

	tmp=$(mktemp -d -- "$dir.XXXXXX") || return 1
	for header in $DRIVER_SDK_HEADERS; do
		cp -- "$tree/$header" "$tmp/" || { rm -rf -- "$tmp"; return 1; }
	done
	printf '%s\n' "$origin" >"$tmp/ORIGIN"
	chmod 0755 "$tmp"
	rm -rf -- "$dir"
	mv -- "$tmp" "$dir"
}

# Lines "URI SUITE" to ask for the source package: the machine's own suites first, then suites of the same
# mirrors that may carry another version of the same line.
driver_sdk_sources()
{
	local codename uri suite

	codename=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")
	# shellcheck disable=SC2016 # apt's own format, not the shell's
	apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
		awk '$3 == "main" { print $1, $2 }' | sort -u >"$1"
	awk -v c="$codename" '$2 == c || index($2, c "-") == 1' "$1"
	# shellcheck disable=SC2034 # suite is read to split the line
	while read -r uri suite; do
		for suite in "$codename-updates" "$codename-security" "$codename-proposed-updates" "$codename-backports" stable; do
			printf '%s %s\n' "$uri" "$suite"
		done
	done < <(awk -v c="$codename" 'index($2, c) == 1 && !seen[$1]++' "$1")
}

# One suite: its source list, then each version of the line, the installed one first. The tree lands in $dir/src.
driver_sdk_from_suite()
{
	local dir=$1 uri=$2 suite=$3 want=$4 line=$5 version
	local -a patterns

	read -r -a patterns <<<"$DRIVER_SDK_HEADERS"

	printf 'deb-src %s %s main\n' "$uri" "$suite" >"$dir/sources.list"
	apt-get "${APT_PRIVATE[@]}" update -qq >>"$dir/log" 2>&1 || true
	while read -r version; do
		rm -f -- "$dir"/dpdk_*
		if (cd -- "$dir" && apt-get "${APT_PRIVATE[@]}" source -qq --download-only "dpdk=$version") >>"$dir/log" 2>&1; then
			rm -rf -- "$dir/src" && mkdir -- "$dir/src"
			tar -xJf "$dir"/dpdk_*.orig.tar.xz -C "$dir/src" --strip-components=1 --wildcards \
				"${patterns[@]/#/*/}" >>"$dir/log" 2>&1 || continue
			printf '%s\n' "$version"
			return 0
		fi
	done < <({ printf '%s\n' "$want"; apt-cache "${APT_PRIVATE[@]}" showsrc dpdk 2>/dev/null | sed -n 's/^Version: //p'; } |
		awk -v l="$line." 'index($0, l) == 1 && !seen[$0]++')
	return 1
}

# driver_sdk_from_package DIR VERSION LINE: 0 and the folder is there, or 1 and the reason on standard error.
driver_sdk_from_package()
{
	local out=$1 line=$2 want work uri suite got ret=1
	local -a APT_PRIVATE

	command -v apt-get >/dev/null || return 1
	want=$(dpkg-query -W -f='${source:Version}' libdpdk-dev 2>/dev/null) || return 1
	work=$(mktemp -d) || return 1
	packages_private "$work"
	: >"$work/log"
	while read -r uri suite; do
		if got=$(driver_sdk_from_suite "$work" "$uri" "$suite" "$want" "$line"); then
			driver_sdk_copy "$work/src" "$out" "source package dpdk $got, suite $suite" && ret=0
			break
		fi
	done < <(driver_sdk_sources "$work/targets" | awk '!seen[$0]++')
	[ "$ret" = 0 ] || grep '^E:' "$work/log" | sort -u | sed 's/^/    /' | head -n 6 >&2
	rm -rf -- "$work"
	return "$ret"
}

# driver_sdk_where VERSION ROOT..: prints where the headers are, or nothing. pmd/meson.build looks in the same order.
driver_sdk_where()
{
	local version=$1 root name dir

	shift
	if driver_sdk_installed; then
		printf 'installed with DPDK\n'
		return
	elif [ -n "${PLX_DPDK_SRC:-}" ]; then
		printf '%s (PLX_DPDK_SRC)\n' "$PLX_DPDK_SRC"
		return
	fi
	for root in "$@"; do
		for name in "$version" "$(driver_sdk_line "$version")"; do
			dir=$root/.prefix/driver-sdk/$name
			if driver_sdk_complete "$dir"; then
				printf '%s\n' "$dir"
				return
			fi
		done
	done
}

driver_sdk_line()
{
	printf '%s\n' "$1" | cut -d. -f1-2
}

# Make sure of the headers; without them pmd/ is left out, which is said and is no failure.
driver_sdk_ensure()
{
	local root=$1 version dir

	version=$(pkg-config --modversion libdpdk) || return 1
	dir=$root/.prefix/driver-sdk/$version
	[ -z "$(driver_sdk_where "$version" "$root" "$PLX_TOP")" ] || return 0
	mkdir -p -- "${dir%/*}" || return 1
	# A mirror that lacks the package today is not asked again for a day, unless --retry says so.
	if [ -z "$SETUP_RETRY" ] && [ -n "$(find "$dir.absent" -mmin -1440 2>/dev/null)" ]; then
		driver_sdk_absent "$version"
		return 0
	fi
	setup_say "driver headers of DPDK $version from the distribution's source package"
	if driver_sdk_from_package "$dir" "$(driver_sdk_line "$version")"; then
		rm -f -- "$dir.absent"
		return 0
	fi
	: >"$dir.absent"
	driver_sdk_absent "$version"
}

driver_sdk_absent()
{
	cat >&2 <<TXT
********************************************************************************
pmd/ IS LEFT OUT: the driver headers of DPDK $1 are not to be had from this
machine's package mirror. All else builds. To build pmd/ as well, either
    PLX_DPDK_SRC=/path/to/dpdk-source tools/setup      (a $(driver_sdk_line "$1") source tree), or
    tools/setup --retry                                (asks the mirror again)
********************************************************************************
TXT
}
