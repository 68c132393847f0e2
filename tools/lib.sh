# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Pollux developers
# shellcheck shell=bash
#
# What the programs in this folder share. Sourced, never run:
#
#     . "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"
#
# After that:
#     PLX_TOP            the source tree, absolute
#     plx_out_root       where builds, headers and logs go; prints a folder this user may write
#     plx_build KIND     configure (first time) and compile; sets PLX_BUILD to the build folder.
#                        KIND is debug, release, coverage, asan, tsan or clang
#     plx_setup GROUP..  packages and driver headers, see tools/setup
#     plx_files GLOB..   files of the project that match, one a line: tracked or new, not ignored
#     plx_note, plx_die  one line to standard error; plx_die ends with status 1

PLX_TOP=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)

plx_note()
{
	printf '%s\n' "$*" >&2
}

plx_die()
{
	plx_note "${0##*/}: $*"
	exit 1
}

# A folder of this user's own for a source tree he may not write: named after the tree, mode 0700.
plx_private_root()
{
	local base dir

	base=${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}
	if mkdir -p -- "$base" 2>/dev/null && [ -w "$base" ]; then
		dir=$base/pollux-$(printf '%s' "$PLX_TOP" | cksum | cut -d' ' -f1)
	else
		dir=${TMPDIR:-/tmp}/pollux-$(id -u)-$(printf '%s' "$PLX_TOP" | cksum | cut -d' ' -f1)
	fi
	[ -d "$dir" ] || mkdir -m 0700 -- "$dir" || plx_die "cannot make $dir; set XDG_CACHE_HOME to a folder you may write"
	[ -O "$dir" ] || plx_die "$dir belongs to somebody else; set XDG_CACHE_HOME to a folder of your own"
	printf '%s\n' "$dir"
}

# True when the tree itself takes what we write: the folder, and what an earlier run left in it.
plx_tree_is_ours()
{
	local dir

	for dir in "$PLX_TOP" "$PLX_TOP/build" "$PLX_TOP/build"/*/ "$PLX_TOP/.prefix" "$PLX_TOP/.prefix"/*/; do
		[ ! -e "$dir" ] || [ -w "$dir" ] || return 1
	done
}

plx_out_root()
{
	if plx_tree_is_ours; then
		printf '%s\n' "$PLX_TOP"
	else
		plx_private_root
	fi
}

plx_files()
{
	(
		cd -- "$PLX_TOP" || exit 1
		# safe.directory: root may read a clone that belongs to a user.
		git -c safe.directory="$PLX_TOP" ls-files --cached --others --exclude-standard -- "$@" 2>/dev/null ||
			plx_files_without_git "$@"
	) | LC_ALL=C sort -u | while IFS= read -r file; do
		[ -f "$PLX_TOP/$file" ] && printf '%s\n' "$file"
	done
}

# The same from an unpacked archive; a glob without a slash matches in every folder, as in git.
plx_files_without_git()
{
	local glob file

	while IFS= read -r file; do
		for glob in "$@"; do
			# shellcheck disable=SC2254 # the glob is meant to be one
			case $file in
			$glob)
				printf '%s\n' "$file"
				break
				;;
			esac
		done
	done < <(find . -mindepth 1 \( -path './build*' -o -path ./.prefix -o -path ./.git -o -path ./out -o -name __pycache__ \) -prune -o -type f -printf '%P\n')
}

PLX_BUILD_KINDS='debug release coverage asan tsan clang'

# Options of meson for a kind of build.
plx_build_options()
{
	case $1 in
	debug) echo --buildtype=debug ;;
	# Another compiler's new warning must not keep a user from running; the other builds hold the line.
	release) echo -Doptimization=3 -Ddebug=true -Dwerror=false -Dtests=false ;;
	coverage) echo --buildtype=debug -Db_coverage=true ;;
	asan) echo -Doptimization=1 -Ddebug=true -Db_sanitize=address,undefined -Db_lundef=false -Dc_args=-fno-sanitize-recover=undefined ;;
	# TSan has no model of a lone fence: gcc says so for each one in DPDK's headers, and rings take their other
	# form, of acquire and release.
	tsan) echo --buildtype=debugoptimized -Db_sanitize=thread -Db_lundef=false "-Dc_args=['-Wno-tsan','-DRTE_USE_C11_MEM_MODEL=1']" ;;
	clang) echo --buildtype=debug ;;
	*) return 1 ;;
	esac
}

