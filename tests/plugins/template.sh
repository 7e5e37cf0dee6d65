#!/bin/sh
# template.sh BUILD SOURCE CMAKE: installs the build, moves the installed tree elsewhere, builds the
# plugin template against it with every compiler at hand, and runs the template's own test.
set -eu
build=$1
source=$2
cmake=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

"$cmake" --install "$build" --prefix "$work/first" > "$work/install.log" 2>&1 ||
  { cat "$work/install.log"; fail "cmake --install"; }
mv "$work/first" "$work/agon"
unset LD_LIBRARY_PATH AGON_PLUGIN_PATH CXX CXXFLAGS || true

# What is installed finds its own library and plugins where it stands now.
agon="$work/agon/bin/agon"
"$agon" --version > /dev/null || fail "the installed command does not start"
"$agon" list > "$work/list.txt" || fail "the installed command does not find its plugins"
for game in bargaining deal-or-no-deal english-auction water-allocation; do
  grep -q "$game" "$work/list.txt" || fail "the installed command lists no $game"
done

# What a match said is told in words without the plugin that made it.
"$agon" play bargaining --agent random --seed 1 --out "$work/played.agon" > /dev/null ||
  fail "the installed command does not play"
mv "$work/agon/lib/agon/plugins/bargaining.so" "$work"
"$agon" show "$work/played.agon" 1 > "$work/shown.txt" 2>&1 || true
mv "$work/bargaining.so" "$work/agon/lib/agon/plugins"
grep -q "seller sell: talk .*, action (sell price " "$work/shown.txt" ||
  { cat "$work/shown.txt"; fail "a match is not told in words without its plugin"; }

# The package is of this minor version only.
mkdir "$work/other"
cat > "$work/other/CMakeLists.txt" << 'EOF'
cmake_minimum_required(VERSION 3.25)
project(other LANGUAGES CXX)
find_package(Agon 99.0 CONFIG REQUIRED)
EOF
if "$cmake" -G Ninja -S "$work/other" -B "$work/other/build" -DCMAKE_PREFIX_PATH="$work/agon" \
  > "$work/other.log" 2>&1; then
  fail "find_package(Agon 99.0) takes this version"
fi
grep -q "99.0" "$work/other.log" || { cat "$work/other.log"; fail "refused for another reason"; }

built=0
for compiler in g++ clang++; do
  command -v "$compiler" > /dev/null || { echo "there is no $compiler here to try"; continue; }
  out="$work/$compiler"
  cp -r "$work/agon/share/agon/templates/game-cpp" "$work/source-$compiler"
  { "$cmake" -G Ninja -S "$work/source-$compiler" -B "$out" -DCMAKE_CXX_COMPILER="$compiler" \
    -DCMAKE_PREFIX_PATH="$work/agon" && "$cmake" --build "$out"; } > "$work/build.log" 2>&1 ||
    { cat "$work/build.log"; fail "the template does not build with $compiler"; }

  symbols=$(nm -D --defined-only "$out/ultimatum_game.so" | wc -l)
  [ "$symbols" -eq 2 ] || fail "built with $compiler it exports $symbols symbols, not 2"

  "$work/source-$compiler/test.sh" "$agon" "$out/ultimatum_game.so" > "$work/test.log" 2>&1 ||
    { cat "$work/test.log"; fail "the template's test with $compiler"; }

  # A person at a pipe: the proposer, a random agent across the table.
  printf '4\n' | "$agon" play ultimatum --plugin "$out/ultimatum_game.so" --seat 0=human \
    --seat 1=random --seed 1 > "$work/human.log" 2>&1 ||
    { cat "$work/human.log"; fail "a person cannot play the template built with $compiler"; }
  built=$((built + 1))
done
[ "$built" -gt 0 ] || fail "there is no compiler to try"

# A plugin that uses game theory is linked with its library, and others are not.
mkdir "$work/theory"
cat > "$work/theory/CMakeLists.txt" << 'EOF'
cmake_minimum_required(VERSION 3.25)
project(theory LANGUAGES CXX)
find_package(Agon CONFIG REQUIRED)
agon_add_plugin(theory theory.cpp)
EOF
cat > "$work/theory/theory.cpp" << 'EOF'
#include <agon/analysis/game_theory.hpp>
std::size_t equilibria(const agon::theory::MatrixGame& game) {
  return agon::theory::pure_equilibria(game).size();
}
EOF
{ "$cmake" -G Ninja -S "$work/theory" -B "$work/theory/build" -DCMAKE_PREFIX_PATH="$work/agon" &&
  "$cmake" --build "$work/theory/build"; } > "$work/theory.log" 2>&1 ||
  { cat "$work/theory.log"; fail "a plugin with game theory does not build"; }
readelf -d "$work/theory/build/theory.so" | grep -q 'NEEDED.*libagon_analysis' ||
  fail "a plugin with game theory is not linked with it"
! readelf -d "$out/ultimatum_game.so" | grep -q 'NEEDED.*libagon_analysis' ||
  fail "the template is linked with game theory"

# `agon new` prints what builds and plays a game against this very installation.
"$agon" new game mine --language cpp --directory "$work" > "$work/mine.sh" 2> "$work/mine.log" &&
  grep -qF -- "-DCMAKE_PREFIX_PATH=$work/agon" "$work/mine.sh" &&
  sh -e "$work/mine.sh" >> "$work/mine.log" 2>&1 ||
  { cat "$work/mine.sh" "$work/mine.log"; fail "a game that the installed command makes"; }

# The build tree is a package too, and may be a part of another project.
{ "$cmake" -G Ninja -S "$source/plugins/templates/game-cpp" -B "$work/near" -DAgon_DIR="$build/cmake" &&
  "$cmake" --build "$work/near" && (cd "$work/near" && ctest --no-tests=error); } \
  > "$work/near.log" 2>&1 || { cat "$work/near.log"; fail "the template against the build tree"; }
mkdir "$work/parent"
cat > "$work/parent/CMakeLists.txt" << EOF
cmake_minimum_required(VERSION 3.25)
project(parent LANGUAGES CXX)
add_subdirectory($source agon)
agon_add_plugin(ultimatum_game $source/plugins/templates/game-cpp/ultimatum_game.cpp)
add_custom_target(exports
  COMMAND echo \$<TARGET_PROPERTY:ultimatum_game,LINK_DEPENDS> > exports.txt VERBATIM)
EOF
{ "$cmake" -G Ninja -S "$work/parent" -B "$work/parent/build" &&
  "$cmake" --build "$work/parent/build" --target exports; } > "$work/parent.log" 2>&1 ||
  { cat "$work/parent.log"; fail "a project that takes Agon in as a part"; }
[ -f "$(cat "$work/parent/build/exports.txt")" ] ||
  fail "agon_add_plugin does not find its list of exports from another project"

lines=$(wc -l < "$source/plugins/templates/game-cpp/ultimatum_game.cpp")
[ "$lines" -le 30 ] || fail "the template has $lines lines; a game fits in 30"
