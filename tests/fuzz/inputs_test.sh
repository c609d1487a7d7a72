#!/usr/bin/env bash
# inputs_test.sh FUZZ_INPUTS: what is packed is unpacked bit for bit, and a container that lost or gained an
# input, or is not a container, is refused.
set -euo pipefail
tool=$1
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cd "$folder"

mkdir given
: >given/empty
printf 'two\nlines\n' >given/lines
printf 'no newline at the end' >given/open-end
printf '\n\n' >given/blank-lines
printf 'end 3\ninput x\n|\\x41\\t\t\r\n:' >given/looks-like-a-container
for byte in $(seq 0 255); do printf "\\x$(printf %02x "$byte")"; done >given/every-byte
"$tool" add it.inputs given/*
"$tool" unpack it.inputs unpacked
diff -r given unpacked

# A text shows as it is.
printf 'vtopo-inputs 1\ninput lines\n|two\n|lines\nend 1\n' | diff - <("$tool" add one.inputs given/lines && cat one.inputs)

# Again and in another order makes the same container; a name that is there is replaced.
cp it.inputs before.inputs
"$tool" add it.inputs given/open-end given/empty
cmp before.inputs it.inputs
printf 'other' >unpacked/lines
"$tool" add it.inputs unpacked/lines
"$tool" remove it.inputs lines
"$tool" add it.inputs given/lines
cmp before.inputs it.inputs

refused() { # what is wrong; the container comes from standard input
  cat >wrong.inputs
  ! "$tool" unpack wrong.inputs wrong 2>refusal || { echo "read a container with $1" >&2; exit 1; }
  grep -q '^fuzz_inputs: wrong.inputs:[0-9]*: ' refusal
}
sed '$d' it.inputs | refused "no end"
sed '/^input lines$/,/^|lines$/d' it.inputs | refused "an input lost"
sed 's/^end 6$/end 7/' it.inputs | refused "a wrong count"
{ cat it.inputs; printf 'input z\n'; } | refused "a line after the end"
sed 's/^input empty$/input open-end/' it.inputs | refused "a name twice"
sed 's/^|two$/|\\y/' it.inputs | refused "an escape that is none"
sed 's/^|two$/two/' it.inputs | refused "a line that is none"
refused "nothing" </dev/null
