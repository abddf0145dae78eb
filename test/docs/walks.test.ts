// The three walks of docs/architecture.md: the requests are run, and the functions they name are called in the order they say.
import { readFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { scratchFolder } from '../../src/git/testing/scratch-repository.js';
import { call } from '../../src/operations/call.js';
import { installFakeAgent } from '../../src/testing/fake-agent/install-fake-agent.js';
import { scriptedModel } from '../../src/testing/scripted-model.js';
import { answerWith, bareContext, findingOn, groundForTest } from '../review-run/review-ground.js';
import { openDesk } from '../scenarios-002/desk.js';
import { prose } from '../scenarios-002/prose.js';
import { firstCalls, type Place } from './first-calls.js';

const architecture = readFileSync('docs/architecture.md', 'utf8');

function walkOf(operation: string): Place[] {
  const [, rest = ''] = architecture.split(new RegExp(`### .*\`${operation}\`\n`));
  const [table = ''] = rest.split(/\n##/);
  return [...table.matchAll(/^\| \d+ \| `([^`]+)` \| `([^`]+)` \|/gm)].map(([, file = '', name = '']) => ({
    file,
    name,
  }));
}

async function expectWalk(operation: string, work: () => Promise<unknown>): Promise<void> {
  const walk = walkOf(operation);
  expect(walk.length).toBeGreaterThan(5);
  expect(await firstCalls(walk, work)).toEqual(walk.map(({ file }) => file));
}

describe('a walk through the house', () => {
  it('follows one diff from the request to the report', async () => {
    const { run } = groundForTest(
      (repository) => repository.write('src/a.ts', 'export const a = 1;\nexport const use = () => a;\n'),
      (repository) => repository.write('src/b.ts', 'import { a } from "./a";\nexport const b = a + 1;\n'),
    );
    const model = scriptedModel([
      { text: answerWith(findingOn('src/a.ts', { evidence: 'export const a = 1;' })) },
    ]);
    await expectWalk('review:run', () => run(model));
  });

  it('follows one keystroke from the request to the receipt', async () => {
    const desk = await openDesk();
    onTestFinished(() => desk.close());
    await desk.call('documents:put', {
      projectId: '长篇',
      documentId: '第一章',
      text: await prose(2_000, 1),
    });
    const budget = { tokens: 6_000 };
    const type = (text: string) => desk.assemble({ documentId: '第二章', text, skillId: '', budget });
    const text = await prose(8_000, 2);
    await type(text);
    await expectWalk('context:assemble', () => type(`${text}夜里下了雨。`));
  });

  it('follows one turn from the request to the process that answers', async () => {
    const folder = scratchFolder();
    installFakeAgent(folder, 'claude', 'answer');
    vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const turn = {
      agentType: 'claude-code',
      contextMessages: [],
      currentMessage: 'Hello',
    };
    await expectWalk('agents:run', () => call('agents:run', turn, bareContext(folder)));
  });
});
