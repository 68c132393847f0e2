# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Pollux developers
# shellcheck shell=bash
#
# tools/setup --check: what this machine has for Pollux, what it lacks and the command that mends it.
# Sourced by tools/setup. Reads files only; starts no program that changes anything.
#
# PLX_SYSFS and PLX_PROCFS stand for /sys and /proc, so that tests can show it machines they do not have.

DOCTOR_SYS=${PLX_SYSFS:-/sys}
DOCTOR_PROC=${PLX_PROCFS:-/proc}
DOCTOR_FAILED=0

# doctor_ok SUBJECT TEXT; doctor_note: neither good nor bad; doctor_lack: missing, Pollux runs without;
# doctor_fail: missing, Pollux does not run. The last two take the command that mends it.
doctor_line()
{
	printf '%-8s %-22s %s\n' "$1" "$2" "$3"
	[ -z "${4:-}" ] || printf '%-8s %-22s   mend: %s\n' '' '' "$4"
}

doctor_ok()
{
	doctor_line ok "$@"
}

doctor_note()
{
	doctor_line note "$@"
}

doctor_lack()
{
	doctor_line missing "$1" "$2 (Pollux runs without)" "$3"
}

doctor_fail()
{
	doctor_line MISSING "$1" "$2" "$3"
	DOCTOR_FAILED=1
}

# First line of a file, or nothing.
doctor_read()
{
	local line=

	[ ! -r "$1" ] || IFS= read -r line <"$1" || true
	printf '%s' "$line"
}

doctor_system()
{
	local id name

	id=$(. /etc/os-release 2>/dev/null && printf '%s %s' "${ID:-unknown}" "${VERSION_ID:-}")
	name=$(. /etc/os-release 2>/dev/null && printf '%s' "${PRETTY_NAME:-unknown}")
	case $id in
	'debian 12' | 'debian 13') doctor_ok system "$name, Linux $(uname -r)" ;;
	*) doctor_note system "$name, Linux $(uname -r): Pollux is tested on Debian 12 and 13" ;;
	esac
}

doctor_packages()
{
	local group missing

	for group in $PACKAGE_GROUPS; do
		missing=$(packages_missing "$group" | paste -sd' ')
		if [ -z "$missing" ]; then
			doctor_ok "packages: $group" "all $(packages_of "$group" | wc -w) installed"
		elif [ "$group" = run ]; then
			doctor_fail "packages: $group" "$missing" "tools/setup --for $group"
		else
			doctor_lack "packages: $group" "$missing" "tools/setup --for $group"
		fi
	done
}

doctor_dpdk()
{
	local version where dir drivers

	if ! version=$(pkg-config --modversion libdpdk 2>/dev/null); then
		doctor_fail dpdk 'libdpdk is not installed' 'tools/setup --for run'
		return
	fi
	if pkg-config --atleast-version=22.11 libdpdk; then
		doctor_ok dpdk "$version"
	else
		doctor_fail dpdk "$version is older than 22.11" 'use Debian 12 or 13, or PKG_CONFIG_PATH=/path/to/newer/lib/pkgconfig'
	fi

	where=$(driver_sdk_where "$version" "$(plx_out_root)" "$PLX_TOP")
	if [ -n "$where" ]; then
		doctor_ok 'driver headers' "${where#"$PLX_TOP"/}"
	else
		doctor_lack 'driver headers' 'pmd/ cannot be built' 'tools/setup, or PLX_DPDK_SRC=/path/to/dpdk-source tools/setup'
	fi

	dir=$(pkg-config --variable=driverdir libdpdk 2>/dev/null)
	[ -d "$dir" ] || dir=$(find "$(pkg-config --variable=libdir libdpdk)/dpdk" -maxdepth 1 -name 'pmds-*' 2>/dev/null | head -n 1)
	drivers=$(find "$dir" -name 'librte_crypto_*.so' -o -name 'librte_common_qat.so' 2>/dev/null |
		sed 's/.*librte_crypto_//; s/.*librte_common_//; s/\.so$//' | LC_ALL=C sort -u | paste -sd' ')
	if [ -n "$drivers" ]; then
		doctor_ok 'crypto drivers' "$drivers"
	else
		doctor_fail 'crypto drivers' "none below ${dir:-the DPDK library folder}" 'tools/setup --for run'
	fi
}

