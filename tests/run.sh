#!/usr/bin/env bash
# Installs what is missing, builds and runs all tests. Argument: a preset other than release.
set -euo pipefail
cd "$(dirname "$0")/.."

.ci/install-packages
cmake --workflow --preset "${1:-release}"
