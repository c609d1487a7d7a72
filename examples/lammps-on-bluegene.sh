#!/usr/bin/env bash
# Installs what is missing, builds vtopo and asks: what would a LAMMPS run of 64 processes cost on 64
# scattered hosts of a Blue Gene/Q rack, and which placement would be better? Options are passed on.
set -euo pipefail
cd "$(dirname "$0")/.."

.ci/install-packages
{
  cmake --preset release
  cmake --build --preset release --target vtopo
} >&2
build/release/bin/vtopo compare --traffic examples/lammps-lj-64 \
  --platform platforms/bluegene-q-rack.xml --hosts random:64 "$@"
