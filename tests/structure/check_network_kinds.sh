#!/usr/bin/env bash
# Checks that only the folder of a network names it: others ask the network (netmodels/network.hpp).
# Argument: the source folder. Prints every other file that names a specification or asks for one.
set -euo pipefail
cd "$1"

# Files that have not been converted yet. None is to be added.
exceptions=(
  cli/verbs/platform/platform_description.cpp
  netmodels/edits/edited_network.cpp
  netmodels/graph/bisection.cpp
  netmodels/graph/bisection.hpp
  netmodels/graph/bisection_search.cpp
  netmodels/network.hpp
  netmodels/network_shape.hpp
  sim/embedding/formats/torus_coordinates.cpp
  sim/embedding/host_parts.cpp
  sim/evaluation/bounds/hop_bounds.cpp
  sim/evaluation/bounds/network_cuts.cpp
  sim/evaluation/bounds/profile_by_shape.cpp
  sim/evaluation/bounds/profiles_by_site.cpp
  sim/evaluation/bounds/torus_cuts.cpp
  sim/evaluation/bounds/torus_cuts.hpp
  sim/report/pictures/cable_picture.cpp
  sim/report/pictures/dragonfly_cells.cpp
  sim/report/pictures/link_cells.cpp
  sim/report/pictures/link_cells.hpp
  sim/report/pictures/network/dragonfly_layout.cpp
  sim/report/pictures/network/fat_tree_layout.cpp
  sim/report/pictures/network/layouts.hpp
  sim/report/pictures/network/picture.cpp
  sim/report/pictures/network/torus_layout.cpp
  sim/report/pictures/torus_cells.cpp
)
names='\b(TorusSpec|FatTreeSpec|DragonflySpec|NetworkShape)\b|(\.|->)shape\(\)'

violations=0
while IFS= read -r file; do
  [[ $file == netmodels/models/* ]] && continue
  [[ " ${exceptions[*]} " == *" $file "* ]] && continue
  echo "$file names a kind of network: ask the network instead, see netmodels/network.hpp"
  violations=$((violations + 1))
done < <(grep -rlP --include='*.[ch]pp' "$names" topology netmodels sim cli || true)

[ -e netmodels/network.hpp ] || { echo "$1 is not the source folder"; exit 1; }
[ "$violations" -eq 0 ]
