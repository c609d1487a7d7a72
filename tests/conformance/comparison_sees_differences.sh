#!/usr/bin/env bash
# The comparison of answers must fail on a wrong, a missing and an additional answer, and on none
# at all; and pass where they agree or deviate as known.
set -euo pipefail
comparison=$(cd "$(dirname "$0")" && pwd)/compare_answers.awk
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo 'lib ; cart_map ; undefined ; [0-9]+ ; outside the grid' >known
printf '%s\n' 'cart_map 0 1 2 0' 'cart_rank 0 1' >script
printf '%s\n' '1 0 cart_map -> 0' '2 0 cart_rank -> 1' '1 2 cart_map -> undefined' >vtopo

passes() { awk -v library=lib -f "$comparison" known script "${1:-vtopo}" library >report; }
must_fail() {
  if passes; then
    echo "passed: $1"
    exit 1
  fi
}

sed 's/undefined/2/' vtopo >library
passes || { cat report; exit 1; }
grep -qx 'lib: 2 of 3 calls agree, 1 deviate as known, .* 0 differ' report
sed 's/-> 1/-> 3/' vtopo >library
must_fail "a wrong answer"
head -2 vtopo >library
must_fail "a missing answer"
(cat vtopo && echo '2 1 cart_rank -> 1') >library
must_fail "an additional answer"
sed 's/undefined/-/' vtopo >library
must_fail "a deviation that is not in the table"
: >library
if passes /dev/null; then
  echo "passed: no answers at all"
  exit 1
fi
