#!/usr/bin/env bash
# Installs what Agon is built and tested with, on the releases of docs/dependencies.md: nothing
# where all is there already.
set -euo pipefail

# Debian 12 has two: the 1.74 that it calls libboost-dev is too old.
codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
case $codename in
  bookworm) boost=1.81 llvm=-14 ;;
  jammy)
    echo "tests/install-dependencies.sh: error: Ubuntu 22.04 is too old: it has Boost 1.74, CMake" \
      "3.22, fmt 8 and curl 7.81; Agon requires Boost 1.81, CMake 3.25, fmt 9 and curl 7.85" >&2
    echo "hint: use Ubuntu 24.04, the image (core/packaging/Containerfile), or newer packages from" \
      "elsewhere (conda, for example): docs/dependencies.md#ubuntu-2204" >&2
    exit 1 ;;
  *) boost= llvm= ;;
esac
packages=(g++ make cmake ninja-build ccache "libboost$boost-dev" "libboost-context$boost-dev"
  "libboost-json$boost-dev" "libboost-program-options$boost-dev" libfmt-dev libsqlite3-dev
  libseccomp-dev libcurl4-openssl-dev libqrcodegencpp-dev libmd4c-dev libzstd-dev catch2 python3 python3-numpy
  python3-venv patchelf libdeflate-tools lrslib python3-jsonschema mkdocs)
[[ "${1:-}" != --all ]] || packages+=(clang "libclang-rt$llvm-dev" clang-format clang-tidy git)
if [[ "${1:-}" == --browser ]]; then
  packages=()
  # From wherever they are: another nodejs than Debian's brings an npm of its own.
  for command in chromium:chromium node:nodejs npm:npm; do
    command -v "${command%:*}" >/dev/null || packages+=("${command#*:}")
  done
fi
[[ "${1:-}" != --cluster ]] || packages=(munge slurmctld slurmd slurm-client curl snakemake parallel)

missing=()
for package in "${packages[@]}"; do
  dpkg-query --show --showformat='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
    missing+=("$package")
done
[[ ${#missing[@]} -gt 0 ]] || exit 0

sudo=()
if [[ $(id -u) -ne 0 ]]; then
  command -v sudo >/dev/null || {
    echo "These packages are missing, and only root can install them: ${missing[*]}" >&2
    exit 1
  }
  sudo=(sudo)
fi
echo "Installing ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive
"${sudo[@]}" apt-get update -qq
"${sudo[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
