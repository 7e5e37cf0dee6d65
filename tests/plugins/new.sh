#!/bin/sh
# new.sh BUILD: games and agents that `agon new` makes are built, tried, checked and played by the
# commands that it prints, as a person would paste them, in a folder whose name has a space.
set -eu
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset LD_LIBRARY_PATH AGON_PLUGIN_PATH CXX CXXFLAGS CMAKE_PREFIX_PATH Agon_DIR || true
export XDG_STATE_HOME="$work/state"

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

mkdir "$work/my work"
cd "$work"
# made NAME PATTERN OPTION...: makes it and runs what was printed, where a line fits the pattern.
made() {
  name=$1
  pattern=$2
  shift 2
  "$build/bin/agon" new "$@" --directory "my work" > "$name.sh" 2> "$name.err" ||
    { cat "$name.err"; fail "agon new $*"; }
  grep -q "$pattern" "$name.sh" || { cat "$name.sh"; fail "agon new $* prints no '$pattern'"; }
  sh -e "$name.sh" > "$name.log" 2>&1 ||
    { cat "$name.sh" "$name.log"; fail "what agon new $* printed"; }
}

made my-coins '^agon check build/my_coins_game.so$' game my-coins --language cpp
made my-pie '^agon check ./my_pie_game.py$' game my-pie --language python
made bold '^ctest' agent bold --language cpp
made shy '^ctest' agent shy --language cpp --game deal-or-no-deal
made any '^agon check-agent' agent any --language python
# For a game of somebody's own, which its commands and its test have to find.
pie="my work/my-pie/my_pie_game.py"
made own '^agon play .*/my_pie_game.py' agent own --game "./$pie"
made swift '^ctest' agent swift --language cpp --game my-pie --plugin "$pie"
! grep -q AGON_PLUGIN_PATH own.sh swift.sh || fail "agon new agent needs AGON_PLUGIN_PATH"

# The game's own test is of no words of the template, and says what failed.
edited="my work/my-pie/my_pie_game.py"
tested() {
  "my work/my-pie/test.sh" "$build/bin/agon" > edited.log 2>&1
}
sed -i 's/coins you hand over/what is given/' "$edited"
tested || { cat edited.log; fail "a game with other words fails its test"; }
sed -i 's/agon.game("my-pie"/agon.game("cake"/' "$edited"
! tested || fail "a game of another name passes its test"
grep -q '^FAILED: the file has no game my-pie$' edited.log ||
  { cat edited.log; fail "the test of a game does not say what failed"; }

# Who finds `agon` by its name is told nothing of PATH.
PATH="$build/bin:$PATH" "$build/bin/agon" new game mine --directory "my work" 2> /dev/null | head -n 1 |
  grep -qx "cd 'my work/mine'" || fail "PATH is set for who needs it not"

# An Agon without what plugins are built with, and without its templates.
mkdir -p bare/bin
cp "$build/bin/agon" bare/bin
refused() {
  says=$1
  shift
  ! bare/bin/agon new game other "$@" --directory "my work" > other.log 2>&1 || fail "made in spite of: $says"
  grep -q "$says" other.log || { cat other.log; fail "it does not say: $says"; }
  [ ! -e "my work/other" ] || fail "something was left behind"
}
refused 'install the package agon-dev' --language cpp
refused 'reinstall Agon' --language python
