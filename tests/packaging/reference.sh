#!/usr/bin/env bash
# reference.sh SOURCE BUILD: every public name has documentation, and every reference in it leads
# somewhere: Doxygen says so of the headers, and of a copy with two mistakes it does not.
set -euo pipefail
source=$1
build=$2
command -v doxygen >/dev/null || { echo "skipped: there is no doxygen here"; exit 4; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

make() {  # make NAME HEADERS: the reference as the build makes it, with a list of warnings
  mkdir "$work/$1"
  { cat "$build/reference/Doxyfile"
    echo "INPUT = $2 $source/docs/reference.md"
    echo "STRIP_FROM_PATH = $2"
    echo "OUTPUT_DIRECTORY = $work/$1"
    echo "WARN_LOGFILE = $work/$1/warnings.txt"; } | doxygen - >/dev/null
}

make real "$source/core/include/agon"
if [[ -s "$work/real/warnings.txt" ]]; then
  cat "$work/real/warnings.txt"
  echo "FAILED: see above; say in the header what it means" >&2
  exit 1
fi
for page in index group__agon group__model group__analysis structagon_1_1GameCard; do
  [[ -s "$work/real/html/$page.html" ]] || { echo "FAILED: no page $page" >&2; exit 1; }
done
if ls "$work/real/html" | grep -i detail; then
  echo "FAILED: these pages are of what is not for use" >&2
  exit 1
fi

cp -r "$source/core/include/agon" "$work/agon"
sed -i 's|^}  // namespace agon$|int nobody_says_what();\n/// See \\ref nowhere.\nint astray();\n&|' \
  "$work/agon/nearest.hpp"
make planted "$work/agon"
for mistake in nobody_says_what nowhere; do
  grep -q "$mistake" "$work/planted/warnings.txt" ||
    { echo "FAILED: '$mistake' is not found" >&2; exit 1; }
done
