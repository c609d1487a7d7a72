#!/usr/bin/env bash
# Checks that no code knows a mapper by its name: what others need of a mapper stands in its MapperInfo.
# The rule: in sim/ and cli/ no string literal is the name of a mapper, but in the mapper's own file.
# Words that mean something else are listed with the files in which they do. Argument: the source
# folder. Prints every literal against the rule.
set -euo pipefail
cd "$1"

# Files (glob patterns) in which a word is not a mapper.
declare -A homonyms=(
  [sim/placement/allocation.cpp]="block random file"          # kinds of allocations
  [sim/study/choose_hosts.cpp]="random"                   # hosts, a key of JSON
  [sim/run/experiment.cpp]="axes"                             # a word of a sentence
  [sim/formats/foreign.cpp]="scotch"                          # a format of graphs
  ["sim/formats/machines/*.cpp"]="block"                      # topologies of Slurm
  ["sim/study/plan.?pp"]="axes"                               # a key of JSON
  [sim/study/study_data.cpp]="axes"                           # likewise
  [sim/check/evidence.cpp]="axes"                             # likewise
  [sim/check/scenario.cpp]="block random"                     # kinds of allocations
  ["sim/check/*.cpp"]="axes block file"                       # keys of JSON, and the baseline, which it must know
  ["cli/verbs/platform/*.cpp"]="bisection file"               # keys of JSON, words for counts
  ["cli/verbs/topology/*.cpp"]="axes"                         # a key of JSON
  [cli/verbs/map.cpp]="file"                                  # a heading
  [cli/verbs/dims.cpp]="tile"                                 # a key of JSON
  [cli/verbs/check.cpp]="file"                                # a key of JSON
  [cli/command/what_if.cpp]="file"                            # a key of JSON
)

is_homonym() { # file word
  local pattern word
  for pattern in "${!homonyms[@]}"; do
    # shellcheck disable=SC2053
    [[ $1 == $pattern ]] || continue
    for word in ${homonyms[$pattern]}; do [[ $word == "$2" ]] && return 0; done
  done
  return 1
}

shopt -s nullglob
names=()
for file in sim/mapping/mappers/*.cpp sim/mapping/more_mappers/*.cpp sim/mapping/adapters/{external,scotch}.cpp; do names+=("$(basename "$file" .cpp)"); done
[ "${#names[@]}" -gt 1 ] || { echo "no mappers were found in $1"; exit 1; }

violations=0
alternatives=$(IFS='|'; echo "${names[*]}")
while IFS=: read -r file line literal; do
  name=${literal//\"/}
  [[ $file == sim/mapping/@(mappers|adapters|more_mappers)/"$name".cpp ]] && continue
  is_homonym "$file" "$name" && continue
  echo "$file:$line names the mapper $name"
  violations=$((violations + 1))
done < <(grep -rnoE --include='*.[ch]pp' "\"($alternatives)\"" sim cli || true)
[ "$violations" -eq 0 ]
