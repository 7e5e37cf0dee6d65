#!/usr/bin/env bash
# How large each folder is, in files and lines of C++ (docs: in kB), against tests/sizes.txt.
#   sizes.sh SOURCE
# A folder that grows beyond its line there fails. Make something smaller, or raise the numbers and
# say why in the same line.
set -euo pipefail
cd "$1"
failed=0
printf '%-32s %6s %8s\n' folder files lines
total_files=0 total_lines=0
while read -r folder files lines reason; do
  [[ -n $folder && $folder != '#'* ]] || continue
  if [[ $folder == docs ]]; then
    found=$(find docs -type f | wc -l)
    size=$(($(find docs -type f -exec cat {} + | wc -c) / 1000))
  else
    # What has a line of its own is not counted with what it lies in.
    own=()
    while read -r inner _; do
      [[ $inner == "$folder"/* ]] && own+=(-not -path "./$inner/*")
    done < tests/sizes.txt
    found=$(find "./$folder" \( -name '*.cpp' -o -name '*.hpp' \) "${own[@]}" | wc -l)
    size=$(find "./$folder" \( -name '*.cpp' -o -name '*.hpp' \) "${own[@]}" -exec cat {} + | wc -l)
    [[ $folder == tests ]] || total_files=$((total_files + found)) total_lines=$((total_lines + size))
  fi
  printf '%-32s %6d %8d\n' "$folder" "$found" "$size"
  if ((found > files || size > lines)); then
    echo "FAILED: $folder may have $files files and $lines lines (tests/sizes.txt)" >&2
    failed=1
  fi
done < tests/sizes.txt
printf '%-32s %6d %8d\n' 'all but tests and docs' "$total_files" "$total_lines"
# Nothing is left out.
counted=$(find ./core ./games ./agents ./plugins \( -name '*.cpp' -o -name '*.hpp' \) | wc -l)
if ((counted != total_files)); then
  echo "FAILED: $((counted - total_files)) files are in no folder of tests/sizes.txt" >&2
  failed=1
fi
exit "$failed"
