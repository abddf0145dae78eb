// Where does git run unseen by the user's settings? In an empty git directory of our own that borrows the repository's objects:
// no config, attributes, hooks, filters, remotes or replacements reach it, and what we write never lands in the repository.
// Names, index and working tree are read at home: the real git directory, but with a common directory of our own, which is where
// git looks for config, hooks and attributes. So no program that somebody named there can ever be started.
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTempFolder, removeTempFolder } from '../../temp/temp-folder.js';
import { sealedEnvironment } from '../process/environment.js';
import { type GitPlace, readGit } from '../process/run-git.js';

export interface CleanRoom extends GitPlace {
  readonly objects: string;
}

interface CleanRoomNeeds {
  /** The one that linked work trees share. */
  readonly commonDirectory: string;
  readonly objectFormat: string;
}

interface HomeNeeds extends CleanRoomNeeds {
  readonly gitDirectory: string;
  readonly topLevel: string | undefined;
  /** Settings of the user's, in the words of a git config file. */
  readonly carried: string;
}

const config = (objectFormat: string) =>
  `[core]
	repositoryFormatVersion = 1
	bare = true
	attributesFile = /dev/null
	quotePath = true
	bigFileThreshold = 512m
	looseCompression = 0
	deltaBaseCacheLimit = 32m
[gc]
	auto = 0
[maintenance]
	auto = false
${objectFormat === 'sha1' ? '' : `[extensions]\n\tobjectFormat = ${objectFormat}\n`}`;

/** The caches and hooks that an index may ask for, and what git would say about odd files. */
const atHome = `[core]
	fsmonitor = false
	untrackedCache = false
	splitIndex = false
	hooksPath = /dev/null
	safecrlf = false
[advice]
	addEmbeddedRepo = false
[submodule]
	recurse = false
`;

export async function openCleanRoom(needs: CleanRoomNeeds): Promise<CleanRoom> {
  const folder = makeTempFolder('git');
  const objects = join(folder, 'objects');
  await mkdir(join(objects, 'info'), { recursive: true });
  await mkdir(join(folder, 'refs'));
  await writeFile(join(folder, 'HEAD'), 'ref: refs/heads/none\n');
  await writeFile(join(folder, 'config'), config(needs.objectFormat));
  const alternate = quoteLine(join(needs.commonDirectory, 'objects'));
  await writeFile(join(objects, 'info', 'alternates'), `${alternate}\n`);
  await copyShallow(needs, folder);
  return { folder, objects, environment: sealedEnvironment(folder), settings: [] };
}

export async function openHome(room: CleanRoom, needs: HomeNeeds): Promise<GitPlace> {
  const common = join(room.folder, 'home');
  const exclude = join('info', 'exclude');
  await mkdir(join(common, 'info'), { recursive: true });
  await mkdir(join(common, 'refs'));
  const text = `${config(needs.objectFormat)}${needs.carried}${atHome}`;
  await writeFile(join(common, 'config'), text, 'latin1');
  await copyShallow(needs, common);
  await copyFile(join(needs.commonDirectory, exclude), join(common, exclude)).catch(() => {});
  const environment = sealedEnvironment(needs.gitDirectory, {
    GIT_COMMON_DIR: common,
    GIT_OBJECT_DIRECTORY: room.objects,
    ...(needs.topLevel === undefined ? {} : { GIT_WORK_TREE: needs.topLevel }),
  });
  return { folder: needs.topLevel ?? needs.gitDirectory, environment, settings: [] };
}

export async function closeCleanRoom(room: CleanRoom): Promise<void> {
  await removeTempFolder(room.folder);
}

async function copyShallow({ commonDirectory }: CleanRoomNeeds, folder: string): Promise<void> {
  await copyFile(join(commonDirectory, 'shallow'), join(folder, 'shallow')).catch(() => {});
}

function quoteLine(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
}

interface CarriedSettings {
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

/**
 * Which of the user's settings may reach git? Only values that say how files and names are read; nothing that names a program,
 * whatever file or variable it stands in. What is carried is written anew, so that no later change to the config counts.
 */
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
