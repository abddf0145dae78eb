// Which of the user's settings may reach git? Only values that say how files and names are read; nothing that names a program,
// whatever file or variable it stands in. What is carried is written anew, so that no later change to the config counts.
import { type GitPlace, readGit } from '../process/run-git.js';

export interface CarriedSettings {
  /** In the words of a git config file. */
  readonly text: string;
  /** Names of filters that git would run on files of the working tree, and Galley does not. */
  readonly filters: ReadonlySet<string>;
}

const files =
  'filemode|ignorecase|precomposeunicode|symlinks|trustctime|checkstat|autocrlf|eol|excludesfile|sparsecheckout|sparsecheckoutcone|longpaths|protectntfs|protecthfs';
const carried = new RegExp(
  `^(?:core\\.(?:${files})|index\\.sparse|sparse\\.expectfilesoutsideofpatterns|push\\.default|remote\\.pushdefault` +
    '|branch\\..+\\.(?:remote|merge|pushremote)|remote\\..+\\.(?:fetch|push))$',
  's',
);
const filter = /^filter\.(.+)\.(?:clean|process)$/s;

export async function readCarriedSettings(place: GitPlace): Promise<CarriedSettings> {
  const { output } = await readGit(place, ['config', '--list', '-z']);
  const sections: string[] = [];
  const filters = new Set<string>();
  // Names need not be text; latin1 keeps every byte.
  for (const record of output.toString('latin1').split('\0')) {
    const [key = ''] = record.split('\n', 1);
    const driver = filter.exec(key)?.[1];
    if (driver !== undefined) filters.add(driver);
    // A key without a value is a switch that is on.
    const value = record.length > key.length ? record.slice(key.length + 1) : 'true';
    if (carried.test(key)) sections.push(section(key, value));
    if (key === 'extensions.refstorage' && value === 'reftable') sections.push(section(key, value));
  }
  return { text: sections.join(''), filters };
}

function section(key: string, value: string): string {
  const first = key.indexOf('.');
  const last = key.lastIndexOf('.');
  const sub = first === last ? '' : ` "${quoted(key.slice(first + 1, last))}"`;
  return `[${key.slice(0, first)}${sub}]\n\t${key.slice(last + 1)} = "${quoted(value).replaceAll('\n', '\\n')}"\n`;
}

function quoted(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}
