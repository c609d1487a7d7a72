#!/usr/bin/env bash
# Runs the README's two commands as a new user does, on a bare Debian: bare.sh 12|13 [optional]
# Makes a root with git and ca-certificates by debootstrap from apt's own mirror, clones the last commit of this tree
# into it, and prints of each command the seconds, the processor seconds, and of the tests how many passed, failed and
# were skipped, and why. "optional": the tests run with the optional packages, as in continuous integration.
# Needs root and the package debootstrap. Downloads are timed apart. The root is removed at the end unless KEEP is
# set; ROOTS is the folder for it (8 GB), else that for temporary files. Exit code 1 if a command fails.
set -euo pipefail
tree=$(cd "$(dirname "$0")/../.." && pwd)

case "$*" in
  12 | "12 optional") suite=bookworm ;;
  13 | "13 optional") suite=trixie ;;
  *) echo "usage: tests/systems/bare.sh 12|13 [optional]" >&2 && exit 2 ;;
esac
# shellcheck source=../support/needs.sh
. "$tree/tests/support/needs.sh"
needs debootstrap git unshare
[ "$(id -u)" = 0 ] || skip "only root can make a root of its own"
unshare -m true 2>/dev/null || skip "this container may not mount file systems"

lists=packages.txt
[ -z "${2:-}" ] || lists="packages.txt packages.optional.txt"
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Identifier: Packages' | grep -m 1 '/debian/$' || true)
root=$(mktemp -d -p "${ROOTS:-${TMPDIR:-/tmp}}" bare.XXXXXX)
chmod 755 "$root"
[ -n "${KEEP:-}" ] || trap 'rm -rf --one-file-system "$root"' EXIT

# The commands as the README has them.
first=$(grep -m 1 '^\.ci/install-packages && ' "$tree/README.md")
second=$(grep -o '^`tests/run.sh`' "$tree/README.md" | tr -d '`')
[ -n "$first" ] && [ -n "$second" ] || { echo "README.md does not have the two commands" >&2 && exit 1; }

debootstrap --variant=minbase --include=git,ca-certificates "$suite" "$root" "${mirror:-http://deb.debian.org/debian/}" \
  >"$root.log" 2>&1 || { tail -n 20 "$root.log" >&2 && exit 1; }
mv "$root.log" "$root/debootstrap.log"
cp /etc/resolv.conf "$root/etc/resolv.conf"
printf '127.0.0.1 localhost\n127.0.1.1 %s\n' "$(hostname)" >"$root/etc/hosts"
for folder in one two; do git clone -q "$tree" "$root/root/$folder"; done

# inside FOLDER COMMAND: in the root, with nothing of this environment; prints seconds and processor seconds.
inside() {
  unshare -m --propagation private sh -c '
    mount --bind "$0" "$0" && mount -t proc proc "$0/proc" && mount --rbind /sys "$0/sys" && mount --rbind /dev "$0/dev" &&
    exec env -i HOME=/root USER=root TERM=dumb PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$0" bash -c "
      cd /root/$1
      TIMEFORMAT=\"%0R s, %0U s and %0S s of processor time\"
      time { $2; } >/root/$1.out 2>&1"' "$root" "$1" "$2"
}
failed=0
# report WHAT FOLDER COMMAND
report() {
  printf '%s: ' "$1"
  inside "$2" "$3" 2>&1 || { echo "  FAILED:" && tail -n 30 "$root/root/$2.out" && failed=1; }
}

echo "Debian $(cat "$root/etc/debian_version"), commit $(git -C "$tree" describe --always --dirty), $(nproc) cores"
report "downloads" one "apt-get -q update && DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends -d install \$(cat $lists)"
report "first command" one "$first"
tail -n 1 "$root/root/one.out" | sed 's/^/  last line: /'
[ -z "${2:-}" ] || report "optional packages" two ".ci/install-packages --optional"
report "$second" two "$second"

# ctest's last lines, and of each skipped test the reason.
log=$root/root/two/build/release/Testing/Temporary/LastTest.log
grep -E 'tests passed|Total Test time' "$root/root/two.out" | sed 's/^/  /' || failed=1
if [ -f "$log" ]; then
  awk '/^[0-9]+\/[0-9]+ Testing: / { name = $0; sub(/^[^:]*: /, "", name) }
       /^skipped: / { ++count[$0]; last[$0] = name }
       END { for (reason in count) printf "  %d %s: %s\n", count[reason], reason, last[reason] }' "$log" | sort -k3
fi
[ $failed = 0 ] || { echo "FAILED" && exit 1; }