# What a build folder depends on and ninja does not see; another answer means a new folder.
plx_build_signature()
{
	printf '%s\n' "$@"
	pkg-config --modversion libdpdk libcrypto
	find "$(plx_out_root)/.prefix/driver-sdk" "$PLX_TOP/.prefix/driver-sdk" -name cryptodev_pmd.h 2>/dev/null
}

plx_build_configure()
{
	local kind=$1 dir=$2 log=$3 cc=${CC:-gcc} signature
	local -a opts

	read -r -a opts < <(plx_build_options "$kind") || return 1
	[ "$kind" != clang ] || cc=clang
	opts+=("-Ddriver_sdk=$(plx_out_root)/.prefix/driver-sdk" "-Ddpdk_src=${PLX_DPDK_SRC:-}")
	[ ! -e "$(plx_out_root)/.prefix/crypto-mb/libcrypto_mb.so.11" ] ||
		opts+=("-Dcrypto_mb=$(plx_out_root)/.prefix/crypto-mb/libcrypto_mb.so.11")
	signature=$(plx_build_signature "$cc" "${opts[@]}")
	if [ -f "$dir/build.ninja" ] && [ "$(cat "$dir/plx-signature" 2>/dev/null)" = "$signature" ]; then
		return 0
	fi
	rm -rf -- "$dir"
	CC=$cc meson setup "${opts[@]}" "$dir" "$PLX_TOP" >"$log" 2>&1 || return 1
	printf '%s\n' "$signature" >"$dir/plx-signature"
	grep 'WARNING: pmd/' "$log" >&2 || true
}

# plx_build KIND [TARGET..]
plx_build()
{
	local kind=$1 root log

	shift
	plx_build_options "$kind" >/dev/null || plx_die "no build named '$kind'; there are: $PLX_BUILD_KINDS"
	root=$(plx_out_root) || exit 1
	PLX_BUILD=$root/build/$kind
	log=$root/build/$kind.log
	mkdir -p -- "$root/build" || plx_die "cannot make $root/build"
	# One at a time in a folder; a second start waits for the first.
	exec {PLX_BUILD_LOCK}>"$root/build/$kind.lock"
	flock "$PLX_BUILD_LOCK"
	[ -f "$PLX_BUILD/build.ninja" ] || plx_note "building ($kind), a minute or some; the log is $log"
	if ! plx_build_configure "$kind" "$PLX_BUILD" "$log"; then
		tail -n 30 -- "$log" >&2
		plx_note "configuring the $kind build failed; the whole log is $log"
		flock -u "$PLX_BUILD_LOCK"
		return 1
	fi
	if ! ninja -C "$PLX_BUILD" "$@" >"$log" 2>&1; then
		grep -v '^\[[0-9]*/[0-9]*\]' -- "$log" | tail -n 60 >&2
		plx_note "the $kind build failed; the whole log is $log"
		flock -u "$PLX_BUILD_LOCK"
		return 1
	fi
	flock -u "$PLX_BUILD_LOCK"
}

plx_setup()
{
	local group
	local -a args=()

	for group in "$@"; do
		args+=(--for "$group")
	done
	"$PLX_TOP/tools/setup" --quiet "${args[@]}"
}

# Test vectors that are not part of the project: a folder "vectors", beside the tree or named.
if [ -z "${PLX_VECTORS:-}" ] && [ -d "$PLX_TOP/../shared/vectors" ]; then
	PLX_VECTORS=$(cd -- "$PLX_TOP/../shared/vectors" && pwd -P)
fi
export PLX_VECTORS=${PLX_VECTORS:-}
