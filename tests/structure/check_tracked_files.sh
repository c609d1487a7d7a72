#!/usr/bin/env bash
# What a test or a build leaves behind is not committed: files at the top are those of the list, and nothing is
# a program. Argument: the source folder; one that is not a clone has nothing to check.
set -euo pipefail
cd "$1"
git rev-parse --is-inside-work-tree >/dev/null 2>&1 || exit 0

known='(\.clang-format|\.clang-tidy|\.gitignore|CMakeLists\.txt|CMakePresets\.json|CITATION\.cff|LICENSE'
known+='|packages(\.optional)?\.txt|[A-Z_]+\.md)'
bad=0
for file in $(git ls-files | grep -v / | grep -vxE "$known" || true); do
  echo "$file: a file that the top folder does not have"
  bad=1
done
for file in $(git ls-files -z | LC_ALL=C xargs -0 grep -laP '^\x7fELF' || true); do
  echo "$file: a compiled program"
  bad=1
done
exit "$bad"
