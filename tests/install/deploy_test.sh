#!/usr/bin/env bash
# The files of examples/deploy, as far as this machine can try them: `module load` by Environment Modules or Lmod on an
# installed tree, the Spack recipe read by Python with its options held against the build's, and the container's
# commands, which must name files that exist. Arguments: build folder, source folder, version.
set -euo pipefail
build=$1 source=$2 version=$3
deploy=$source/examples/deploy
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$1" && exit 1; }
cmake --install "$build" --prefix "$work/prefix" >/dev/null

# try_module FILE INIT: the module of a file, for the shell function that INIT defines.
try_module() {
  mkdir -p "$work/modules/vtopo"
  rm -f "$work"/modules/vtopo/*
  local name=$version
  [[ $1 == *.lua ]] && name=$version.lua
  sed "s|/opt/vtopo-[0-9.]*-Linux|$work/prefix|" "$1" >"$work/modules/vtopo/$name"
  grep -q "$work/prefix" "$work/modules/vtopo/$name" || fail "$1 has no root in /opt"
  # shellcheck disable=SC2016  # for the other shell
  env -i HOME="$work" PATH=/usr/bin:/bin MODULEPATH="$work/modules" bash -c '
    set -e
    . "$1"
    before=$PATH
    module load vtopo
    vtopo --version | grep -qF "$2" && [ "$(command -v vtopo)" = "$3/bin/vtopo" ]
    [ -z "$(command -v pkg-config)" ] || pkg-config --exact-version="$2" vtopo
    case :$CMAKE_PREFIX_PATH: in *:$3:*) ;; *) exit 1 ;; esac
    case :$MANPATH: in *:$3/share/man:*) ;; *) exit 1 ;; esac
    module unload vtopo
    [ "$PATH" = "$before" ]' - "$2" "$version" "$work/prefix" || fail "module load with $2 fails"
  echo "$(basename "$1"): loaded and unloaded by $2"
}
if [ -e /etc/profile.d/modules.sh ]; then try_module "$deploy/vtopo" /etc/profile.d/modules.sh; fi
if [ -e /usr/share/lmod/lmod/init/bash ]; then try_module "$deploy/vtopo.lua" /usr/share/lmod/lmod/init/bash; fi

python3 - "$deploy/spack/package.py" "$build/CMakeCache.txt" "$version" <<'END'
import sys, types

recipe, cache, version = sys.argv[1:]
directives = []
def directive(name):
    return lambda *words, **options: directives.append((name, words, options))
package = types.ModuleType("spack.package")
for name in ("license", "version", "variant", "depends_on", "generator", "conflicts", "maintainers"):
    setattr(package, name, directive(name))
class CMakePackage:
    def define(self, option, value):
        return f"-D{option}={value}"
    def define_from_variant(self, option, variant):
        assert any(d[0] == "variant" and d[1][0] == variant for d in directives), variant
        return f"-D{option}=ON"
package.CMakePackage = CMakePackage
package.__all__ = [name for name in dir(package) if not name.startswith("_")]
sys.modules["spack"] = types.ModuleType("spack")
sys.modules["spack.package"] = package
names = {}
exec(compile(open(recipe).read(), recipe, "exec"), names)
options = {line.split(":")[0] for line in open(cache) if ":" in line}
for word in names["Vtopo"]().cmake_args():
    option = word[2:].split("=")[0]
    assert option in options, f"the build has no option {option}"
assert [d[1][0] for d in directives if d[0] == "version"] == [version]
needed = " ".join(d[1][0] for d in directives if d[0] == "depends_on")
for library in ("simgrid", "boost", "fmt", "cli11", "nlohmann-json", "pugixml", "yaml-cpp"):
    assert library in needed, library
print("package.py: read, its options are those of the build")
END

while read -r word; do
  [ -e "$source/$word" ] || fail "Containerfile names $word, which does not exist"
done < <(grep -oE '\.ci/[a-z-]+' "$deploy/Containerfile")
grep -q "\"name\": \"$(sed -n 's/.*--workflow --preset \([a-z]*\).*/\1/p' "$deploy/Containerfile")\"" \
  "$source/CMakePresets.json" || fail "Containerfile names a preset that does not exist"
echo "Containerfile: names what exists"
