// Whose folder is this? A folder that a project has claimed is read for that project only; an unclaimed one for whoever works in it.
// A store remembers the claim, and so does the folder: without its store it is still the project's.
import { realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import { isGalleyError } from '../../core/model/error.js';
import { hashText } from '../../meters/content-hash.js';
import type { Store } from '../../store/store.js';
import type { Project } from '../../store/tables/projects.js';
import { readWithin } from './read-within.js';
import { changeFile } from './write-within.js';

const field = 'folderMark';

/** Names the folder without telling where it is. */
async function folderMark(folder: string): Promise<string> {
  return hashText(await realpath(folder).catch(() => folder)).slice(0, 16);
}

/** The mark of the folder that a project has claimed. */
function claimOf({ settings }: Pick<Project, 'settings'>): string | undefined {
  const mark = settings[field];
  return typeof mark === 'string' ? mark : undefined;
}

/** The folder if the project may read it. */
export async function projectFolder(
  store: Store,
  project: string,
  folder: string,
): Promise<string | undefined> {
  const mark = await folderMark(folder);
  const claimed = (await store.projects.list()).filter((project) => claimOf(project) === mark);
  return claimed.length === 0 || claimed.some(({ id }) => id === project) ? folder : undefined;
}

export async function ownsFolder(store: Store, project: string, folder: string): Promise<boolean> {
  return (await claimState(store, project, folder)) !== 'none';
}

/** `forgotten`: the folder names the project, and a store that knows nothing of it was opened. */
export async function claimState(
  store: Store,
  project: string,
  folder: string,
): Promise<'claimed' | 'forgotten' | 'none'> {
  const claim = claimOf(await store.projects.get(project));
  if (claim !== undefined) return claim === (await folderMark(folder)) ? 'claimed' : 'none';
  if ((await ownerOf(folder)) !== project) return 'none';
  return (await projectFolder(store, project, folder)) === undefined ? 'none' : 'forgotten';
}

const ownerPath = '.galley/project.json';

async function ownerOf(folder: string): Promise<string | undefined> {
  try {
    const bytes = await readWithin(folder, ownerPath, { mostBytes: 64 * 1024 });
    const { project } = Object(JSON.parse(new TextDecoder().decode(bytes))) as { project?: unknown };
    return typeof project === 'string' ? project : undefined;
  } catch (error) {
    if (isGalleyError(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The database and what lies beside it while somebody works; everything else in `.galley` is the writer's. */
const ignored = ['galley.db*', '.lock*', '*.tmp'];
const ignoreText = `${ignored.join('\n')}\n`;
/** Hides itself as well; opening a store in a repository leaves it behind. */
const bareIgnoreText = '.gitignore\ngalley.db*\n';

/** Before anything of a project is written: whose it is, and what of it is only an index. */
export async function prepareFolder(folder: string, project: string): Promise<void> {
  await changeFile(folder, ownerPath, (text) => text ?? `${JSON.stringify({ project }, undefined, 2)}\n`);
  await changeFile(folder, '.galley/.gitignore', (text) => {
    if (text === undefined || text === bareIgnoreText) return ignoreText;
    if (/^\/?(?:galley\.db|\*$)/mu.test(text)) return text;
    return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${ignoreText}`;
  });
}

export async function claimFolder(store: Store, project: string, folder: string): Promise<void> {
  if ((await claimState(store, project, folder)) === 'claimed') return;
  const { settings } = await store.projects.get(project);
  await store.projects.put(project, {
    folder: '.',
    settings: { ...settings, [field]: await folderMark(folder) },
  });
}

// Which project is a folder, when nobody says? The one that has claimed it; the only one of a store that lies within it, for a
// folder that was renamed, moved or copied; the one it names itself; else the one of its name.
export interface StorePlace {
  /** The store lies in the folder and goes where it goes. */
  readonly isInside: boolean;
}

export function nameOfFolder(folder: string): string {
  return basename(folder) || 'project';
}

export async function projectOfFolder(
  store: Store,
  folder: string,
  { isInside }: StorePlace,
): Promise<string> {
  const name = nameOfFolder(folder);
  const claims = (await store.projects.list()).filter((project) => claimOf(project) !== undefined);
  const mark = await folderMark(folder);
  const here = claims.filter((project) => claimOf(project) === mark);
  if (here.length > 0) return here.some(({ id }) => id === name) ? name : (here[0]?.id ?? name);
  const [only, ...others] = isInside ? claims : [];
  if (only !== undefined && others.length === 0) return only.id;
  return (await ownerOf(folder)) ?? name;
}
