#!/bin/sh
# exports.sh SOURCE LIBRARY...: the libraries export what AGON_API names in a header, and nothing
# else. Says how many names each exports.
set -eu
source=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The names that AGON_API marks: of a class, or of a function, which may stand in the next line.
find "$source/core" -name '*.hpp' -exec cat {} + | awk '
  /#define/ { next }
  marked { sub(/^ */, "AGON_API "); marked = 0 }
  /AGON_API/ {
    line = substr($0, index($0, "AGON_API") + 9)
    if ($0 ~ /(class|struct) AGON_API/) { split(line, words, /[^A-Za-z0-9_]/); print "class " words[1]; next }
    if (line !~ /[(;]/) { marked = 1; next }
    sub(/[(;].*/, "", line); sub(/ *=.*/, "", line)
    n = split(line, words, /[^A-Za-z0-9_]+/); print "function " words[n]
  }' | sort -u > "$work/named"

status=0
for library; do
  nm -DC --defined-only "$library" | sed 's/^[0-9a-f]* [A-Za-z] //' > "$work/exported"
  # Without what the compiler puts before a name and what a function takes.
  sed -E 's/^(typeinfo name|typeinfo|vtable|VTT) for (.*)$/\2::/; s/\[abi:[a-z0-9]+\]//g; s/\(.*//; s/<.*//' \
    "$work/exported" | awk -v named="$work/named" '
      BEGIN { while ((getline name < named) > 0) known[name] = 1 }
      # These are there to be met before those of the C library.
      /^(exit|quick_exit|_exit|_Exit)$/ { next }
      { n = split($0, parts, "::"); sub(/^~/, "", parts[n]); found = ("function " parts[n]) in known
        for (i = 2; i <= n; ++i) if (("class " parts[i]) in known) found = 1
        if (!found || parts[1] != "agon") { print "exported without AGON_API: " $0; bad = 1 } }
      END { exit bad }' || status=1
  echo "$(basename "$library"): $(wc -l < "$work/exported") exported names"
done
exit $status
