// A question about a change: paid for once, served with code it asks for, and never an instruction to the reader of the next one.
import { expect, it, onTestFinished } from 'vitest';
import { scratchRepository } from '../../src/git/testing/scratch-repository.js';
import { call } from '../../src/operations/call.js';
import { scriptedModel } from '../../src/testing/scripted-model.js';
import { bareContext } from './review-ground.js';

interface Asked {
  readonly answer: string;
  readonly seen: { readonly files: number; readonly of: number };
  readonly runs: readonly unknown[];
  readonly receipts: readonly { readonly ledger: readonly { readonly fragment: string }[] }[];
}

function change() {
  const repository = scratchRepository();
  onTestFinished(() => repository.dispose());
  repository.write('src/door.ts', 'export const open = () => 1;\n');
  repository.write('src/house.ts', "import { open } from './door.js';\nexport const enter = () => open();\n");
  repository.commit('start');
  repository.write('src/door.ts', 'export const open = (key: string) => key.length;\n');
  repository.commit('keys');
  return repository.folder;
}

it('is answered once, and again only for another question', async () => {
  const folder = change();
  const model = scriptedModel([async () => JSON.stringify({ answer: 'It needs a key now.' })]);
  const ask = (question: string, more: object = {}) =>
    call(
      'review:ask',
      { mode: 'commit', commit: 'HEAD', model: 'test/scripted', question, ...more },
      { ...bareContext(folder), model: async () => model },
    ) as Promise<Asked>;
  expect(await ask('What of src/door.ts?')).toMatchObject({
    answer: 'It needs a key now.',
    seen: { files: 1, of: 1 },
    runs: [{ kind: 'review-ask' }],
  });
  expect((await ask('What of src/door.ts?')).runs).toEqual([]);
  expect(model.requests).toHaveLength(1);
  await ask('And the house?');
  await ask('And the house?', { fresh: true });
  expect(model.requests).toHaveLength(3);
});

it('may ask for code, and is shown it in the next message', async () => {
  const folder = change();
  const model = scriptedModel([
    JSON.stringify({ answer: '', requests: [{ type: 'search', unit: '', details: 'enter' }] }),
    JSON.stringify({ answer: 'enter() calls it without one.' }),
  ]);
  const { answer, receipts } = (await call(
    'review:ask',
    { mode: 'commit', commit: 'HEAD', model: 'test/scripted', question: 'Who calls it?' },
    { ...bareContext(folder), model: async () => model },
  )) as Asked;
  expect(answer).toBe('enter() calls it without one.');
  expect(model.requests[1]!.prompt).toContain('src/house.ts');
  expect(receipts[1]!.ledger.map(({ fragment }) => fragment)).toContain('question');
});
