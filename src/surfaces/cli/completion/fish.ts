import { type Flag, listRevisions, type Spot } from './spots.js';

export function fishCompletion(spots: readonly Spot[]): string {
  const lines = spots.flatMap((spot) => [
    ...spot.commands.map(({ name, about }) => `${at(spot)} -f -a ${quoted(name)}${described(about)}`),
    ...spot.places.flatMap((values, place) =>
      values.length === 0 ? [] : [`${at(spot, place)} -f -a ${quoted(values.join(' '))}`],
    ),
    ...spot.flags.map((flag) => `${at(spot)} ${flagWords(flag)}`),
  ]);
  return `# Completions of galley for fish: galley completion fish > ~/.config/fish/completions/galley.fish
function __galley_revisions
    ${listRevisions}
end

function __galley_takes
    switch "$argv"
        case ${takes(spots).map(quoted).join(' ')}
            return 0
    end
    return 1
end

function __galley_leads
    switch "$argv"
        case ${spots
          .slice(1)
          .map(({ path }) => quoted(path))
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
  return `complete -c galley -n ${quoted(condition)}`;
}

function flagWords({ long, short, about, takesValue, values, revision }: Flag): string {
  const names = `-l ${long.slice(2)}${short === undefined ? '' : ` -s ${short.slice(1)}`}`;
  const offered = revision ? ['(__galley_revisions)'] : values;
  const value = offered.length > 0 ? ` -x -a ${quoted(offered.join(' '))}` : takesValue ? ' -r' : '';
  return `${names}${value}${described(about)}`;
}

function described(about: string): string {
  return about === '' ? '' : ` -d ${quoted(about)}`;
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

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
