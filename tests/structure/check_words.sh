#!/usr/bin/env bash
# Checks that texts for users are written in the terms of the field: string literals of the libraries and of
# the command, texts of the report's page, README.md files, CONTRIBUTING.md and the unreleased part of
# CHANGELOG.md. Argument: the source folder. Prints every line against the rule with what to write instead.
set -euo pipefail
cd "$1"

# Pattern (Perl, any case) = what to write instead.
terms='
\bshortest ways?\b = shortest paths
\bways? of (a|the|each|every) flows? = route
\bheeds?\b = honours
\bleftovers?\b = temporary files
\btwins?\b = duplicates, symmetric hosts
\bout of order\b = down, failed
\bno walks?\b = not a valid path
\bin words\b = described
\bobstacles?\b = reason
\bbroken volumes?\b = fractional volumes
\bseats?\b = slot
(?<!two-)\brooms\b|\| room\b = modules, folders
\b(is|are) told\b = is reported
\btells? of\b = reports
\bfor people\b = human-readable
\blowers (the|an) objective\b = minimises
\bhosts? (are |is )?alike\b = equivalent
\bdrawn (order|embeddings?|phases?|scenarios?|neighbours|hosts|networks?)\b = random, sampled
(?<!there )\bis no (?!longer|more|less|later|such)[a-z] = is not a
(?<!there )\bare no (?!longer|more|less|later|such)[a-z] = are not
'

literals() { # file:line:literal
  local folders=()
  for folder in cli sim netmodels topology; do [ ! -d "$folder" ] || folders+=("$folder"); done
  grep -rnP --include='*.[ch]pp' '^(?!\s*(//|#include)).*"' "${folders[@]}" |
    perl -ne 'next unless /^([^:]+:\d+:)(.*)$/; my ($at, $code) = ($1, $2);
              print "$at$1\n" while $code =~ /("(?:[^"\\]|\\.)*")/g' || true
}

documents() { # file:line:text
  find . -name build -prune -o -path ./.git -prune -o \( -name README.md -o -path ./CONTRIBUTING.md -o -path './sim/report/page/scripts/*.js' \) -print |
    sed 's|^\./||' | sort | xargs -d '\n' grep -n '' /dev/null || true
  [ ! -f CHANGELOG.md ] || perl -ne 'last if /^## / && !/unreleased/; print "CHANGELOG.md:$.:$_"' CHANGELOG.md
}

texts=$(literals; documents)
violations=0
while IFS= read -r term; do
  [ -n "$term" ] || continue
  pattern=${term% = *}
  while IFS= read -r hit; do
    [ -n "$hit" ] || continue
    echo "$hit (write: ${term##* = })"
    violations=$((violations + 1))
  done < <(grep -iP "^[^:]*:[0-9]+:.*($pattern)" <<<"$texts" || true)
done <<<"$terms"
[ "$violations" -eq 0 ]
