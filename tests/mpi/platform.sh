# Sourced by the tests: what they share.
# shellcheck source=../support/needs.sh
. "$(dirname "${BASH_SOURCE[0]}")/../support/needs.sh"

# A folder of the test's own, in $work, where the tools are there: smpirun, smpicc and those named.
make_work_folder() {
  needs smpirun smpicc "$@"
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
}

# Writes a torus "2,3" of that many hosts host-0, host-1, ... with a way from each host to itself.
write_torus() { # sizes, hosts, file
  cat >"$3" <<XML
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="all" routing="Full">
  <cluster id="torus" prefix="host-" suffix="" radical="0-$(($2 - 1))" speed="1Gf" bw="10GBps" lat="100ns"
           loopback_bw="100GBps" loopback_lat="10ns" topology="TORUS" topo_parameters="$1"/>
  </zone>
</platform>
XML
}

# Runs a program on simulated hosts: SMPI's own output stays out.
simulate() { # processes, platform, hostfile, smpirun options and program...
  local processes=$1 platform=$2 hostfile=$3
  shift 3
  timeout --foreground 300 smpirun -np "$processes" -platform "$platform" -hostfile "$hostfile" \
    --log=root.thres:error --cfg=smpi/simulate-computation:no "$@" </dev/null
}
