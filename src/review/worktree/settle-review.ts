// What somebody tried made the rule: settings of reviews written into the project's configuration. First shown as a difference, then
// written if the file still is what was shown; written back the same way.
import { resolve } from 'node:path';
import * as z from 'zod';
import { GalleyError } from '../../core/model/error.js';
import { textField } from '../../core/model/input.js';
import { hashText } from '../../meters/content-hash.js';
import { configNames } from '../change/read-config.js';
import { invalidConfig, parseConfig, type ReviewConfig } from '../change/review-config.js';
import { reviewRequest } from '../change/review-request.js';
import { contextLevels } from '../plan/context-need.js';
import type { Setting } from './edit-settings.js';
import type { LevelSettings } from './level-rules.js';
import { changedMeanwhile, inWorkTree, readTreeFile, replaceTreeFile } from './tree-file.js';

const { maxPromptTokens, maxChunkTokens, meter } = reviewRequest.shape;

export const settleRequest = z.strictObject({
  repo: textField(4096).min(1).default('.'),
  settings: z
    .strictObject({
      maxPromptTokens: maxPromptTokens.unwrap().nullable().optional(),
      maxChunkTokens: maxChunkTokens.unwrap().nullable().optional(),
      meter: meter.unwrap().nullable().optional(),
      levels: z
        .record(textField(290), z.enum(contextLevels).nullable())
        .refine((levels) => Object.keys(levels).length <= 100, { error: 'must not name more than 100 files' })
        .optional()
        .describe('how much is shown around a file, by its path: each becomes a rule of its own'),
    })
    .describe('null takes a setting out'),
  was: textField(64)
    .optional()
    .describe(
      'digest of the file as it was shown; writes only if it still is that one. Left out: only shows',
    ),
});

export interface SettledReview {
  /** In the repository. */
  readonly file: string;
  /** What the settings were, so that they can be put back. */
  readonly before: Readonly<Record<string, Setting | LevelSettings>>;
  /** Lines that go and come, with their signs. */
  readonly difference: readonly string[];
  /** Digest of the file as it stands after this call; empty where there is none. */
  readonly digest: string;
  readonly written: boolean;
}

export async function settleReview(
  { repo, settings, was }: z.output<typeof settleRequest>,
  { folder }: { readonly folder: string },
): Promise<SettledReview> {
  const [{ withSetting }, { levelRulesIn, withLevelRules }] = await Promise.all([
    import('./edit-settings.js'),
    import('./level-rules.js'),
  ]);
  const { levels, ...plain } = settings;
  return inWorkTree(resolve(folder, repo), async (_, topLevel) => {
    const { file, bytes } = await configFile(topLevel);
    const text = bytes?.toString('utf8') ?? '';
    const known: ReviewConfig = bytes === undefined ? {} : await parseConfig(file, text);
    const asked = Object.entries(plain).filter(([, value]) => value !== undefined) as [string, Setting][];
    let after = text;
    for (const [key, value] of asked) {
      const next = withSetting(after, key, value);
      if (next === undefined) throw byHand(file);
      after = next;
    }
    const ruled = levels === undefined ? after : withLevelRules(after, levels);
    if (ruled === undefined) throw byHand(file);
    after = ruled;
    if (after.trim() !== '') await parseConfig(file, after);
    const settled = {
      file,
      before: {
        ...Object.fromEntries(asked.map(([key]) => [key, settingOf(known, key)])),
        ...(levels === undefined ? {} : { levels: levelRulesIn(known.rules, Object.keys(levels)) }),
      },
      difference: differenceOf(text, after),
    };
    if (was === undefined) return { ...settled, digest: digestOf(bytes), written: false };
    if (was !== digestOf(bytes)) throw changedMeanwhile();
    // A file that says nothing any more was ours.
    const written = after.trim() === '' ? undefined : Buffer.from(after);
    await replaceTreeFile(topLevel, file, { before: bytes, after: written });
    return { ...settled, digest: digestOf(written), written: true };
  });
}

async function configFile(topLevel: string): Promise<{ file: string; bytes: Buffer | undefined }> {
  const found: { file: string; bytes: Buffer }[] = [];
  for (const file of configNames) {
    const bytes = await readTreeFile(topLevel, file);
    if (bytes !== undefined) found.push({ file, bytes });
  }
  if (found.length > 1)
    throw invalidConfig(found.map(({ file }) => file).join(', '), 'there are several; keep one');
  return found[0] ?? { file: 'galley.config.yaml', bytes: undefined };
}

const settingOf = (known: object, key: string): Setting =>
  (known as Readonly<Record<string, Setting | undefined>>)[key] ?? null;

const digestOf = (bytes: Buffer | undefined): string =>
  bytes === undefined ? '' : hashText(bytes.toString('latin1')).slice(0, 32);

/** The lines between what both begin and end with. */
function differenceOf(before: string, after: string): string[] {
  const [old, now] = [before.split(/\r?\n/), after.split(/\r?\n/)];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(old.length, now.length) - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  return [
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+${line}`),
  ];
}

const byHand = (file: string) =>
  new GalleyError('CONFIG_INVALID', `${file} is written in a way that only a person should change.`);
