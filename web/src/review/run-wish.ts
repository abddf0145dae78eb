// How the next review of a change is to be run, where somebody tried it out before: the budget, what stands beside the diff, the model.
import { signal } from '@preact/signals';
import { grouped } from '../shell/words/word.js';
import type { ReviewedChange } from './desk.js';
import { say } from './words.js';

export interface RunFields {
  readonly maxPromptTokens?: number;
  readonly meter?: string;
  readonly context?: string;
  readonly model?: string;
  readonly pin?: readonly string[];
  readonly without?: readonly string[];
  readonly levels?: Readonly<Record<string, string>>;
}

const wishes = signal<Readonly<Record<string, RunFields>>>({});

export const wishFor = (change: ReviewedChange): RunFields => wishes.value[JSON.stringify(change)] ?? {};

export function wish(change: ReviewedChange, fields: RunFields): void {
  wishes.value = { ...wishes.value, [JSON.stringify(change)]: fields };
}

/** In a few words; empty where nothing is wished for. */
export function wishWords({
  maxPromptTokens,
  meter,
  context,
  model,
  pin = [],
  without = [],
  levels = {},
}: RunFields): string {
  return [
    maxPromptTokens === undefined ? '' : say('wish.budget', { n: grouped(maxPromptTokens) }),
    ...[meter ?? '', context === undefined ? '' : say('wish.context', { context }), model ?? ''],
    pin.length === 0 ? '' : say('wish.pin', { n: pin.length }),
    without.length === 0 ? '' : say('wish.without', { n: without.length }),
    Object.keys(levels).length === 0 ? '' : say('wish.levels', { n: Object.keys(levels).length }),
  ]
    .filter((part) => part !== '')
    .join(' · ');
}
