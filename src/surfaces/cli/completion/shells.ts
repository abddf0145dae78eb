// galley completion: the completions of one shell, made from the command tree. bash and zsh look words up in the same table;
// fish gets a line for each.
import type { Command } from 'commander';
import { type Flag, listRevisions, type Named, type Spot, spotsOf } from './spots.js';

const writers = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

export function completionText(
  program: Command,
  shell: keyof typeof writers,
  { json }: { readonly json?: boolean },
): string {
  const script = writers[shell](spotsOf(program));
  return json ? `${JSON.stringify({ shell, script })}\n` : script;
}

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

/** Keys: "<spot> commands", "<spot> flags", "<spot> takes", "<spot> revisions", "<spot> <flag>", "<spot> <number of the argument>". */
function wordTable(spots: readonly Spot[]): string {
  const rows = spots.flatMap(({ path, commands, flags, places }) => {
    const names = flags.flatMap(({ long, short }) => [long, ...(short === undefined ? [] : [short])]);
    const taking = flags.filter(({ takesValue }) => takesValue);
    return [
      [`${path} commands`, commands.map(({ name }) => name)],
      [`${path} flags`, names],
      [`${path} takes`, taking.flatMap(({ long, short }) => [long, ...(short === undefined ? [] : [short])])],
      [`${path} revisions`, flags.filter(({ revision }) => revision).map(({ long }) => long)],
      ...taking.map(({ long, values }) => [`${path} ${long}`, values]),
      ...places.map((values, index) => [`${path} ${index}`, values]),
    ] as [string, readonly string[]][];
  });
  const cases = rows
    .filter(([, words]) => words.length > 0)
    .map(([key, words]) => `    ${quoted(key)}) echo ${quoted(words.join(' '))};;`);
  const words = `_galley_words() {\n  case "$1" in\n${cases.join('\n')}\n  esac\n}`;
  return `${words}\n\n_galley_revisions() {\n  ${listRevisions}\n}`;
}

export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

export function fishCompletion(spots: readonly Spot[]): string {
  const lines = spots.flatMap((spot) => [
    ...spot.commands.map(({ name, about }) => `${at(spot)} -f -a ${fishQuoted(name)}${described(about)}`),
    ...spot.places.flatMap((values, place) =>
      values.length === 0 ? [] : [`${at(spot, place)} -f -a ${fishQuoted(values.join(' '))}`],
    ),
    ...spot.flags.map((flag) => `${at(spot)} ${flagWords(flag)}`),
  ]);
  return `# Completions of galley for fish: galley completion fish > ~/.config/fish/completions/galley.fish
function __galley_revisions
    ${listRevisions}
end

function __galley_takes
    switch "$argv"
        case ${takes(spots).map(fishQuoted).join(' ')}
            return 0
    end
    return 1
end

function __galley_leads
    switch "$argv"
        case ${spots
          .slice(1)
          .map(({ path }) => fishQuoted(path))
          .join(' ')}
            return 0
    end
    return 1
end

# Does one stand at this spot, and, if it is given, before this argument?
function __galley_at
    set -l spot galley
    set -l place 0
    set -l pending 0
    for word in (commandline -opc)[2..-1]
        if test $pending -eq 1
            set pending 0
        else if string match -q -- '-*' $word
            if __galley_takes "$spot $word"
                set pending 1
            end
        else if __galley_leads "$spot $word"
            set spot "$spot $word"
            set place 0
        else
            set place (math $place + 1)
        end
    end
    test "$spot" = "$argv[1]"; or return 1
    test (count $argv) -lt 2; or test $place -eq $argv[2]
end

${lines.join('\n')}
`;
}

function at({ path }: Spot, place?: number): string {
  const condition = `__galley_at "${path}"${place === undefined ? '' : ` ${place}`}`;
  return `complete -c galley -n ${fishQuoted(condition)}`;
}

function flagWords({ long, short, about, takesValue, values, revision }: Flag): string {
  const names = `-l ${long.slice(2)}${short === undefined ? '' : ` -s ${short.slice(1)}`}`;
  const offered = revision ? ['(__galley_revisions)'] : values;
  const value = offered.length > 0 ? ` -x -a ${fishQuoted(offered.join(' '))}` : takesValue ? ' -r' : '';
  return `${names}${value}${described(about)}`;
}

function described(about: string): string {
  return about === '' ? '' : ` -d ${fishQuoted(about)}`;
}

function takes(spots: readonly Spot[]): string[] {
  return spots.flatMap(({ path, flags }) =>
    flags
      .filter(({ takesValue }) => takesValue)
      .flatMap(({ long, short }) => [
        `${path} ${long}`,
        ...(short === undefined ? [] : [`${path} ${short}`]),
      ]),
  );
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
