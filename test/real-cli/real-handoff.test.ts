// Work that one real CLI began is finished by another, from the handed-over turn alone: the model on this machine does the last step
// only if the request, the open step, the decision and the diff stand in the prompt.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handOver } from '../../src/agents/handoff/hand-over.js';
import { sessionHomes } from '../../src/agents/sessions/session-homes.js';
import { builtInCatalog } from '../../src/models/catalog/catalog.js';
import type { AgentCliName } from '../../src/models/cli/agent-cli.js';
import type { LoopbackCall } from '../../src/testing/loopback/open-loopback.js';
import { isInstalled, openRealHome, type RealHome } from './real-home.js';
import {
  decision,
  firstRequest,
  goOnLines,
  haveConversation,
  lastStep,
  prepareWork,
  runCli,
} from './session-runs.js';

const needed = [
  firstRequest,
  '- [pending] Rename in rates.ts',
  decision,
  '+The function is called exchange.',
];

const pairs: readonly (readonly [AgentCliName, AgentCliName])[] = [
  ['claude', 'codex'],
  ['codex', 'gemini'],
  ['gemini', 'claude'],
];

describe.each(pairs)('work begun by the real %s', (from, to) => {
  const isThere = isInstalled(from) && isInstalled(to);
  let home: RealHome;
  beforeAll(async () => {
    if (!isThere) return;
    home = await openRealHome();
    prepareWork(home);
    await haveConversation(home, from);
  });
  afterAll(() => home?.close());

  const rates = () => readFileSync(join(home.work, 'rates.ts'), 'utf8');
  const answer = (call: LoopbackCall) => {
    const words = JSON.stringify(call.body);
    const knows = needed.every((fact) => words.includes(JSON.stringify(fact).slice(1, -1)));
    if (!knows) return 'I do not know what to do.';
    const isDone = !rates().includes('convert');
    return isDone ? 'Done.' : { toolCalls: lastStep[to](home.work) };
  };
  const goOn = async (prompt: string) => {
    home.loopback.play(answer);
    await runCli(home, to, goOnLines[to], prompt);
  };

  it.skipIf(!isThere)(`is finished by the real ${to}, and not without the turn`, async () => {
    await goOn('Go on with the work in this folder.');
    expect(rates()).toContain('convert');
    const homes = sessionHomes({}, home.root);
    const handoff = await handOver({ homes, folder: home.work, session: from, to, catalog: builtInCatalog });
    expect(handoff.from.cli).toBe(from);
    await goOn(handoff.prompt);
    expect(rates()).not.toContain('convert');
    expect(rates()).toContain('exchange(17,');
  });
});
