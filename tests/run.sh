#!/usr/bin/env bash
# Installs what is missing, builds and runs all tests. Arguments: --long, with which tests of random cases try many
# more of them; a preset other than release.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "${1:-}" = --long ]; then
  shift
  export VTOPO_LONG_TESTS=1
fi
.ci/install-packages
cmake --workflow --preset "${1:-release}"
