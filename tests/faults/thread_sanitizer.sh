#!/usr/bin/env bash
# Builds what runs on several threads with clang's thread sanitizer and runs its tests. Not in CI.
# Arguments: patterns of test cases, as Catch2 takes them.
set -euo pipefail
cd "$(dirname "$0")/../.."
cmake --preset tsan >/dev/null
cmake --build --preset tsan
# Children of a process with a thread are what the platform cache is about.
TSAN_OPTIONS="halt_on_error=1 die_after_fork=0 suppressions=$PWD/tests/faults/thread_sanitizer.supp" \
  build/tsan/bin/thread_tests "$@"
