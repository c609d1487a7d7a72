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
# The library as the platform: the times and the order of a file with the same links, and no host that the network lacks.
write_torus 3,3 9 "$work/torus.xml"
order=(0 5 7 2 4 8 1 3 6)
timed() { # platform
  printf 'host-%d\n' "${order[@]}" >"$work/hosts"
  rm -f "$work/run"
  VTOPO_NETWORK=torus:3x3 VTOPO_RUN="$work/run" VTOPO_LOOPBACK_BANDWIDTH=100GBps simulate 9 "$1" "$work/hosts" \
    -wrapper "env LD_PRELOAD=$overlay" "$work/line" | sort
  sed -n 's/.*"simulated_seconds":\([^,]*\),.*/\1/p' "$work/run" | xargs printf "%.9e\n"
}
by_file=$(timed "$work/torus.xml") by_library=$(timed "$overlay")
[ "$by_file" = "$by_library" ] && [ "$(wc -l <<<"$by_file")" -ge 10 ] ||
  { diff <(echo "$by_file") <(echo "$by_library"); exit 1; }
echo host-9 >"$work/hosts"
code=0
VTOPO_NETWORK=torus:3x3 simulate 1 "$overlay" "$work/hosts" -wrapper "env LD_PRELOAD=$overlay" "$work/line" \
  >"$work/output" 2>&1 || code=$?
[ $code != 0 ] && grep -q 'host "host-9", which' "$work/output" || { cat "$work/output"; exit 1; }
