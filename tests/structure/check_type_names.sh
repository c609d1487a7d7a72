#!/usr/bin/env bash
# Checks that two types never have the same name in the same namespace: the linker would keep one destructor for both.
# Types inside of others and in unnamed namespaces are apart. Argument: the source folder. Prints what is against that.
set -euo pipefail
cd "$1"
definitions='
  FNR == 1 { space = "" }
  /^namespace [A-Za-z_:]+ \{/ { space = $2 }
  /^namespace \{/ { hidden = 1 }
  /^\}  \/\/ namespace$/ { hidden = 0 }
  !hidden && space != "" && /^(class|struct|union|enum class|enum) [A-Za-z_0-9]+( |$)/ && !/;$/ {
    sub(/^enum class/, "enum")
    print space "::" $2, FILENAME
  }'
find topology netmodels sim cli -name '*.[ch]pp' 2>/dev/null | sort | xargs awk "$definitions" | awk '
  { files[$1] = files[$1] " " $2; ++count[$1] }
  END {
    for (name in count)
      if (count[name] > 1) { print name " is defined in" files[name]; violations = 1 }
    exit violations
  }'
