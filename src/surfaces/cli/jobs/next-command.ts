// The command that goes on with a job, with the project and the store it was asked of: it works as it is printed.
import { quoted } from '../completion/shells.js';

interface Asked {
  readonly project?: string;
  readonly store?: string;
}

export function nextCommand(words: string, { project, store }: Asked): string {
  const flags = [...given('--project', project), ...given('--store', store && withoutSecret(store))];
  return ['galley jobs', words, ...flags].join(' ');
}

const given = (flag: string, value: string | undefined) =>
  value === undefined ? [] : [flag, /^[\w@%+=:,./-]+$/.test(value) ? value : quoted(value)];

/** Terminals are logged and shared: whoever wrote the password knows what to put in its place. */
const withoutSecret = (store: string) => store.replace(/^(\w+:\/\/[^/?#]*:)[^/?#]*@/, '$1…@');
