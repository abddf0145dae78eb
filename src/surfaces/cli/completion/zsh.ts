import type { Named, Spot } from './spots.js';
import { quoted, wordTable } from './word-table.js';

export function zshCompletion(spots: readonly Spot[]): string {
  return `#compdef galley
# Completions of galley for zsh: galley completion zsh > "$fpath[1]/_galley"
${wordTable(spots)}

_galley_about() {
  case "$1" in
${spots.map(aboutCases).join('\n')}
  esac
}

_galley() {
  local word spot=galley pending='' cur="\${words[CURRENT]}"
  local -i place=0 i
  local -a list described
  for ((i = 2; i < CURRENT; i++)); do
    word="\${words[i]}"
    if [[ -n $pending ]]; then pending=''
    elif [[ $word == -* ]]; then
      if [[ " $(_galley_words "$spot takes") " == *" $word "* ]]; then pending="$word"; fi
    elif [[ " $(_galley_words "$spot commands") " == *" $word "* ]]; then spot="$spot $word"; place=0
    else place+=1
    fi
  done
  if [[ -n $pending && " $(_galley_words "$spot revisions") " == *" $pending "* ]]; then
    list=("\${(@f)$(_galley_revisions)}")
    if [[ -n $list[1] ]]; then compadd -- $list; fi
    return
  fi
  if [[ -n $pending ]]; then list=(\${=$(_galley_words "$spot $pending")})
  elif [[ $cur == -* ]]; then
    described=("\${(@f)$(_galley_about "$spot flags")}")
    _describe -o option described
    return
  else
    described=("\${(@f)$(_galley_about "$spot commands")}")
    if [[ -n $described[1] ]]; then _describe command described; fi
    list=(\${=$(_galley_words "$spot $place")})
  fi
  if (( \${#list} )); then compadd -- $list
  elif [[ -n $pending || -z $described[1] ]]; then _files
  fi
}

if [[ "$funcstack[1]" == _galley ]]; then _galley "$@"; else compdef _galley galley; fi
`;
}

function aboutCases({ path, commands, flags }: Spot): string {
  const rows: [string, readonly Named[]][] = [
    [`${path} commands`, commands],
    [`${path} flags`, flags.map(({ long, about }) => ({ name: long, about }))],
  ];
  return rows
    .filter(([, named]) => named.length > 0)
    .map(([key, named]) => {
      const lines = named.map(({ name, about }) => quoted(`${name.replaceAll(':', '\\:')}:${about}`));
      return `    ${quoted(key)}) print -rl -- ${lines.join(' ')};;`;
    })
    .join('\n');
}
