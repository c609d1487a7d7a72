#!/usr/bin/env bash
# The walk-through of README.md, the examples of netmodels/README.md and examples/questions.md: every command after "$ " prints what is
# shown under it, and the command of
# examples/lammps-on-bluegene.sh works. What goes to stderr is not shown; measured times ("took 12 ms") may
# differ. Arguments: vtopo, source folder.
set -euo pipefail
vtopo=$1
source=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin" "$folder/work"
ln -s "$vtopo" "$folder/bin/vtopo"
ln -s "$source/examples" "$source/platforms" "$folder/work"
PATH=$folder/bin:$PATH
cd "$folder/work"

awk '/^```/ { inside = /^```console/; next } inside' "$source/README.md" "$source/netmodels/README.md" \
  "$source/examples/questions.md" >../shown
commands=$(grep -c '^\$ vtopo' ../shown) || true
[ "$commands" -ge 5 ] || { echo "README.md shows $commands commands, not five"; exit 1; }
grep '^\$ ' ../shown | while IFS= read -r line; do
  echo "$line"
  bash -o pipefail -c "${line#\$ }" 2>../stderr </dev/null || { echo "exit code $?"; cat ../stderr; }
done >../printed
elide() { sed -E 's/took [0-9.]+ [a-z]+/took .../' "$1"; }
diff -u <(elide ../shown) <(elide ../printed)

command=$(sed -n '/^build\/release\/bin\/vtopo/,$p' examples/lammps-on-bluegene.sh)
[ -n "$command" ] || { echo "no command in examples/lammps-on-bluegene.sh"; exit 1; }
set --  # the example passes its own arguments on: none
eval "${command/build\/release\/bin\/vtopo/vtopo}" | tr -s '\n ' ' ' | grep -q ' against block $'
