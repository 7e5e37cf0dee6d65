#!/usr/bin/env bash
# Runs both commands of the README in a fresh root file system of another release of Debian or
# Ubuntu. Needs root, debootstrap, a network, 6 GB, and 20 to 60 minutes. No other test runs it.
#
#   bash tests/packaging/release.sh trixie                     Debian 13 (bookworm: Debian 12)
#   bash tests/packaging/release.sh noble --no-check-gpg       Ubuntu 24.04
#   bash tests/packaging/release.sh jammy --no-check-gpg       Ubuntu 22.04: fails, and says why
#   bash tests/packaging/release.sh RELEASE --root FOLDER      keeps the root in FOLDER; if FOLDER
#                                                              exists, uses it again
#   bash tests/packaging/release.sh RELEASE --mirror URL       default: the mirror of debootstrap
#
# --no-check-gpg goes to debootstrap: Debian has no package with Ubuntu's keys. The root's base
# packages are then not verified; all that apt installs later is verified with the keys among them.
set -euo pipefail
source=$(cd "$(dirname "$0")/../.." && pwd)

fail() {  # fail PROBLEM [HINT]
  echo "release.sh: error: $1" >&2
  [[ -z ${2:-} ]] || echo "hint: $2" >&2
  exit 1
}

release=${1:-} root='' mirror='' check=()
[[ $# == 0 ]] || shift
while [[ $# -gt 0 ]]; do
  case $1 in
    --no-check-gpg) check=(--no-check-gpg) ;;
    --root | --mirror)
      [[ -n ${2:-} ]] || fail "$1 requires a value" "see the head of $0"
      if [[ $1 == --root ]]; then root=$(realpath -m "$2"); else mirror=$2; fi
      shift ;;
    *) fail "unknown option '$1'" "see the head of $0" ;;
  esac
  shift
done
case $release in
  bookworm | trixie) script=sid components=main keys=debian ;;
  jammy | noble) script=gutsy components=main,universe keys=ubuntu ;;
  *) fail "unknown release '$release'; expected bookworm, trixie, jammy or noble" ;;
esac
[[ $(id -u) == 0 ]] || fail "only root can make a root file system" "run it with sudo"
command -v debootstrap >/dev/null || fail "debootstrap not found" "apt-get install debootstrap"
if [[ -z ${check[*]} && ! -e /usr/share/keyrings/$keys-archive-keyring.gpg ]]; then
  fail "the keys to verify $release are missing: /usr/share/keyrings/$keys-archive-keyring.gpg" \
    "install $keys-keyring or $keys-archive-keyring, or add --no-check-gpg (see the head of $0)"
fi

work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
[[ -n $root ]] || root=$work/root

if [[ ! -e $root/etc/os-release ]]; then
  echo "== a fresh $release in $root"
  # An older debootstrap has no script of the release's name; the distribution's own fits.
  cp -r /usr/share/debootstrap "$work/debootstrap"
  [[ -e $work/debootstrap/scripts/$release ]] || ln -s "$script" "$work/debootstrap/scripts/$release"
  DEBOOTSTRAP_DIR=$work/debootstrap debootstrap "${check[@]}" --variant=minbase \
    --components=$components "$release" "$root" ${mirror:+"$mirror"} >"$work/log" 2>&1 ||
    { tail -n 20 "$work/log" >&2; fail "debootstrap cannot make $release in $root"; }
fi

tree=$root/srv/agon
mkdir -p "$tree"
# An earlier build in this root stays; builds of this system and git's files are not copied.
find "$tree" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
tar -C "$source" -c --exclude='./build*' --exclude=./.git . | tar -C "$tree" -x --no-same-owner

# The mounts are in a namespace of their own, which ends with the command.
# shellcheck disable=SC2016  # the inner shell expands it
inside() {
  unshare --mount --propagation private bash -c '
    root=$1; shift
    mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" ||
      { echo "release.sh: error: /proc and /dev cannot be mounted in $root" >&2; exit 1; }
    exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
      LANG=C.UTF-8 http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" \
      chroot "$root" "$@"' - "$root" "$@"
}
for command in scenarios/quickstart.sh tests/run.sh; do
  echo "== $release: bash $command"
  begun=$SECONDS
  inside bash -c "cd /srv/agon && bash $command" || fail "bash $command fails in $release" \
    "--root FOLDER keeps the root to look into"
  echo "== $release: bash $command passed in $(((SECONDS - begun + 59) / 60)) min"
done
inside dpkg-query --show g++ cmake libboost-dev libboost1.81-dev libfmt-dev catch2 \
  libcurl4-openssl-dev 2>/dev/null || true
