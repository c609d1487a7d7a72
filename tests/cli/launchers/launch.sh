# What the launcher tests share, to be sourced: four hosts node1..node4 of two slots each, and a
# scattered embedding of eight ranks. $vtopo is the command.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=../../support/needs.sh
. "$here/../../support/needs.sh"

folder=$(mktemp -d)
chmod 755 "$folder"
pids=()
cleanup() {
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  for pid in "${pids[@]}"; do wait "$pid" 2>/dev/null || true; done
  rm -rf "$folder"
}
trap cleanup EXIT
cd "$folder"

cat >hosts.xml <<'END'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="all" routing="Full">
  <cluster id="four" prefix="node" radical="1-4" suffix="" speed="1Gf" bw="10GBps" lat="100ns"
           topology="TORUS" topo_parameters="2,2"/>
  </zone>
</platform>
END

# Writes the embedding of a seed as job.csv and as job.FORMAT.
map_ranks() {
  local file
  for file in job.csv "job.$1"; do
    "$vtopo" map --topology cart:2x4 --platform hosts.xml --slots 2 --mapper random --seed "$2" \
      --no-simulate -o "$file" --report report.txt
  done
}

# The command that map printed for a launcher, with ./program for the program: `printed_for Slurm`.
printed_for() { sed -n "s/^$1: //p" report.txt; }

# Compares what the ranks said of themselves, lines of rank,host[,slot] in any order, with job.csv.
compare_with_csv() {
  local columns=1,2
  [ "$(head -n 1 "$1" | tr -cd , | wc -c)" -eq 1 ] || columns=1-3
  diff -u <(tail -n +2 job.csv | cut -d , -f "$columns") <(sort -n "$1")
}

# Several seeds, among them embeddings whose neighbours in rank order share a host and others.
check_launches() {
  local seed
  for seed in 1 3 7; do
    map_ranks "$1" "$seed"
    # Daemons of a launcher that start late on a busy machine lose messages: it is asked again.
    launch >landed.csv 2>launcher.err || launch >landed.csv 2>launcher.err ||
      { cat launcher.err landed.csv; exit 1; }
    compare_with_csv landed.csv
  done
}

# write_program TEXT: the program that the printed command starts.
write_program() {
  printf '#!/bin/bash\n%s\n' "$1" >program
  chmod +x program
}

# What a launcher takes for ssh: runs the command here, and says which host was meant.
cat >remote.sh <<'END'
#!/bin/bash
while [[ $1 == -* ]]; do shift; done
export LANDED_ON=$1 TMPDIR=${0%/*}/tmp-$1  # daemons of one machine would meet in one session folder
mkdir -p "$TMPDIR"
shift
exec sh -c "$*"
END
chmod +x remote.sh
