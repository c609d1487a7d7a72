#!/usr/bin/env bash
# Checks that includes follow the architecture:
#   topology <- netmodels <- sim <- cli, inside sim the folders listed below, and each third-party
#   library only in its folders. Argument: the source folder. Prints every include against the rule.
set -euo pipefail
cd "$1"

# Folders that a folder may include, itself first. The core is topology, netmodels without fabric, ideal, more_models and platform, and sim/placement to
# sim/run; the lower wings fabric, ideal, networks, platform, bounds, report, formats, simgrid, adapters, mappers, plugin and draw see the core; upper wings see both and never each other.
below_clock="sim/evaluation sim/placement netmodels topology"
core="sim/run sim/scenario sim/mapping sim/clock $below_clock"
above_process=(netmodels/process netmodels/platform sim/clock/simgrid sim/mapping/adapters sim/mapping/plugin sim/study sim/research cli)
above_fabric=(netmodels/fabric netmodels/platform sim/formats sim/draw sim/mpi cli)
above_platform=(netmodels/platform sim/draw sim/study sim/check sim/research sim/mpi sim/python cli)
declare -A allowed=(
  [topology]="topology"
  [netmodels]="netmodels topology"
  [sim/placement]="sim/placement netmodels topology"
  [sim/evaluation]="$below_clock"
  [sim/mapping]="sim/mapping $below_clock"
  [sim/clock]="sim/clock $below_clock"
  [sim/scenario]="sim/scenario sim/mapping sim/clock $below_clock"
  [sim/run]="sim/run sim/scenario sim/mapping sim/clock $below_clock"
  [sim/bounds]="sim/bounds $below_clock"
  [sim/report]="sim/report $core"
  [sim/formats]="sim/formats sim/placement sim/clock netmodels topology"
  [sim/draw]="sim/draw sim/report $core"
  [sim/study]="sim/study sim/draw sim/report $core"
  [sim/check]="sim/check sim/bounds $core"
  [sim/research]="sim/research sim/draw sim/report $core"
  [sim/mpi]="sim/mpi sim/formats sim/mapping sim/clock $below_clock"
  [sim/mpi/smpi_repairs]="sim/mpi/smpi_repairs topology/base netmodels/simgrid"
  [sim/python]="sim/python sim/draw sim/report $core"
  [cli]="cli sim netmodels topology"
)
# Files (glob patterns) in which a third-party header may be included.
declare -A homes=(
  [simgrid/]="netmodels/platform/platform_server.cpp netmodels/platform/simgrid_zones.?pp netmodels/simgrid/simgrid_versions.hpp sim/clock/simgrid/*.cpp sim/mpi/*"
  [smpi/]="sim/mpi/*"
  [boost/]="topology/comm_graph_bgl.hpp netmodels/graph/link_graph_bgl.hpp netmodels/fabric/found_cuts.cpp netmodels/fabric/vertex_cells.cpp sim/research/bench/graph_guests.cpp sim/draw/network/sketch_picture.cpp netmodels/platform/link_vertices.cpp sim/bounds/guest_cuts.cpp sim/bounds/link_cuts.cpp sim/formats/traffic/*"
  [CLI/]="cli/*"
  [nlohmann/]="sim/placement/formats/* sim/formats/launchers/* sim/scenario/* sim/report/* sim/draw/* sim/study/* sim/check/* sim/research/* cli/*"
  [pybind11/]="sim/python/*"
  [yaml-cpp/]="sim/formats/machines/*"
  [scotch.h]="sim/mapping/adapters/*"
  [pugixml.hpp]="netmodels/platform/* sim/formats/machines/hwloc_file.cpp"
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
while IFS=: read -r file include; do
  starts_with_any "$file" "${above_platform[@]}" || complain "$file" "$include, of a wing,"
done < <(grep -rHoP --include='*.[ch]pp' '^#include "\Knetmodels/platform/[^"]+' topology netmodels sim cli || true)
while IFS=: read -r file include; do
  starts_with_any "$file" "${above_fabric[@]}" || complain "$file" "$include, of a wing,"
done < <(grep -rHoP --include='*.[ch]pp' '^#include "\Knetmodels/fabric/[^"]+' topology netmodels sim cli || true)
while IFS=: read -r file include; do  # found by what they register
  starts_with_any "$file" "$(cut -d/ -f1-2 <<<"$include")" || complain "$file" "$include, of a wing,"
done < <(grep -rHoP --include='*.[ch]pp' '^#include "\Knetmodels/(ideal|more_models)/[^"]+' topology netmodels sim cli || true)
while IFS=: read -r file include; do  # wings inside folders of the core
  starts_with_any "$file" "$(cut -d/ -f1-3 <<<"$include")" sim/mpi sim/python cli || complain "$file" "$include, of a wing,"
done < <(grep -rHoP --include='*.[ch]pp' '^#include "\Ksim/(clock/simgrid|mapping/(adapters|more_mappers|plugin))/[^"]+' topology netmodels sim cli || true)
while IFS=: read -r file include; do  # the core starts no process
  starts_with_any "$file" "${above_process[@]}" || complain "$file" "$include, which is for wings"
done < <(grep -rHoP --include='*.[ch]pp' '^#include "\Knetmodels/process/[^"]+' topology netmodels sim cli || true)
for header in "${!homes[@]}"; do
  read -ra patterns <<<"${homes[$header]}"
  while IFS=: read -r file include; do
    matches_any "$file" "${patterns[@]}" || complain "$file" "$include"
  done < <(grep -rHoP --include='*.[ch]pp' "^#include <\K${header//./\\.}[^>]*" topology netmodels sim cli || true)
done

[ "$files" -gt 0 ] || { echo "no include was read in $1"; exit 1; }
[ "$violations" -eq 0 ]
