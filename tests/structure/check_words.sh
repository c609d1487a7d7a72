#!/usr/bin/env bash
# Checks that texts are written in the terms of the field: string literals of the libraries and of the command,
# texts of the report's page, README.md files, CONTRIBUTING.md, the unreleased part of CHANGELOG.md, and comments of
# sources, scripts and build files. Argument: the source folder. Prints every line against the rule with what to write.
set -euo pipefail
cd "$1"

# Pattern (Perl, any case) = what to write instead. In all texts:
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
\bbroken (volumes?|ones?)\b = fractional
\bseats?\b = slot
(?<!two-)\brooms\b|\| room\b = modules, folders
\b(is|are) told\b(?! to\b) = is reported
\btells? of\b = reports
\bfor people\b = human-readable
\blowers (the|an) objective\b = minimises
\bhosts? (are |is )?alike\b = equivalent
\bdrawn (order|embeddings?|phases?|scenarios?|neighbours|hosts|networks?|problems?|changes|permutations?|volumes?|ranks)\b = random, sampled
(?<!there )\bis no (?!longer|more|less|later|such|fewer|farther|better|worse|larger|smaller|higher|lower|faster|slower)[a-z] = is not a
(?<!there )\bare no (?!longer|more|less|later|such|fewer|farther|better|worse|larger|smaller|higher|lower|faster|slower)[a-z] = are not
'

# In comments and documents, not in literals: some are code, and some stay in messages.
prose_terms='
\btold\b(?! (to|apart)\b) = reported
\btells?\b(?! ((\w+ ){0,3}apart|(\w+ ){1,2}to)\b) = reports, says
\bstands? (first|twice|in for)\b = comes first, is repeated, is a proxy for
\b(is|are) through\b(?! (a|an|the|one|its)\b) = has finished
\bcalled as\b = named like, with the extension of
\b(is|are) played\b|\bplays? (it|them|flows?|ranks?)\b = simulated, replayed
\bpays? nothing\b = costs nothing
\b(its|their) kin\b = the others by name
\bif so wished\b|\bwishes\b = on request, options
\bcrumbs?\b = negligible gains
\bminds\b = accounts for
\bby nobody\b = by no component
'

literals() { # file:line:literal
  local folders=()
  for folder in cli sim netmodels topology; do [ ! -d "$folder" ] || folders+=("$folder"); done
  grep -rnP --include='*.[ch]pp' '^(?!\s*(//|#include)).*"' "${folders[@]}" |
    perl -ne 'next unless /^([^:]+:\d+:)(.*)$/; my ($at, $code) = ($1, $2);
              print "$at$1\n" while $code =~ /("(?:[^"\\]|\\.)*")/g' || true
}

files() { # options of find: the files of the tree that they select
  find . -name build -prune -o -path ./.git -prune -o -type f \( "$@" \) -print | sed 's|^\./||' | sort
}

page() { # file:line:text
  files -path './sim/draw/page/page.js' | xargs -d '\n' grep -n '' /dev/null || true
}

documents() { # file:line:text
  files -name README.md -o -path ./CONTRIBUTING.md | xargs -d '\n' grep -n '' /dev/null || true
  [ ! -f CHANGELOG.md ] || perl -ne 'last if /^## / && !/unreleased/; print "CHANGELOG.md:$.:$_"' CHANGELOG.md
}

comments() { # file:line:comment, without names of code in backticks
  files -name '*.[ch]pp' -o -name '*.[ch]' -o -name '*.js' -o -name '*.in' | xargs -d '\n' perl -ne '
    s/\047(\\.|[^\047\\])\047/0/g; s/"(\\.|[^"\\])*"/""/g unless $block || m{^\s*//};
    s/`[^`]*`/``/g;
    if ($block) { print "$ARGV:$.:$_"; $block = !m{\*/} }
    elsif (m{(?<!:)(//.*|/\*.*)}) { print "$ARGV:$.:$1\n"; $block = $1 =~ m{^/\*(?!.*\*/)} }
    if (eof) { close ARGV; $block = 0 }' /dev/null || true
  files -name '*.sh' -o -name '*.py' -o -name '*.pl' -o -name '*.cmake' -o -name CMakeLists.txt |
    xargs -d '\n' perl -ne 'while (/(?:^|\s)(#(?![!]|include\b).*)/g) {
        my ($comment, $code) = ($1, substr $_, 0, $-[1]);
        next if ($code =~ tr/"//) % 2 || ($code =~ tr/\047//) % 2;
        print "$ARGV:$.:$comment\n"; last
      }
      close ARGV if eof' /dev/null || true
}

violations=0
check() { # list of patterns, texts: prints and counts each line that has one
  while IFS= read -r term; do
    [ -n "$term" ] || continue
    pattern=${term% = *}
    while IFS= read -r hit; do
      [ -n "$hit" ] || continue
      echo "$hit (write: ${term##* = })"
      violations=$((violations + 1))
    done < <(grep -iP "^[^:]*:[0-9]+:.*($pattern)" <<<"$2" || true)
  done <<<"$1"
}

prose=$(documents; comments)
check "$terms" "$(literals; page; cat <<<"$prose")"
check "$prose_terms" "$prose"
[ "$violations" -eq 0 ]
