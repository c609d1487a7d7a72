#!/usr/bin/env bash
# The example in Python prints what its README shows. Arguments: the interpreter, the source folder.
set -euo pipefail
cd "$2"
shown=$(sed -n '/^```console/,/^```$/p' examples/python/README.md | grep -v '^```\|^\$')
printed=$("$1" examples/python/placement.py)
[ "$printed" = "$shown" ] || { echo "printed: $printed"; exit 1; }
