#!/usr/bin/env bash
# Checks that platforms/generate.sh writes, byte for byte, the platform files that are committed.
# Arguments: the command, the source folder.
set -euo pipefail
vtopo=$1
source=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

"$source/platforms/generate.sh" "$vtopo" "$folder" 2>"$folder/log" || { cat "$folder/log"; exit 1; }
files=0
for file in "$folder"/*.xml; do
  cmp "$file" "$source/platforms/${file##*/}"
  files=$((files + 1))
done
echo "$files files are the same"
[ "$files" -ge 16 ]
