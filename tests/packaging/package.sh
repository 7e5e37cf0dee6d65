#!/usr/bin/env bash
# package.sh SOURCE BUILD [--debian]: the Debian packages, tried without a compiler: unpacked into a
# folder, or, with --debian, installed by apt in a fresh system of the release that this one is,
# since the packages need its libraries. The latter takes root and the mirror that /etc/apt names.
set -euo pipefail
build=$2
how=${3:-}
command -v dpkg-shlibdeps >/dev/null || { echo "skipped: there is no dpkg-dev here"; exit 4; }
work=$(mktemp -d)
tree=$work/tree  # what the packages are unpacked or installed into
trap 'umount "$tree/proc" 2>/dev/null || true; rm -rf --one-file-system "$work"' EXIT
fail() {
  echo "FAILED: $*" >&2
  exit 1
}

cpack --config "$build/CPackConfig.cmake" -B "$work/cpack" >"$work/log" 2>&1 ||
  { cat "$work/log"; fail "cpack"; }
packages=("$work"/cpack/agon_*.deb "$work"/cpack/agon-dev_*.deb)
for package in "${packages[@]}"; do
  [[ -f $package ]] || fail "no package $(basename "$package")"
done
dpkg-deb --field "${packages[0]}" Depends | tee "$work/depends"
for library in libboost-json libcurl4 libfmt libmd4c0 libseccomp2 libsqlite3-0 libstdc++6 libzstd1; do
  grep -q "$library" "$work/depends" || fail "the package does not depend on $library"
done

# What a person does with it; no compiler, and nothing of this checkout, is in reach.
cat >"$work/try.sh" <<'TRY'
set -eu
root=$1
! command -v c++ && ! command -v g++ && ! command -v cmake || { echo "a compiler is here"; exit 1; }
cd "$(mktemp -d)"
bash "$root/usr/share/agon/scenarios/quickstart.sh" >told 2>&1 || { cat told; exit 1; }
grep -Eq '1(-[0-9]+)?  reference' told || { cat told; echo "no leaderboard"; exit 1; }
agon=$root/usr/bin/agon
"$agon" --version
"$agon" replay quickstart.agon --jobs 2 >told 2>&1 || { cat told; exit 1; }
"$agon" list plugins >told
# Importers are in Python, which is not in PATH here; the rest is there.
! grep refused told | grep -qv importers.py || { cat told; exit 1; }
grep -q "importers.py: there is no program 'python3'" told || { cat told; exit 1; }
for file in man/man1/agon.1.gz bash-completion/completions/agon zsh/vendor-completions/_agon \
  doc/agon/copyright doc/agon/README.md doc/agon/docs/tutorial-1-first-benchmark.md \
  agon/agents/external/samples/bot.py; do
  [ -s "$root/usr/share/$file" ] || { echo "no $file"; exit 1; }
done
# What the documents name by its path is found from any folder.
"$agon" plan scenarios/quickstart.json --quiet >told 2>&1 || { cat told; exit 1; }
samples=agents/external/samples
"$agon" check-agent --game bargaining $samples/bot.sh >told 2>&1 || { cat told; exit 1; }
"$agon" play water-allocation --seat 0="external:command=$samples/bot.sh" >told 2>&1 ||
  { cat told; exit 1; }
[ "$(cat "$root/usr/lib/python3/dist-packages/agon.pth")" = /usr/share/agon/python ] || exit 1
[ ! -e "$root/usr/include/agon" ] || { echo "headers are in agon, not in agon-dev"; exit 1; }
TRY

if [[ $how != --debian ]]; then
  mkdir "$tree" "$work/bin"
  dpkg -x "${packages[0]}" "$tree"
  for tool in bash basename cat dirname grep mktemp sed; do ln -s "$(command -v $tool)" "$work/bin"; done
  env -i PATH="$work/bin" HOME="$work" TMPDIR="$work" bash "$work/try.sh" "$tree" ||
    fail "the unpacked package"
  dpkg -x "${packages[1]}" "$tree"
  for file in include/agon/game.hpp lib/cmake/agon/agon-config.cmake lib/libagon.so; do
    [[ -e $tree/usr/$file ]] || fail "agon-dev has no $file"
  done
  exit 0
fi

command -v debootstrap >/dev/null || { echo "skipped: there is no debootstrap here"; exit 4; }
[[ $(id -u) == 0 ]] || { echo "skipped: only root can make a Debian"; exit 4; }
read -r name origin release < <(. /etc/os-release && echo "$ID ${ID^} ${VERSION_CODENAME:-none}")
mirror=$(apt-get indextargets --format '$(SITE)' "Origin: $origin" "Codename: $release" | head -n 1)
[[ -n $mirror ]] || { echo "skipped: /etc/apt names no mirror of $name $release"; exit 4; }
components=main
[[ $name != ubuntu ]] || components=main,universe
debootstrap --variant=minbase --components=$components "$release" "$tree" "$mirror" >"$work/log" 2>&1 ||
  { tail -n 20 "$work/log"; echo "skipped: debootstrap cannot make $name $release here"; exit 4; }
cp "${packages[@]}" "$work/try.sh" "$tree/mnt"
# Programs find themselves by /proc.
mountpoint -q "$tree/proc" || mount -t proc proc "$tree/proc" 2>/dev/null ||
  { echo "skipped: /proc cannot be mounted here"; exit 4; }
inside() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/mnt DEBIAN_FRONTEND=noninteractive \
  http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" chroot "$tree" "$@"; }
inside sh -c 'apt-get update && apt-get install -y --no-install-recommends /mnt/agon_*.deb' \
  >"$work/log" 2>&1 || { tail -n 30 "$work/log"; fail "apt-get install"; }
inside bash /mnt/try.sh "" || fail "the installed package"
inside sh -c 'cd /mnt && agon --version && apt-get install -y --no-install-recommends ./agon-dev_*.deb' \
  >"$work/log" 2>&1 || { tail -n 30 "$work/log"; fail "apt-get install agon-dev"; }
inside sh -c 'apt-get install -y --no-install-recommends python3 && cd /mnt && agon play bargaining --out m.agon &&
  python3 -c "import agon; print(len(agon.read(\"m.agon\").seats))" &&
  agon check-agent python3 agents/external/samples/bot.py' >"$work/log" 2>&1 ||
  { tail -n 30 "$work/log"; fail "import agon"; }
inside sh -c 'apt-get remove -y agon-dev agon && ! test -e /usr/lib/agon' >"$work/log" 2>&1 ||
  { tail -n 30 "$work/log"; fail "apt-get remove"; }
echo "a fresh $name $release installs, plays and removes it"