doctor_cpu()
{
	local flags flag row

	flags=" $(sed -n 's/^flags[[:space:]]*: //p' "$DOCTOR_PROC/cpuinfo" 2>/dev/null | head -n 1) "
	doctor_ok cores "$(nproc) usable, $(grep -c '^processor' "$DOCTOR_PROC/cpuinfo" 2>/dev/null || echo 0) on line$(
		iso=$(doctor_read "$DOCTOR_SYS/devices/system/cpu/isolated")
		[ -z "$iso" ] || printf ', isolated: %s' "$iso"
	)"
	for row in aes:AES-NI vaes:VAES avx2:AVX2 avx512f:AVX512 avx512ifma:AVX512-IFMA sha_ni:SHA-NI; do
		flag=${row%%:*}
		if [[ $flags == *" $flag "* ]]; then
			doctor_ok "cpu: ${row#*:}" 'there'
		else
			doctor_lack "cpu: ${row#*:}" 'slower software crypto' 'a CPU that has it; in a VM, CPU model "host"'
		fi
	done
}

# Worth having on a CPU that runs it, and nowhere else.
doctor_crypto_mb()
{
	local where

	grep -qw avx512ifma "$DOCTOR_PROC/cpuinfo" 2>/dev/null || return 0
	where=$(crypto_mb_where "$(plx_out_root)" "$PLX_TOP")
	if [ -n "$where" ]; then
		doctor_ok crypto_mb "$where"
	else
		doctor_lack crypto_mb 'asymmetric operations one at a time' 'tools/setup --for run --retry'
	fi
}

doctor_numa()
{
	local node list nodes=0 text=

	for node in "$DOCTOR_SYS"/devices/system/node/node[0-9]*; do
		[ -d "$node" ] || continue
		nodes=$((nodes + 1))
		list=$(doctor_read "$node/cpulist")
		text="$text${text:+; }${node##*/} cpus ${list:-none}"
	done
	if [ "$nodes" -gt 0 ]; then
		doctor_ok numa "$nodes node(s): $text"
	else
		doctor_note numa 'the kernel tells no nodes; all memory is taken as near'
	fi
}

