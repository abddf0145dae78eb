// The press with a source of one's own: notes of a support desk, the most useful ones first, in exactly 120 tokens.
import assert from 'node:assert/strict';
import { assemble, deadline, defineSource, hashText, loadMeter } from 'galley';

const notes = Array.from({ length: 30 }, (_, n) => ({
  id: `note-${n}`,
  text: `Ticket ${n}: the customer cannot log in after step ${n % 7}.`,
  useful: (n * 37) % 30,
}));

const source = defineSource({
  id: 'notes',
  timeLimitMs: 1000,
  outage: { code: 'NOTES_UNAVAILABLE', message: 'NOTES_UNAVAILABLE: the notes were not read' },
  gather: async (_, scope) =>
    notes.map(({ id, text, useful }, position) => ({
      id,
      source: 'notes',
      scope,
      layer: 'notes',
      section: 'notes',
      rank: useful,
      position,
      levels: [{ name: 'whole', body: text }],
    })),
});

const meter = await loadMeter('o200k_base');
const { prompt, receipt } = await assemble(
  {
    meter,
    hash: hashText,
    recipe: {
      id: 'support',
      version: 1,
      overflow: 'concede',
      layers: [{ id: 'notes', keep: 'highest-rank', yieldOrder: 1 }],
      sections: [{ id: 'notes', channel: 'prompt' }],
    },
    dialect: {
      id: 'list',
      version: 1,
      apart: '\n',
      section: () => ({ heading: 'Earlier tickets:\n', between: '\n' }),
      word: (text) => `- ${text}`,
    },
  },
  { scope: { project: 'support' }, budget: { limit: { unit: 'tokens', n: 120 } } },
  {
    needs: [{ source: 'notes', query: {}, askedBy: 'example' }],
    sources: [source],
    deadline,
    signal: AbortSignal.timeout(5000),
  },
);

const [text] = prompt.pages[0].parts.map((part) => part.text);
const { made, offered } = receipt.concessions;
console.log(`${receipt.used.n} of ${receipt.budget.n} tokens; ${made} of ${offered} concessions were made`);
assert.ok(meter.weigh(text) <= 120);
assert.equal(receipt.ledger.length, notes.length);
assert.match(text, /^Earlier tickets:\n- Ticket/);
