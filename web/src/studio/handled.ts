// Pieces that the writer pins to the prompt or leaves out of it: in what is shown, and in what is sent.
import { computed, signal } from '@preact/signals';
import { current } from './book.js';

interface Handled {
  readonly documentId: string;
  readonly pin: readonly string[];
  readonly without: readonly string[];
}

const wanted = signal<Handled>({ documentId: '', pin: [], without: [] });

/** What the writer wants in or out of the prompt; of this chapter, as long as it is open. */
export const handled = computed(() => {
  const { documentId, pin, without } = wanted.value;
  return documentId === current.value?.documentId ? { pin, without } : { pin: [], without: [] };
});

export function handle(change: Partial<Pick<Handled, 'pin' | 'without'>>): void {
  wanted.value = { ...handled.peek(), documentId: current.peek()?.documentId ?? '', ...change };
}
