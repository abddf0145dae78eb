// galley write import: shows what a book would become here, and writes it when told to or when whoever sits there agrees.
import { lstat, readdir, readFile } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { byCodePoint } from '../../../core/model/code-points.js';
import { GalleyError } from '../../../core/model/error.js';
import type { AnswerOf } from '../../../operations/table.js';
import { colours } from '../terminal/colours.js';
import { grouped, padded, terminalWidth, textTable } from '../terminal/table.js';
import { askYes, canAsk, print, printJson, say, sayWarnings } from '../terminal/talk.js';
import { counted, factWords, word } from '../words/word.js';
import { type WriteOptions, withWriteProject } from './write-project.js';

export interface ImportOptions extends WriteOptions {
  readonly into?: string;
  readonly encoding?: string;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

type Imported = AnswerOf<'documents:import'>;

const largest = 64 * 1024 * 1024;
const mostFiles = 5_000;
const maxShown = 12;

export async function importCommand(path: string, options: ImportOptions): Promise<void> {
  const { files, name, links } = await readGiven(path);
  if (links > 0) sayWarnings([word('import.links', { n: links })]);
  const request = {
    files: files.map(({ path: own, bytes }) => ({ name: own, base64: bytes.toString('base64') })),
    name,
    ...(options.into === undefined ? {} : { into: options.into }),
    ...(options.encoding === undefined ? {} : { encoding: options.encoding }),
  };
  const run = async (isWritten: boolean, show: (imported: Imported) => void) =>
    withWriteProject(options, isWritten ? 'writes' : 'reads', async (project) => {
      if ((await project.follow()) === undefined)
        throw new GalleyError(
          'FORBIDDEN',
          'This folder belongs to another project of the store; name that project with --project.',
        );
      show(await project.call('documents:import', { ...request, dryRun: !isWritten }));
    });
  if (options.json) return run(options.yes === true && !options.dryRun, printJson);
  if (options.yes && !options.dryRun) return run(true, (imported) => showImport(name, imported));
  await run(false, (imported) => showImport(name, imported));
  if (options.dryRun) return;
  if (canAsk() && (await askYes(word('import.ask')))) await run(true, showWritten);
  else say(`${word('import.not-written', { command: colours.cyan('--yes') })}\n`);
}

function showImport(name: string, imported: Imported): void {
  const { chapters, cards, kept, fields, written, encoding } = imported;
  const characters = chapters.reduce((sum, chapter) => sum + chapter.characters, 0);
  print(
    `${colours.bold(name)}: ${word('import.found', {
      format: factWords(`import.format.${imported.format}`, imported.format),
      encoding: encoding === undefined ? '' : ` (${encoding.toUpperCase()})`,
      chapters: counted(chapters.length, 'chapter'),
      characters: grouped(characters),
      cards: cards.length,
    })}\n`,
  );
  const verb = written ? colours.green(word('import.wrote')) : colours.yellow(word('import.would'));
  const lines = [
    ...chapters,
    ...cards,
    ...kept.map((path) => ({ path, isThere: false, characters: undefined })),
  ];
  const head = lines.length > maxShown ? lines.slice(0, maxShown - 3) : lines;
  const tail = lines.length > maxShown ? lines.slice(-2) : [];
  const line = ({
    path,
    isThere,
    characters: length,
  }: {
    path: string;
    isThere: boolean;
    characters?: number | undefined;
  }) => {
    const size = length === undefined ? '' : colours.dim(word('import.length', { n: grouped(length) }));
    print(
      `  ${isThere ? colours.dim(padded(word('import.there'), 11)) : padded(verb, 11)}  ${path}  ${size}\n`,
    );
  };
  head.forEach(line);
  if (tail.length > 0)
    print(`  ${colours.dim(word('count.more', { n: lines.length - head.length - tail.length }))}\n`);
  tail.forEach(line);
  if (fields.length > 0)
    print(
      `\n${textTable(
        [
          { title: word('import.col.field') },
          { title: word('import.col.became') },
          { title: word('import.col.count'), align: 'right' },
        ],
        fields.map(({ field, became, count }) => [
          field,
          factWords(`import.became.${became}`, became),
          grouped(count),
        ]),
        { width: terminalWidth(), indent: '  ' },
      )}`,
    );
  sayWarnings(imported.warnings);
  if (written) showWritten(imported);
}

function showWritten({ chapters, cards }: Imported): void {
  print(
    `\n${word('import.done', {
      chapters: counted(chapters.length, 'chapter'),
      cards: cards.length,
      command: colours.cyan('galley write status'),
    })}\n`,
  );
}

interface Given {
  readonly name: string;
  readonly files: readonly { readonly path: string; readonly bytes: Buffer }[];
  /** Not followed: what a link shows is not part of the folder. */
  readonly links: number;
}

async function readGiven(path: string): Promise<Given> {
  const root = resolve(path);
  const found = await lstat(root).catch((cause: unknown) => {
    throw unreadable(basename(root), cause);
  });
  const name = basename(root);
  if (!found.isDirectory()) {
    if (!found.isFile() && !found.isSymbolicLink()) throw unreadable(name);
    if (found.size > largest) throw tooLarge(name);
    return {
      name,
      files: [
        {
          path: name,
          bytes: await readFile(root).catch((cause: unknown) => {
            throw unreadable(name, cause);
          }),
        },
      ],
      links: 0,
    };
  }
  const files: { path: string; bytes: Buffer }[] = [];
  let size = 0;
  let links = 0;
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const own = relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/');
    if (own.split('/').some((step) => step.startsWith('.') || step === 'node_modules')) continue;
    if (entry.isSymbolicLink()) links += 1;
    if (!entry.isFile()) continue;
    const bytes = await readFile(join(root, own));
    size += bytes.length;
    files.push({ path: own, bytes });
    if (size > largest || files.length > mostFiles) throw tooLarge(name);
  }
  if (files.length === 0) throw unreadable(name);
  return { name, files: files.sort((left, right) => byCodePoint(left.path, right.path)), links };
}

function unreadable(name: string, cause?: unknown): GalleyError {
  return new GalleyError('FILE_UNREADABLE', `"${name}" cannot be read: it is no file or folder with files.`, {
    cause,
  });
}

function tooLarge(name: string): GalleyError {
  return new GalleyError(
    'PAYLOAD_TOO_LARGE',
    `"${name}" holds more than ${largest / 1024 / 1024} MB or ${mostFiles} files; import it in parts.`,
  );
}
