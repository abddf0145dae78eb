// What the writer turned by hand, the budget and single pieces: in what is shown, and in what is sent.
import { computed, signal } from '@preact/signals';
import { current } from './book.js';

interface Handled {
  readonly documentId: string;
  readonly pin: readonly string[];
  readonly without: readonly string[];
  /** By the id of a piece the level it is shown at. */
  readonly levels: Readonly<Record<string, string>>;
  /** In place of what the skill aims at. */
  readonly budget?: { readonly tokens: number };
}

const nothing: Omit<Handled, 'documentId'> = { pin: [], without: [], levels: {} };

const wanted = signal<Handled>({ documentId: '', ...nothing });

/** What the writer wants in or out of the prompt; of this chapter, as long as it is open. */
export const handled = computed(() => {
  const { documentId, ...handling } = wanted.value;
  return documentId === current.value?.documentId ? handling : nothing;
});

export function handle(change: Partial<Omit<Handled, 'documentId'>>): void {
  wanted.value = { ...handled.peek(), documentId: current.peek()?.documentId ?? '', ...change };
}

export const letGo = (): void => handleIn(current.peek()?.documentId ?? '', nothing);

/** What was tried out elsewhere, for the chapter when it is opened. */
export function handleIn(documentId: string, change: Omit<Handled, 'documentId'>): void {
  wanted.value = { documentId, ...change };
}
