// A draft as a file that people read and edit: what it is for between two lines, then its text.
import { isGalleyError } from '../../core/model/error.js';
import { splitFrontMatter } from '../../skills/front-matter.js';
import type { Draft } from './draft.js';

export function writeDraft(draft: Draft): string {
  const { number, documentId, skillId, model, createdAt, start, end, base, isDiscarded, text } = draft;
  const fields: [string, string | number | undefined][] = [
    ['draft', number],
    ['chapter', quoted(documentId)],
    ['skill', quoted(skillId)],
    ['model', quoted(model)],
    ['made', new Date(createdAt).toISOString()],
    ['from', start],
    ['to', end],
    ['base', quoted(base)],
    ['variant-of', draft.variantOf],
    ['run', draft.runId === undefined ? undefined : quoted(draft.runId)],
    ['state', isDiscarded ? 'discarded' : 'open'],
  ];
  const lines = fields.flatMap(([key, value]) => (value === undefined ? [] : [`${key}: ${value}\n`]));
  return `---\n${lines.join('')}---\n\n${text}\n`;
}

const quoted = (text: string) => JSON.stringify(text);

/** Undefined for a file that is no draft. */
export function readDraft(file: string, name: string): Draft | undefined {
  const found = split(file.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n'));
  if (found === undefined) return undefined;
  const { fields, body } = found;
  const words = (key: string) => String(fields.get(key) ?? '');
  const number = (key: string) => Number(fields.get(key) ?? Number.NaN);
  const [start, end] = [number('from'), number('to')];
  const createdAt = Date.parse(words('made'));
  const numbers = [number('draft'), start, end, createdAt];
  if (!numbers.every(Number.isSafeInteger) || start < 0 || end < start) return undefined;
  if (words('chapter') === '' || !/^[0-9a-f]{64}$/.test(words('base'))) return undefined;
  return {
    ...{ name, number: number('draft'), createdAt, start, end, base: words('base') },
    documentId: words('chapter'),
    skillId: words('skill'),
    model: words('model'),
    isDiscarded: words('state') === 'discarded',
    ...(fields.has('variant-of') ? { variantOf: number('variant-of') } : {}),
    ...(fields.has('run') ? { runId: words('run') } : {}),
    text: body.replace(/^\n/, '').replace(/\n$/, ''),
  };
}

function split(file: string): ReturnType<typeof splitFrontMatter> | undefined {
  try {
    return splitFrontMatter(file);
  } catch (error) {
    if (isGalleyError(error)) return undefined;
    throw error;
  }
}
