import type { Spot } from './spots.js';
import { wordTable } from './word-table.js';

/** Works with bash 3.2 too, and with ids that hold a colon, at which readline would break the word. */
export function bashCompletion(spots: readonly Spot[]): string {
  return `# Completions of galley for bash: source <(galley completion bash)
${wordTable(spots)}

_galley() {
  local line="\${COMP_LINE:0:COMP_POINT}" cur='' ref word spot=galley pending='' list='' prefix
  local -i place=0 i
  local -a typed
  read -ra typed <<< "$line"
  if [[ $line != *' ' ]]; then
    cur="\${typed[\${#typed[@]}-1]}"
    typed=("\${typed[@]:0:\${#typed[@]}-1}")
  fi
  for ((i = 1; i < \${#typed[@]}; i++)); do
    word="\${typed[i]}"
    if [[ -n $pending ]]; then pending=''
    elif [[ $word == -* ]]; then
      if [[ " $(_galley_words "$spot takes") " == *" $word "* ]]; then pending="$word"; fi
    elif [[ " $(_galley_words "$spot commands") " == *" $word "* ]]; then spot="$spot $word"; place=0
    else place+=1
    fi
  done
  if [[ -z $pending && $cur == --*=* ]]; then pending="\${cur%%=*}"; cur="\${cur#*=}"; fi
  COMPREPLY=()
  if [[ -n $pending && " $(_galley_words "$spot revisions") " == *" $pending "* ]]; then
    compopt +o default 2>/dev/null
    # Names of branches may hold what a shell would run: they are compared as they are and offered quoted.
    while IFS= read -r ref; do
      if [[ $ref == "$cur"* ]]; then COMPREPLY+=("$(printf '%q' "$ref")"); fi
    done < <(_galley_revisions)
    return 0
  fi
  if [[ -n $pending ]]; then list="$(_galley_words "$spot $pending")"
  elif [[ $cur == -* ]]; then list="$(_galley_words "$spot flags")"
  else list="$(_galley_words "$spot commands") $(_galley_words "$spot $place")"
  fi
  COMPREPLY=($(compgen -W "$list" -- "$cur"))
  if [[ $cur == *:* && $COMP_WORDBREAKS == *:* ]]; then
    prefix="\${cur%"\${cur##*:}"}"
    for ((i = 0; i < \${#COMPREPLY[@]}; i++)); do COMPREPLY[i]="\${COMPREPLY[i]#"$prefix"}"; done
  fi
}

complete -o default -F _galley galley
`;
}
