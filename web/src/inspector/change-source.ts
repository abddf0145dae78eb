// The prompt of a review, and how it is set anew: by the server, which holds the change open while it is looked at.
import type { AnswerOf } from '../../../src/operations/table.js';
import { readChanges } from '../review/changes-ahead.js';
import type { ReviewedChange } from '../review/desk.js';
import { type RunFields, wish } from '../review/run-wish.js';
import { call } from '../shell/call.js';
import { project } from '../shell/start.js';
import { earlyOf } from './early-picture.js';
import { type Known, type Sheet, sheetOf } from './sheet.js';
import type { Knobs, PromptSource, Proposal } from './sources.js';
import { say } from './words.js';

/** By what is looked at: the look to go on with. */
const looks = new Map<string, string>();

const beside = new Set(['related', 'plan', 'linter']);

/** Of a unit: what is shown around its diff, fullest last. */
const levels = ['diff_only', 'function', 'file_context', 'full_file'] as const;

export function changeSource(change: ReviewedChange): PromptSource {
  const key = `review ${JSON.stringify(change)}`;
  const inspect = async (fields: object, signal?: AbortSignal) => {
    const look = looks.get(key);
    const asked = { ...change, ...fields, ...(look ? { look } : {}) };
    const answer = await call('review:inspect', asked, signal === undefined ? {} : { signal });
    looks.set(key, answer.look);
    return answer;
  };
  return {
    key,
    most: 200_000,
    meters: ['o200k_base', 'cl100k_base', 'chars/4'],
    contexts: ['plan', 'none'],
    takesModel: true,
    // What a review leaves unread has to be accounted for, so the diff itself stays.
    takes: ({ layer }) => beside.has(layer),
    levelled: async ({ layer, ref }) => {
      const path = layer === 'diff' ? ref?.replace(/^ref:/, '') : undefined;
      if (path === undefined) return [];
      const { units } = await inspect({ units: [path] });
      const highest = units.reduce((most, { level }) => Math.max(most, levels.indexOf(level)), 0);
      const whole = { name: path, label: say('level.file'), levels, level: levels[highest] ?? '' };
      return [
        whole,
        ...(units.length < 2 ? [] : units).map(({ unit_id: name, location, level }) => ({
          ...{ name, label: location, levels, level, within: path },
        })),
      ];
    },
    early: async (signal) => {
      const changes = await readChanges(change, signal);
      // The prompt is set for the very change that is shown.
      if (changes.look === undefined) looks.delete(key);
      else looks.set(key, changes.look);
      return earlyOf(changes);
    },
    load: async (knobs, signal) => {
      const fields = fieldsOf(knobs);
      const { receipt, system, pages } = await inspect(fields, signal);
      const textOf: Sheet['textOf'] = async (page) => {
        const again = await inspect({ ...fields, texts: [page + 1] });
        return { system, prompt: again.pages[page]?.prompt ?? '' };
      };
      return { ...sheetOf(receipt, [], soughtIn(pages)), textOf };
    },
    use: async (knobs) => {
      wish(change, wished(knobs));
      const settings = settingsIn(knobs);
      const copy = { label: say('what.copy'), act: () => copied(change, knobs) };
      if (Object.keys(settings).length === 0) return { told: say('what.forrun'), steps: [copy] };
      const { file, difference, digest } = await call('review:settle', { settings });
      if (difference.length === 0) return { told: say('what.forrun'), steps: [copy] };
      const write = { label: say('what.write', { file }), act: () => written(settings, digest) };
      const leave = { label: say('what.cancel'), act: async () => undefined };
      return { told: say('what.forrun.file', { file }), difference, steps: [write, leave, copy] };
    },
  };
}

function fieldsOf(knobs: Knobs): RunFields {
  const { budget, meter, context, model = project.value.model, pin, without, levels } = knobs;
  return {
    ...(budget === undefined ? {} : { maxPromptTokens: budget }),
    ...(meter === undefined ? {} : { meter }),
    ...(context === undefined ? {} : { context }),
    ...(model ? { model } : {}),
    ...(pin === undefined ? {} : { pin }),
    ...(without === undefined ? {} : { without }),
    ...(levels === undefined ? {} : { levels }),
  };
}

/** The model that is configured is no wish. */
const wished = (knobs: Knobs): RunFields => {
  const { model: _, ...fields } = fieldsOf(knobs);
  return knobs.model === undefined ? fields : { ...fields, model: knobs.model };
};

/** Units are those of one change; what is written holds for files. */
const ofFiles = (levels: Knobs['levels'] = {}) =>
  Object.entries(levels).filter(([name]) => !/^unit_\w{12}$/.test(name));

const settingsIn = ({ budget, meter, levels }: Knobs) => ({
  ...(ofFiles(levels).length === 0 ? {} : { levels: Object.fromEntries(ofFiles(levels)) }),
  ...(budget === undefined ? {} : { maxPromptTokens: budget }),
  ...(meter === undefined ? {} : { meter }),
});

async function written(settings: object, was: string): Promise<Proposal> {
  const { file, before, digest, difference } = await call('review:settle', { settings, was });
  const putBack = async (): Promise<Proposal> => {
    await call('review:settle', { settings: before, was: digest });
    return { told: say('what.putback', { file }) };
  };
  return {
    ...{ told: say('what.written', { file }), difference },
    steps: [{ label: say('what.undo'), act: putBack }],
  };
}

async function copied(change: ReviewedChange, { budget, meter, context, model }: Knobs): Promise<Proposal> {
  const range: Readonly<Record<ReviewedChange['mode'], string>> = {
    working: ' --working',
    staged: ' --staged',
    commit: ` --commit ${change.commit ?? 'HEAD'}`,
    pr: `${change.base ? ` --base ${change.base}` : ''}${change.head ? ` --head ${change.head}` : ''}`,
  };
  const flags = { budget, meter, context, model };
  const named = Object.entries(flags).map(([name, value]) =>
    value === undefined ? '' : ` --${name} ${value}`,
  );
  await navigator.clipboard.writeText(`galley review${range[change.mode]}${named.join('')}`);
  return { told: say('what.copied') };
}

function soughtIn(pages: AnswerOf<'review:inspect'>['pages']): Known {
  const sought = new Map(
    pages.flatMap(({ context }) =>
      context.map(({ side, path, startLine, endLine, why }) => [
        `context:${side}:${path}#L${startLine}-L${endLine}`,
        why,
      ]),
    ),
  );
  return { sought };
}
