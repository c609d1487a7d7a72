#!/usr/bin/env bash
# Links between documents lead to files that exist. Argument: the source folder. Prints every link that does not.
set -euo pipefail
cd "$1"
broken=0
documents=0
while IFS= read -r document; do
  documents=$((documents + 1))
  while IFS= read -r link; do
    [ -e "$(dirname "$document")/$link" ] && continue
    echo "$document: $link does not exist"
    broken=$((broken + 1))
  done < <(grep -oP '\]\((?!https?:|mailto:|#)\K[^)#\s]+' "$document" || true)
done < <(find . -name '*.md' -not -path './build/*' -not -path './.git/*' | LC_ALL=C sort)
[ "$documents" -gt 0 ] || { echo "no document was read in $1"; exit 1; }
[ "$broken" -eq 0 ]
