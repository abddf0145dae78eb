// One suite for all families: four protocols over HTTP, the clouds, three agent CLIs, recorded answers.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, vi } from 'vitest';
import { installFakeAgent, livingProcesses } from '../testing/fake-agent/install-fake-agent.js';
import { openLoopback, type Script } from '../testing/loopback/open-loopback.js';
import {
  contractAnswer,
  contractPrompt,
  contractSecret,
  type ModelBehaviour,
  modelContract,
} from '../testing/model-contract.js';
import { cliModel } from './cli/cli-model.js';
import { agentClis } from './cli/find-agent-cli.js';
import { httpModel } from './http/http-model.js';
import { openReplay, requestDigest } from './replay/replay-model.js';
import { signInToGoogle } from './testing/cloud-ground.js';
import { connectionTo, everyCloud, everyProtocol } from './testing/http-stage.js';

const root = mkdtempSync(join(tmpdir(), 'galley-models-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const message = `The prompt ${contractPrompt} and the key ${contractSecret} are wrong.`;
const lines: Record<ModelBehaviour, Script> = {
  answer: { chunks: ['Hello w', 'örld 你', '好 😀'] },
  empty: { kind: 'empty' },
  malformed: { kind: 'malformed-event', reply: { text: contractSecret } },
  cut: { kind: 'cut', at: 'before-final' },
  'key-refused': { kind: 'status', status: 401, message },
  'unknown-model': { kind: 'status', status: 404, message },
  'rate-limited': { kind: 'status', status: 429, message },
  huge: { kind: 'huge', bytes: 16 * 1024 * 1024 },
  never: { kind: 'keep-alive' },
  'begin-hang': { kind: 'stall', after: 'chunk' },
  endless: { kind: 'endless' },
};

signInToGoogle();
for (const name of [...everyProtocol, ...everyCloud]) {
  const stage = async (behaviour: ModelBehaviour) => {
    const loopback = await openLoopback({ script: lines[behaviour] });
    const { connection, model } = connectionTo(loopback.url, name, contractSecret);
    return {
      model: httpModel(connection, model, {
        count: (text) => text.length / 4,
        sleep: async () => undefined,
        random: () => 0,
      }),
      received: () => loopback.calls.map(({ bytes }) => promptOf(bytes.toString())),
      async close() {
        // Tests that run side by side have no test of their own to poll for.
        await vi.waitFor(() => expect(loopback.calls.every(({ ending }) => ending !== 'open')).toBe(true));
        await loopback.close();
      },
    };
  };
  modelContract(name, { behaviours: Object.keys(lines) as ModelBehaviour[], stage });
}

/** The one text of the user in a request of any protocol. */
function promptOf(body: string): string {
  const texts: string[] = [];
  JSON.parse(body, (key, value) => {
    if ((key === 'text' || key === 'content') && typeof value === 'string') texts.push(value);
    return value;
  });
  return texts.join('');
}

const fakes: Partial<Record<ModelBehaviour, string>> = {
  answer: 'answer',
  empty: 'empty',
  malformed: 'half-json',
  cut: 'no-result',
  'key-refused': 'api-401',
  'rate-limited': 'api-429',
  huge: 'flood-answer',
  never: 'never',
  'begin-hang': 'begin-hang',
};
let count = 0;

for (const cli of Object.values(agentClis)) {
  const stage = async (behaviour: ModelBehaviour) => {
    count += 1;
    const folder = join(root, `${cli.name}-${count}`);
    for (const path of [folder, join(folder, 'tmp'), join(folder, 'work')]) mkdirSync(path);
    const fake = installFakeAgent(folder, cli.name, fakes[behaviour] ?? behaviour);
    const environment = { PATH: process.env.PATH, HOME: folder, TMPDIR: join(folder, 'tmp') };
    return {
      model: cliModel(cli, { command: fake.command, folder: join(folder, 'work'), environment }),
      received: () =>
        fake
          .records()
          .map(({ stdin }) => stdin)
          .filter((stdin) => typeof stdin === 'string'),
      close() {
        for (const { pid } of fake.records())
          if (typeof pid === 'number') expect(livingProcesses(pid)).toEqual([]);
      },
    };
  };
  modelContract(`cli/${cli.name}`, { behaviours: Object.keys(fakes) as ModelBehaviour[], stage });
}

let files = 0;

/** Each has its own file: these tests run at once. */
const recorded = async () => {
  files += 1;
  const path = join(root, `answers-${files}.jsonl`);
  const digest = requestDigest({ prompt: contractPrompt, timeouts: { firstByteMs: 1, totalMs: 1 } });
  const rows = [
    { galley: 'replay', version: 1, by: 'digest' },
    { digest, model: 'anthropic/claude-sonnet-4-5', answer: { text: contractAnswer, finish: 'stop' } },
  ];
  writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return { model: await openReplay(path, 'replay/answers.jsonl'), close() {} };
};
modelContract('replay', { behaviours: ['answer'], stage: recorded });