doctor_hugepages()
{
	local dir size total free seen=0

	for dir in "$DOCTOR_SYS"/kernel/mm/hugepages/hugepages-*; do
		[ -d "$dir" ] || continue
		size=${dir##*-}
		total=$(doctor_read "$dir/nr_hugepages")
		free=$(doctor_read "$dir/free_hugepages")
		[ "${total:-0}" -gt 0 ] || continue
		seen=1
		doctor_ok hugepages "$total of $size, $free free"
	done
	[ "$seen" = 1 ] || doctor_lack hugepages 'none reserved; --no-huge memory is used' 'tools/setup --hugepages 512'
}

doctor_memlock()
{
	local limit

	limit=$(ulimit -l)
	if [ "$limit" = unlimited ]; then
		doctor_ok 'locked memory' 'no limit for keys'
	elif [ "$limit" -ge 1024 ]; then
		doctor_ok 'locked memory' "$limit KiB for keys"
	else
		doctor_lack 'locked memory' "limit is $limit KiB: room for few keys" 'ulimit -l 65536, or LimitMEMLOCK= in the unit file'
	fi
}

doctor_iommu()
{
	local nb

	nb=$(find "$DOCTOR_SYS/kernel/iommu_groups" -mindepth 1 -maxdepth 1 2>/dev/null | wc -l)
	if [ "$nb" -gt 0 ]; then
		doctor_ok iommu "$nb groups"
	else
		doctor_lack iommu 'off: needed for devices on PCI only' \
			'switch on VT-d / AMD-Vi in the firmware and boot with "intel_iommu=on iommu=pt" (AMD: "iommu=pt")'
	fi
	if [ -d "$DOCTOR_SYS/module/vfio_pci" ] || [ -d "$DOCTOR_SYS/bus/pci/drivers/vfio-pci" ]; then
		doctor_ok vfio 'vfio-pci is there'
	else
		doctor_lack vfio 'vfio-pci is not loaded: needed for devices on PCI only' 'modprobe vfio-pci'
	fi
}

# Encryption controllers (class 10xx) and co-processors (0b40) on PCI.
doctor_pci()
{
	local dev class nb=0

	for dev in "$DOCTOR_SYS"/bus/pci/devices/*; do
		class=$(doctor_read "$dev/class")
		case $class in
		0x10* | 0x0b40*)
			nb=$((nb + 1))
			doctor_pci_device "$dev"
			;;
		esac
	done
	[ "$nb" -gt 0 ] || doctor_note 'crypto on PCI' 'no device; software drivers do the work'
}

doctor_pci_device()
{
	local dev=$1 addr id driver=none total vfs

	addr=${dev##*/}
	id=$(doctor_read "$dev/vendor"):$(doctor_read "$dev/device")
	id=${id//0x/}
	[ ! -e "$dev/driver" ] || driver=$(basename -- "$(readlink -f -- "$dev/driver")")
	total=$(doctor_read "$dev/sriov_totalvfs")
	vfs=$(doctor_read "$dev/sriov_numvfs")

	if [ "${total:-0}" -gt 0 ]; then
		if [ "${vfs:-0}" -gt 0 ]; then
			doctor_ok "pci $addr" "$id, driver $driver, $vfs of $total virtual functions made"
		else
			doctor_lack "pci $addr" "$id, driver $driver, none of $total virtual functions made" \
				"echo $total > /sys/bus/pci/devices/$addr/sriov_numvfs   (again after each boot)"
		fi
	elif [ "$driver" = vfio-pci ]; then
		doctor_pci_access "$dev" "$addr" "$id"
	else
		doctor_lack "pci $addr" "$id, driver $driver: not free for DPDK" "dpdk-devbind.py -b vfio-pci $addr$(doctor_pci_denied "$id")"
	fi
}

# Bound to vfio-pci; an ordinary user must also own the group's file.
doctor_pci_access()
{
	local dev=$1 addr=$2 id=$3 group file

	group=$(basename -- "$(readlink -f -- "$dev/iommu_group")")
	file=/dev/vfio/$group
	if [ "$(id -u)" = 0 ] || [ -w "$file" ]; then
		doctor_ok "pci $addr" "$id, bound to vfio-pci"
	else
		doctor_lack "pci $addr" "$id, bound to vfio-pci, $file is not yours" "chown $(id -un) $file"
	fi
}

# QAT of the first generation is on the kernel's list of devices vfio-pci refuses.
doctor_pci_denied()
{
	case $1 in
	8086:0435 | 8086:0443 | 8086:37c8 | 8086:37c9 | 8086:19e2 | 8086:19e3 | 8086:6f54 | 8086:6f55)
		[ "$(doctor_read "$DOCTOR_SYS/module/vfio_pci/parameters/disable_denylist")" = Y ] ||
			printf '   (first: modprobe -r vfio-pci; modprobe vfio-pci disable_denylist=1)'
		;;
	esac
}

doctor_main()
{
	# A file that is not there is an answer, not the end.
	set +e +o pipefail
	doctor_system
	doctor_packages
	doctor_dpdk
	doctor_cpu
	doctor_crypto_mb
	doctor_numa
	doctor_hugepages
	doctor_memlock
	doctor_iommu
	doctor_pci
	return "$DOCTOR_FAILED"
}
