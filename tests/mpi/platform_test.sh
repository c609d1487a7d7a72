#!/usr/bin/env bash
# Ranks are reordered on a platform whose routes only SimGrid knows, also with several on a host.
# Argument: the overlay library.
set -euo pipefail
overlay=$1
folder=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=platform.sh
. "$folder/platform.sh"
make_work_folder
smpicc -O1 -o "$work/line" "$folder/line.c"
cat >"$work/chain.xml" <<'XML'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="chain" routing="Floyd">
    <host id="a" speed="1Gf"/> <host id="b" speed="1Gf"/> <host id="c" speed="1Gf"/> <host id="d" speed="1Gf"/>
    <link id="aa" bandwidth="10GBps" latency="10ns"/> <link id="bb" bandwidth="10GBps" latency="10ns"/>
    <link id="ab" bandwidth="1GBps" latency="1us"/>
    <link id="bc" bandwidth="1GBps" latency="1us"/>
    <link id="cd" bandwidth="1GBps" latency="1us"/>
    <route src="a" dst="a" symmetrical="NO"><link_ctn id="aa"/></route>
    <route src="b" dst="b" symmetrical="NO"><link_ctn id="bb"/></route>
    <route src="a" dst="b"><link_ctn id="ab"/></route>
    <route src="b" dst="c"><link_ctn id="bc"/></route>
    <route src="c" dst="d"><link_ctn id="cd"/></route>
  </zone>
</platform>
XML
run() { # hosts in the order of processes...
  printf '%s\n' "$@" >"$work/hosts"
  VTOPO_PLATFORM="$work/chain.xml" simulate $# "$work/chain.xml" "$work/hosts" \
    -wrapper "env LD_PRELOAD=$overlay" "$work/line" >"$work/output"
  sort "$work/output"
}
# The chain a b c d, or backwards, is the only order in which all neighbours are one hop apart.
order=$(run a c d b | sort -k5n | cut -d' ' -f1 | tr -d '\n')
[ "$order" = abcd ] || [ "$order" = dcba ] || { echo "order $order"; exit 1; }
# Two processes per host: neighbours on a host, one hop between the pairs.
order=$(run a b a b | sort -k5n | cut -d' ' -f1 | tr -d '\n')
[ "$order" = aabb ] || [ "$order" = bbaa ] || { echo "order $order"; exit 1; }
