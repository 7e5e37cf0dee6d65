#!/usr/bin/env bash
# manual.sh SOURCE BUILD: the manual page has every command and every option that --help has, and
# formatters find nothing wrong with it.
set -euo pipefail
build=$2
page=$build/share/man/man1/agon.1
agon=$build/bin/agon
unset AGON_PLUGIN_PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$agon" help --man | cmp - "$page" || { echo "FAILED: the page is not of this agon" >&2; exit 1; }
sed 's/\\f[BIR]//g; s/\\//g' "$page" >"$work/plain"
commands=$("$agon" --help | sed -n '/^Usage/,/^Exit codes/s/^  \([a-z][a-z-]*\)  .*/\1/p' | grep -v '^agon$')
[[ $(wc -w <<<"$commands") -ge 17 ]] || { echo "FAILED: commands not found: $commands" >&2; exit 1; }
for command in $commands; do
  grep -q "^\.SS agon $command" "$work/plain" || { echo "FAILED: no 'agon $command'" >&2; exit 1; }
  for option in $("$agon" "$command" --help | grep -oE -- '^ +--[a-z-]+' | tr -d ' '); do
    grep -qE -- "^ *$option\\b" "$work/plain" ||
      { echo "FAILED: no $option of $command" >&2; exit 1; }
  done
done

checked=no
if command -v mandoc >/dev/null; then
  # What roff alone knows: that no date is told, as the page is made anew with each build.
  mandoc -T lint -W warning "$page" | grep -v 'missing date' >"$work/mandoc" || true
  [[ ! -s $work/mandoc ]] || { cat "$work/mandoc"; echo "FAILED: mandoc" >&2; exit 1; }
  checked=yes
fi
if command -v groff >/dev/null; then
  groff -man -Tutf8 -ww -z "$page" 2>"$work/groff"
  [[ ! -s $work/groff ]] || { cat "$work/groff"; echo "FAILED: groff" >&2; exit 1; }
  checked=yes
fi
[[ $checked == yes ]] || { echo "skipped: there is no mandoc and no groff here"; exit 4; }
