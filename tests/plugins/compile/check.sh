#!/bin/sh
# check.sh FILE COMPILER [FLAGS...]: a file whose first line is "// error: TEXT" must not compile,
# and the compiler must say TEXT; any other file must compile.
set -eu
file=$1
shift
wanted=$(sed -n '1s|^// error: ||p' "$file")
if output=$("$@" -std=c++20 -fsyntax-only "$file" 2>&1); then
  [ -z "$wanted" ] && exit 0
  echo "$file compiles, but must not"
  exit 1
fi
if [ -n "$wanted" ] && printf '%s' "$output" | grep -qF "$wanted"; then
  exit 0
fi
printf '%s\n' "$output"
echo "expected: ${wanted:-no error}"
exit 1
