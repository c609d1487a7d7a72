#!/usr/bin/env bash
# The packages: the archive runs where there is nothing but glibc, wherever it is unpacked; Debian's package has
# dependencies that are there and installs what the command needs. Arguments: build folder.
set -euo pipefail
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$build" && cpack -G "DEB;TGZ" -B "$work/packages" >"$work/log" 2>&1) || { cat "$work/log"; exit 1; }
ls -l "$work/packages" | awk 'NF > 8 { print $5, $9 }'

root=$work/root
mkdir -p "$root/some/where" "$root/tmp" "$root/dev" "$root/proc" "$root/lib64"
tar xzf "$work"/packages/vtopo-*.tar.gz -C "$root/some/where" --strip-components=1
for file in share/doc/vtopo/LICENSE share/doc/vtopo/THIRD_PARTY.md share/doc/vtopo/licences/libsimgrid3.32 \
  share/man/man1/vtopo.1 lib/libvtopo_smpi.so lib/pkgconfig/vtopo.pc share/vtopo/scenario.schema.json; do
  [ -s "$root/some/where/$file" ] || { echo "the archive lacks $file"; exit 1; }
done
# glibc and nothing else
while read -r library; do cp --parents -L "$library" "$root"; done < <(
  ldd "$build/bin/vtopo" | grep -oE '/[^ ]*/(ld-linux[^ ]*|lib(c|m|dl|pthread|rt|resolv)\.so[^ ]*)' | sort -u)
namespaces=-m
[ "$(id -u)" = 0 ] || namespaces=-rm
# shellcheck disable=SC2016
enter=(unshare "$namespaces" sh -c 'mount --rbind /proc "$0/proc" && exec chroot "$0" "$@"')  # $ORIGIN needs /proc
"${enter[@]}" / true 2>/dev/null || { echo "skipped: no root of its own"; exit 77; }
"${enter[@]}" "$root" /some/where/bin/vtopo --version | head -n 1
# The closed-form routes, vtopo's own clock, and SimGrid in a child process.
"${enter[@]}" "$root" /some/where/bin/vtopo compare --topology cart:4x4 --network torus:4x4 --mapper block,greedy \
  --solver simgrid --format csv >"$work/there.csv"
"$build/bin/vtopo" compare --topology cart:4x4 --network torus:4x4 --mapper block,greedy --solver simgrid --format csv \
  >"$work/here.csv"
without_times() { cut -d, -f1-15 "$1"; }
diff <(without_times "$work/here.csv") <(without_times "$work/there.csv")

about=$(dpkg-deb -I "$work"/packages/vtopo_*.deb)
files=$(dpkg-deb -c "$work"/packages/vtopo_*.deb)
grep -E '^ (Version|Depends):' <<<"$about"
grep -q 'Depends:.*libsimgrid3' <<<"$about"
grep -qE ' \./usr/bin/vtopo$' <<<"$files"
if grep -q 'lib/vtopo/libsimgrid' <<<"$files"; then
  echo "Debian's package contains libraries of other packages"
  exit 1
fi
if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
  grep -q '^Inst vtopo' <<<"$(apt-get install --simulate -y "$work"/packages/vtopo_*.deb)"
fi
echo "packages install and run"
