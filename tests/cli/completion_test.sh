#!/usr/bin/env bash
# Completions complete, in a bash of their own and, where they are installed, in fish and zsh.
# Argument: the command.
set -euo pipefail
vtopo=$(realpath "$1")
PATH=$(dirname "$vtopo"):$PATH  # the scripts ask the command
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for shell in bash fish zsh; do "$vtopo" completion $shell -o completion.$shell; done

# What bash offers for a line that ends at the cursor.
# shellcheck disable=SC2016  # for the other bash
offered() {
  bash --norc --noprofile -c '
    source completion.bash
    complete -p vtopo | grep -q -- "-F _vtopo" || exit 1
    COMP_LINE=$1 COMP_POINT=${#1}
    _vtopo
    printf "%s\n" "${COMPREPLY[@]}"' bash "$1" | xargs
}
expect() {
  local got
  got=$("$1" "$2")
  [ "$got" = "$3" ] || { echo "$1: \"$2\" offers \"$got\" instead of \"$3\""; exit 1; }
}
expect offered "vtopo compa" compare
expect offered "vtopo platform ro" route
expect offered "vtopo compare --top" "--topology --top-links"
expect offered "vtopo compare --no-s" --no-simulate
expect offered "vtopo compare --mapper gree" "greedy greedy_allc"
expect offered "vtopo compare --mapper block,hil" block,hilbert
# Readline breaks words at = and at : and takes what follows.
expect offered "vtopo compare --mapper=block,hil" block,hilbert
expect offered "vtopo compare --mapper=hil" hilbert
expect offered "vtopo compare --network tor" torus:
expect offered "vtopo evaluate --routing=ec" ecmp
expect offered "vtopo platform describe --format " "table json"
expect offered "vtopo map -o x --embedding-format ra" rankfile
expect offered "vtopo completion " "bash zsh fish"
expect offered "vtopo compare --platform " ""  # files, by bash itself

if command -v fish >/dev/null; then
  export HOME=$folder XDG_CONFIG_HOME=$folder XDG_DATA_HOME=$folder
  fish -n completion.fish
  # shellcheck disable=SC2016  # for fish
  fish_offers() {
    fish --no-config -c 'source completion.fish; complete -C $argv[1]' "$1" | cut -f 1 | xargs
  }
  expect fish_offers "vtopo compa" compare
  expect fish_offers "vtopo platform ro" route
  expect fish_offers "vtopo compare --mapper gree" "greedy greedy_allc"
  expect fish_offers "vtopo compare --mapper block,hil" block,hilbert
  expect fish_offers "vtopo platform describe --format " "json table"
fi
if command -v zsh >/dev/null; then zsh -n completion.zsh; fi
