#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Pollux developers
#
# Shows the doctor machines this one is not: a made-up /sys and /proc, and asks for the lines it must print.
set -euo pipefail

TOP=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
DIR=$(mktemp -d)
trap 'rm -rf -- "$DIR"' EXIT
FAILED=0

# put FILE TEXT
put()
{
	mkdir -p -- "$DIR/${1%/*}"
	printf '%s\n' "$2" >"$DIR/$1"
}

doctor()
{
	PLX_SYSFS=$DIR/sys PLX_PROCFS=$DIR/proc "$TOP/tools/setup" --check || true
}

# expect PATTERN: a line of the last answer matches it.
expect()
{
	if ! grep -Eq -- "$1" <<<"$ANSWER"; then
		printf 'no line matches: %s\n' "$1"
		FAILED=1
	fi
}

refuse()
{
	if grep -Eq -- "$1" <<<"$ANSWER"; then
		printf 'a line matches that must not: %s\n' "$1"
		FAILED=1
	fi
}

# pci ADDRESS CLASS VENDOR DEVICE [DRIVER]
pci()
{
	put "sys/bus/pci/devices/$1/class" "$2"
	put "sys/bus/pci/devices/$1/vendor" "$3"
	put "sys/bus/pci/devices/$1/device" "$4"
	if [ -n "${5:-}" ]; then
		mkdir -p -- "$DIR/sys/bus/pci/drivers/$5"
		ln -s -- "../../drivers/$5" "$DIR/sys/bus/pci/devices/$1/driver"
	fi
}

# A machine with nothing.
put proc/cpuinfo 'processor	: 0'
ANSWER=$(doctor)
expect '^missing +cpu: AES-NI '
expect '^missing +cpu: AVX512-IFMA '
refuse 'crypto_mb'
expect '^missing +hugepages +none reserved'
expect 'mend: tools/setup --hugepages'
expect '^missing +iommu '
expect 'mend: modprobe vfio-pci'
expect '^note +crypto on PCI +no device'
expect '^note +numa '

# A server with two sockets, hugepages, an IOMMU and cards in every state.
put proc/cpuinfo "processor	: 0
flags		: fpu aes vaes avx2 avx512f avx512ifma sha_ni
processor	: 1"
put sys/devices/system/cpu/isolated 1
put sys/devices/system/node/node0/cpulist 0
put sys/devices/system/node/node1/cpulist 1
put sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages 512
put sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages 500
mkdir -p "$DIR/sys/kernel/iommu_groups/7" "$DIR/sys/module/vfio_pci"
pci 0000:01:00.0 0x020000 0x8086 0x1521 igb
pci 0000:3d:00.0 0x0b4000 0x8086 0x37c8 c6xx
put sys/bus/pci/devices/0000:3d:00.0/sriov_totalvfs 16
put sys/bus/pci/devices/0000:3d:00.0/sriov_numvfs 0
pci 0000:3f:00.0 0x0b4000 0x8086 0x4940 4xxx
put sys/bus/pci/devices/0000:3f:00.0/sriov_totalvfs 16
put sys/bus/pci/devices/0000:3f:00.0/sriov_numvfs 16
pci 0000:3d:01.0 0x0b4000 0x8086 0x37c9 c6xxvf
pci 0000:3f:00.1 0x0b4000 0x8086 0x4941 vfio-pci
ln -s ../../../../kernel/iommu_groups/7 "$DIR/sys/bus/pci/devices/0000:3f:00.1/iommu_group"
ANSWER=$(doctor)
expect '^ok +cores .*2 on line, isolated: 1$'
expect '^ok +cpu: VAES '
expect '^ok +cpu: AVX512-IFMA '
expect '^(ok|missing) +crypto_mb '
expect '^ok +numa +2 node\(s\): node0 cpus 0; node1 cpus 1$'
expect '^ok +hugepages +512 of 2048kB, 500 free$'
expect '^ok +iommu +1 groups$'
expect '^ok +vfio '
expect '^missing +pci 0000:3d:00.0 .*none of 16 virtual functions made'
expect 'mend: echo 16 > /sys/bus/pci/devices/0000:3d:00.0/sriov_numvfs'
expect '^ok +pci 0000:3f:00.0 .*16 of 16 virtual functions made$'
expect '^missing +pci 0000:3d:01.0 .*driver c6xxvf: not free for DPDK'
expect 'mend: dpdk-devbind.py -b vfio-pci 0000:3d:01.0 .*disable_denylist=1'
expect '^(ok|missing) +pci 0000:3f:00.1 +8086:4941, bound to vfio-pci'
refuse '0000:01:00.0'

# The denylist is off already: the way there is no longer told.
put sys/module/vfio_pci/parameters/disable_denylist Y
ANSWER=$(doctor)
expect 'mend: dpdk-devbind.py -b vfio-pci 0000:3d:01.0$'

# What it does not know it refuses by name.
ANSWER=$("$TOP/tools/setup" --no-such-option 2>&1 || true)
expect "unknown option '--no-such-option'"
ANSWER=$("$TOP/tools/setup" --for nothing 2>&1 || true)
expect '^setup: --for takes one of: run test bench debian13$'
ANSWER=$("$TOP/tools/setup" --hugepages many 2>&1 || true)
expect 'takes a number of pages'

exit "$FAILED"
