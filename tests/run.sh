#!/usr/bin/env bash
# Builds Agon and passes all its tests, dependencies included, on Debian 12.
#
#   bash tests/run.sh              the tests, with g++, optimised
#   bash tests/run.sh --sanitize   then again under the address and undefined-behaviour sanitizers,
#                                  and the tests of runs, seams and processes under that of threads
#   bash tests/run.sh --lint       then the format, clang-tidy, and the signature under clang++
#   bash tests/run.sh --long       then the slow statistics (coverage of intervals on simulated truth,
#                                  revenue equivalence), ten thousand matches with faults, and runs
#                                  that are killed over and over
#   bash tests/run.sh --fuzz       then ten thousand spoilt archives through every command, and a
#                                  hundred thousand changed suites, games, records and imports,
#                                  under the sanitizers
#   bash tests/run.sh --package    then the Debian package, installed by apt in a fresh system of this
#                                  release, and the wheel in Debian 11 to 13: as root, and with a network
#   bash tests/run.sh --browser    then the pages in Debian's chromium; skipped without npm or a network
#   bash tests/run.sh --cluster    then shards under Slurm (three nodes on this machine), Snakemake and
#                                  GNU parallel, from Debian's packages, with jobs that are killed
#   bash tests/run.sh --all        all of these
set -euo pipefail
cd "$(dirname "$0")/.."

sanitize=no lint=no long=no fuzz=no package=no browser=no cluster=no
for option in "$@"; do
  case "$option" in
    --sanitize) sanitize=yes ;;
    --lint) lint=yes ;;
    --long) long=yes ;;
    --fuzz) fuzz=yes ;;
    --package) package=yes ;;
    --browser) browser=yes ;;
    --cluster) cluster=yes ;;
    --all) sanitize=yes lint=yes long=yes fuzz=yes package=yes browser=yes cluster=yes ;;
    *) echo "tests/run.sh: there is no option '$option'; see the head of the file" >&2; exit 2 ;;
  esac
done

if [[ $sanitize$lint$fuzz == nonono ]]; then
  bash tests/install-dependencies.sh
else
  bash tests/install-dependencies.sh --all
fi
mkdir -p build 2>/dev/null && [[ -w build ]] || {
  echo "tests/run.sh: nobody may write to '$PWD/build' here, where the build goes; copy the tree to" \
    "where you may, and run it there" >&2
  exit 1
}
export CTEST_OUTPUT_ON_FAILURE=1
jobs=$(nproc)

skipped=0
run_tests() {  # run_tests [ctest options]
  local log
  log=$(mktemp)
  ctest --parallel "$jobs" --no-tests=error "$@" | tee "$log"
  skipped=$((skipped + $(grep -c '[*]Skipped' "$log" || true)))
  rm "$log"
}

build() {  # build PRESET [cmake options]
  local preset=$1
  shift
  bash tests/build.sh "$preset" -DAGON_BUILD_TESTS=ON -DAGON_UNITY=ON "$@"
}

echo "== release, $(g++ --version | head -n 1)"
build release
run_tests --test-dir build

if [[ $sanitize == yes ]]; then
  echo "== address and undefined behaviour"
  build asan
  # g++ 12's leak checker misreads how glibc 2.36 lays out the thread storage of loaded libraries,
  # and sometimes crashes over it.
  export ASAN_OPTIONS=intercept_tls_get_addr=0
  run_tests --test-dir build-asan
  echo "== threads"
  build tsan
  run_tests --test-dir build-tsan \
    --tests-regex '^(seam|external|remote|llm|command|unit:.*(rchive|riter|hread|person))'
fi

if [[ $lint == yes ]]; then
  echo "== format"
  git ls-files '*.cpp' '*.hpp' | xargs clang-format --dry-run --Werror
  echo "== tidy"
  # A shallow analysis: the deep one takes three times as long, mostly inside the libraries.
  cmake --preset clang -B build-tidy -DAGON_BUILD_TESTS=OFF -DAGON_UNITY=OFF >/dev/null
  git ls-files 'core/*.cpp' 'games/*.cpp' 'agents/*.cpp' |
    xargs -P "$jobs" -n 1 clang-tidy -p build-tidy --quiet --warnings-as-errors='*' \
      --extra-arg=-Xclang --extra-arg=-analyzer-config --extra-arg=-Xclang --extra-arg=mode=shallow
  echo "== everything under clang++, file by file; its signature, and that of a debug build"
  build clang -DAGON_UNITY=OFF
  build debug -DAGON_BUILD_TESTS=OFF
  for folder in build build-clang build-debug; do
    for n in 1 8; do
      found=$("$folder"/bin/agon bench --signature --jobs "$n")
      [[ "$found" == "$(cat tests/command/signature.txt)" ]] || {
        echo "$folder with $n jobs has signature $found, tests/command/signature.txt another" >&2
        exit 1
      }
    done
  done
fi

if [[ $long == yes ]]; then
  echo "== coverage of intervals"
  build/bin/test_unit "[coverage]"
  echo "== revenue equivalence over 100 000 rounds"
  build/bin/test_rules "[long]"
  echo "== ten thousand matches against faults of every kind"
  build/bin/test_command "[long]"
  echo "== kill -9"
  python3 tests/bench/kills.py build/bin/agon 60 rules
  python3 tests/bench/kills.py build/bin/agon 100 models
fi
if [[ $fuzz == yes ]]; then
  echo "== spoilt archives: time and memory"
  build/bin/fuzz_archives --count 10000 --jobs "$jobs"
  echo "== spoilt archives, and changed documents, under the sanitizers"
  build asan
  # Without leaks: a child ends where it stands. A small quarantine, as there are many children.
  export ASAN_OPTIONS=intercept_tls_get_addr=0:detect_leaks=0:quarantine_size_mb=16
  build-asan/bin/fuzz_archives --count 10000 --jobs "$jobs"
  build-asan/bin/fuzz_documents --count 100000 --jobs "$jobs"
fi
if [[ $package == yes ]]; then
  for script in package wheel; do
    echo "== the $script in fresh systems"
    code=0
    bash "tests/packaging/$script.sh" . build --debian || code=$?
    [[ $code == 0 || $code == 4 ]] || exit "$code"
    skipped=$((skipped + code / 4))
  done
fi
if [[ $browser == yes ]]; then
  echo "== pages in a browser"
  # What cannot be installed is found missing, and said, by the tests.
  bash tests/install-dependencies.sh --browser || true
  code=0
  bash tests/browser/run.sh build || code=$?
  [[ $code == 0 || $code == 4 ]] || exit "$code"
  skipped=$((skipped + code / 4))
fi
if [[ $cluster == yes ]]; then
  echo "== job systems"
  # What cannot be installed is found missing, and said, by the tests.
  bash tests/install-dependencies.sh --cluster || true
  code=0
  python3 tests/cluster/check.py build/bin/agon || code=$?
  [[ $code == 0 || $code == 4 ]] || exit "$code"
  skipped=$((skipped + code / 4))
fi
if [[ $skipped == 0 ]]; then
  echo "all passed"
else
  echo "all passed but $skipped that were skipped, for what they need is not here"
fi
