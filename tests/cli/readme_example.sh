#!/usr/bin/env bash
# The output shown in README.md is what the command behind examples/lammps-on-bluegene.sh prints.
# Arguments: vtopo, source folder.
set -euo pipefail
vtopo=$1
cd "$2"
set --  # the example passes its own arguments on: none
command=$(sed -n '/^build\/release\/bin\/vtopo/,$p' examples/lammps-on-bluegene.sh)
[ -n "$command" ] || { echo "no command in examples/lammps-on-bluegene.sh"; exit 1; }
shown=$(awk '/^```/ { inside = !inside; next } inside' README.md | sed -n '/^guest /,/ against /p')
[ -n "$shown" ] || { echo "no output in README.md"; exit 1; }
diff -u <(echo "$shown") <(eval "${command/build\/release\/bin\/vtopo/\"$vtopo\"}")
