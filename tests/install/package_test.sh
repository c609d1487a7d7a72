#!/usr/bin/env bash
# The packages: the archive runs where there is nothing but glibc, wherever it is unpacked; Debian's package has
# dependencies that are there and installs what the command needs. Arguments: build folder.
set -euo pipefail
build=$1
# shellcheck source=../support/needs.sh
. "$(dirname "$0")/../support/needs.sh"
needs dpkg-shlibdeps file
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Debian's packages uncompressed, which is quicker.
(cd "$build" && cpack -G "DEB;TGZ" -D CPACK_DEBIAN_COMPRESSION_TYPE=none -B "$work/packages" >"$work/log" 2>&1) || { cat "$work/log"; exit 1; }
ls -l "$work/packages" | awk 'NF > 8 { print $5, $9 }'

root=$work/root
mkdir -p "$root/some/where" "$root/tmp" "$root/dev" "$root/proc" "$root/lib64"
tar xzf "$work"/packages/vtopo-*.tar.gz -C "$root/some/where" --strip-components=1
simgrid=$(dpkg -S libsimgrid.so. 2>/dev/null | sed -n 's/^\(libsimgrid[0-9.]*\):.*/\1/p' | head -n 1)
for file in share/doc/vtopo/LICENSE share/doc/vtopo/THIRD_PARTY.md "share/doc/vtopo/licences/$simgrid" \
  share/man/man1/vtopo.1 lib/libvtopo_smpi.so lib/libvtopo_smpi_repairs.so lib/pkgconfig/vtopo.pc \
  share/vtopo/scenario.schema.json; do
  [ -s "$root/some/where/$file" ] || { echo "the archive lacks $file"; exit 1; }
done
# glibc and nothing else
while read -r library; do cp --parents -L "$library" "$root"; done < <(
  ldd "$build/bin/vtopo" | grep -oE '/[^ ]*/(ld-linux[^ ]*|lib(c|m|dl|pthread|rt|resolv)\.so[^ ]*)' | sort -u)
namespaces=-m
[ "$(id -u)" = 0 ] || namespaces=-rm
# shellcheck disable=SC2016
enter=(unshare "$namespaces" sh -c 'mount --rbind /proc "$0/proc" && exec chroot "$0" "$@"')  # $ORIGIN needs /proc
"${enter[@]}" / true 2>/dev/null || skip "no right to enter a root of its own (unshare)"
"${enter[@]}" "$root" /some/where/bin/vtopo --version | head -n 1
# The closed-form routes, vtopo's own clock, and SimGrid in a child process.
"${enter[@]}" "$root" /some/where/bin/vtopo compare --topology cart:4x4 --network torus:4x4 --mapper block,greedy \
  --solver simgrid --format csv >"$work/there.csv"
"$build/bin/vtopo" compare --topology cart:4x4 --network torus:4x4 --mapper block,greedy --solver simgrid --format csv \
  >"$work/here.csv"
without_times() { cut -d, -f1-15 "$1"; }
diff <(without_times "$work/here.csv") <(without_times "$work/there.csv")

field() { dpkg-deb -f "$work"/packages/"$1"_*.deb "$2"; }
fail() { echo "$1" && exit 1; }
files=$(dpkg-deb -c "$work"/packages/vtopo_*.deb)
depends=$(field vtopo Depends)
echo "vtopo depends on $depends"
grep -q "$simgrid" <<<"$depends"
! grep -qE 'mpi|mpich|python' <<<"$depends" || fail "the package vtopo needs an MPI library or Python"
grep -qE ' \./usr/bin/vtopo$' <<<"$files"
! grep -q 'lib/vtopo/libsimgrid' <<<"$files" || fail "Debian's package contains libraries of other packages"
! grep -qE 'libvtopo_mpi|dist-packages' <<<"$files" || fail "the package vtopo has what belongs to others"

# What is preloaded under an MPI library, and the Python module, are packages of their own.
while read -r package file needs; do
  [ -e "$build/$file" ] || continue
  dpkg-deb -c "$work"/packages/"$package"_*.deb >"$work/content"
  grep -q "/$(basename "$file")\$" "$work/content"
  depends=$(field "$package" Depends)
  echo "$package depends on $depends"
  grep -q "$needs" <<<"$depends"
  grep -qE '^vtopo \(= |, vtopo \(= ' <<<"$depends"
done <<'END'
vtopo-openmpi lib/libvtopo_mpi.so libopenmpi
vtopo-mpich lib/libvtopo_mpi_mpich.so libmpich12
python3-vtopo python/vtopo/__init__.py python3
END

if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
  simulated=$(apt-get install --simulate -y "$work"/packages/*.deb)
  for package in "$work"/packages/*.deb; do
    grep -q "^Inst $(dpkg-deb -f "$package" Package) " <<<"$simulated" || fail "apt would not install $package"
  done
  # A package database of its own, in which the libraries of this machine count as installed: dpkg unpacks and
  # configures the packages, in the order of their dependencies, and removes them again without a trace.
  clean=$work/clean
  mkdir -p "$clean/var/lib/dpkg/info" "$clean/var/lib/dpkg/updates"
  cp /var/lib/dpkg/status "$clean/var/lib/dpkg/status"
  dpkg --root="$clean" --force-script-chrootless --no-triggers --log=/dev/null -i "$work"/packages/*.deb >"$work/log" 2>&1 ||
    { cat "$work/log"; exit 1; }
  [ -x "$clean/usr/bin/vtopo" ]
  cmp "$clean/usr/share/man/man1/vtopo.1" "$root/some/where/share/man/man1/vtopo.1"
  "$clean/usr/bin/vtopo" --version | head -n 1
  mapfile -t names < <(for package in "$work"/packages/*.deb; do dpkg-deb -f "$package" Package; done)
  dpkg --root="$clean" --force-script-chrootless --no-triggers --log=/dev/null --purge "${names[@]}" >"$work/log" 2>&1 ||
    { cat "$work/log"; exit 1; }
  left=$(find "$clean/usr" -type f 2>/dev/null || true)
  [ -z "$left" ] || fail "after the packages are removed there is still $left"
fi
echo "packages install and run"
