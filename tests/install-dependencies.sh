#!/usr/bin/env bash
# Installs what Agon is built and tested with, on Debian 12: nothing where all is there already.
# docs/dependencies.md says what each is for.
set -euo pipefail

packages=(g++ cmake ninja-build ccache libboost1.81-dev libboost-json1.81-dev
  libboost-program-options1.81-dev libfmt-dev libsqlite3-dev libseccomp-dev libcurl4-openssl-dev
  libqrcodegencpp-dev catch2 python3
  lrslib python3-jsonschema)
[[ "${1:-}" != --all ]] || packages+=(clang libclang-rt-14-dev clang-format clang-tidy git)
if [[ "${1:-}" == --browser ]]; then
  packages=()
  # From wherever they are: another nodejs than Debian's brings an npm of its own.
  for command in chromium:chromium node:nodejs npm:npm; do
    command -v "${command%:*}" >/dev/null || packages+=("${command#*:}")
  done
fi

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
