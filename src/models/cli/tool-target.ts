// What a tool was used on, as it may be shown: paths relative to the folder, nothing that says where the folder is.
import { lstatSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';

export const outside = '(outside the folder)';

export interface Naming {
  /** A path inside the folder, relative; of any other only that it is one. */
  path(path: string): string;
  /** Whether it lies in the folder once every link is followed. */
  holds(path: string): boolean;
  /** The first line of a command, its absolute paths named like paths. */
  command(command: string): string;
}

const longest = 160;

export function namingIn(folder: string): Naming {
  const folders = [...new Set([resolve(folder), realPath(folder)])];
  const name = (path: string): string => {
    const whole = isAbsolute(path) ? path : resolve(folder, path);
    for (const from of folders) {
      const inside = relative(from, whole);
      if (inside === '') return '.';
      if (inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside))
        return inside
          .split(sep)
          .join('/')
          .slice(0, longest * 4);
    }
    return outside;
  };
  return {
    path: name,
    holds: (path) => liesInside(folder, path),
    command: (command) => {
      const line = withoutShell(command).trim().split('\n')[0] ?? '';
      const named = line.replace(absolutePath, (_, before: string, path: string) => before + name(path));
      return shown(named, longest);
    },
  };
}

/** Whether a path lies in the folder once every link on the way is followed; what does not exist yet lies where its folder does. */
export function liesInside(folder: string, path: string): boolean {
  const root = realPath(folder);
  let place = isAbsolute(path) ? path : resolve(folder, path);
  for (;;) {
    try {
      const real = realpathSync(place);
      return real === root || real.startsWith(root + sep);
    } catch {
      // A link that leads nowhere yet leads somewhere once it is written through.
      if (isLink(place) || dirname(place) === place) return false;
      place = dirname(place);
    }
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** A model chose these words, and a terminal may be where they end up. */
export function shown(text: string, most: number): string {
  return [...text.replace(/[\p{Cc}\p{Cf}]/gu, '?')].slice(0, most).join('');
}

const absolutePath = /(^|[\s"'`=:(<>|;&,])((?:~|\/|[A-Za-z]:\\)[^\s"'`()<>|;&,]*)/g;

/** Some say how they start the command; what they start is meant. */
function withoutShell(command: string): string {
  const started = /^\S*\/(?:ba|z|da)?sh -l?c (['"]?)([\s\S]*)\1$/.exec(command);
  return started?.[2] ?? command;
}

function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return resolve(folder);
  }
}
