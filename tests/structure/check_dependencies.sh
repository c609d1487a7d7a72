#!/usr/bin/env bash
# Checks that includes follow the architecture:
#   topology <- netmodels <- sim <- cli, inside sim the order listed below, and each third-party
#   library only in its folders. Argument: the source folder. Prints every include against the rule.
set -euo pipefail
cd "$1"

# Folders that a folder may include, itself first.
declare -A allowed=(
  [topology]="topology"
  [netmodels]="netmodels topology"
  [sim/embedding]="sim/embedding netmodels topology"
  [sim/evaluation]="sim/evaluation sim/embedding netmodels topology"
  [sim/mapping]="sim/mapping sim/evaluation sim/embedding netmodels topology"
  [sim/bench]="sim/bench sim/mapping sim/evaluation sim/embedding netmodels topology"
  [sim/programs]="sim/programs topology"
  [sim/simulation]="sim/simulation sim/programs sim/evaluation sim/embedding netmodels topology"
  [sim/ranks]="sim/ranks sim/simulation sim/programs sim/evaluation sim/embedding netmodels topology"
  [sim/experiment]="sim/experiment sim/ranks sim/simulation sim/programs sim/mapping sim/evaluation sim/embedding netmodels topology"
  [sim/report]="sim/report sim/experiment sim/bench sim/simulation sim/programs sim/mapping sim/evaluation sim/embedding netmodels topology"
  [sim/validation]="sim/validation sim/report sim/simulation sim/embedding netmodels topology"
  [sim/mpi]="sim/mpi sim/mapping sim/simulation sim/programs sim/evaluation sim/embedding netmodels topology"
  [sim/python]="sim/python sim/report sim/experiment sim/mapping sim/evaluation sim/embedding netmodels topology"
  [cli]="cli sim netmodels topology"
)
# Files (glob patterns) in which a third-party header may be included.
declare -A homes=(
  [simgrid/]="netmodels/platform/platform_server.cpp netmodels/platform/simgrid_zones.?pp netmodels/platform/simgrid_zone.cpp netmodels/platform/simgrid_versions.hpp sim/simulation/*.cpp sim/mpi/*"
  [smpi/]="sim/mpi/*"
  [boost/]="topology/comm_graph_bgl.hpp netmodels/graph/link_graph_bgl.hpp netmodels/graph/found_cuts.cpp netmodels/graph/isometric_cells.cpp sim/bench/graph_guests.cpp sim/report/pictures/network/sketch_picture.cpp netmodels/platform/link_vertices.cpp sim/evaluation/bounds/forest_cuts.cpp topology/traffic/dot.cpp topology/traffic/graphml.cpp topology/traffic/interchange_graph.cpp"
  [CLI/]="cli/*"
  [nlohmann/]="sim/embedding/formats/json*.cpp sim/embedding/formats/taskmap.cpp sim/experiment/* sim/report/* sim/validation/* cli/*"
  [pybind11/]="sim/python/*"
  [yaml-cpp/]="netmodels/readers/*"
  [scotch.h]="sim/mapping/scotch/*"
  [pugixml.hpp]="netmodels/platform/* netmodels/endpoints/hwloc_file.cpp"
)

violations=0
complain() {
  echo "$1 includes $2"
  violations=$((violations + 1))
}

starts_with_any() { # word prefix...
  local word=$1 prefix
  shift
  for prefix in "$@"; do [[ $word == "$prefix"/* ]] && return 0; done
  return 1
}

matches_any() { # word pattern...
  local word=$1 pattern
  shift
  for pattern in "$@"; do
    # shellcheck disable=SC2053
    [[ $word == $pattern ]] && return 0
  done
  return 1
}

files=0
for folder in sim/*/; do
  folder=${folder%/}
  if [ -z "${allowed[$folder]:-}" ] && grep -rq --include='*.[ch]pp' '^#include "' "$folder"; then
    complain "$folder" "what it likes: it has no rule"
  fi
done
for folder in "${!allowed[@]}"; do
  while IFS=: read -r file include; do
    files=$((files + 1))
    read -ra folders <<<"${allowed[$folder]}"
    starts_with_any "$include" "${folders[@]}" || complain "$file" "$include"
  done < <(grep -rHoP --include='*.[ch]pp' '^#include "\K[^"]+' "$folder" || true)
done
for header in "${!homes[@]}"; do
  read -ra patterns <<<"${homes[$header]}"
  while IFS=: read -r file include; do
    matches_any "$file" "${patterns[@]}" || complain "$file" "$include"
  done < <(grep -rHoP --include='*.[ch]pp' "^#include <\K${header//./\\.}[^>]*" topology netmodels sim cli || true)
done

[ "$files" -gt 0 ] || { echo "no include was read in $1"; exit 1; }
[ "$violations" -eq 0 ]
