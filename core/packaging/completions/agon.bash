# Completion of agon's command line in bash. What fits is asked of `agon complete`, so that it is
# what this agon and its plugins take.
_agon() {
  local line=${COMP_LINE:0:COMP_POINT} words word before candidate
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  word=${words[-1]}
  # bash takes = and : for ends of words: what stands before them is not to be repeated.
  before=${word%"${word##*[=:]}"}
  COMPREPLY=()
  while IFS=$'\t' read -r candidate _; do
    case $candidate in
      ":files ."*)
        compopt -o filenames 2>/dev/null
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(
          compgen -f -X "!*${candidate#:files }" -- "${word#"$before"}"
          compgen -d -- "${word#"$before"}")
        ;;
      :files | :folders)
        compopt -o filenames 2>/dev/null
        [[ $candidate == :files ]] && local kind=-f || local kind=-d
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen "$kind" -- "${word#"$before"}")
        ;;
      *) COMPREPLY+=("${candidate#"$before"}") ;;
    esac
  done < <("${words[0]/#~/$HOME}" complete "${words[@]:1}" 2>/dev/null)
  # A setting's value comes right behind its name, as a model's behind its provider.
  [[ ${#COMPREPLY[@]} -gt 0 && ${COMPREPLY[0]} == *[=/] ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -F _agon agon
