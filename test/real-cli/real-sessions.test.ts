// What is read from the session files of the real CLIs, against what a provider on this machine received from them.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withExactCounts } from '../../src/agents/sessions/exact-inspection.js';
import { findSession } from '../../src/agents/sessions/find-sessions.js';
import { inspectSession, type SessionInspection } from '../../src/agents/sessions/inspect-session.js';
import { sessionHomes } from '../../src/agents/sessions/session-homes.js';
import { loadMeter } from '../../src/meters/load-meter.js';
import { builtInCatalog } from '../../src/models/catalog/catalog.js';
import { claudeContext } from '../../src/models/cli/claude-context.js';
import { agentClis } from '../../src/models/cli/find-agent-cli.js';
import { isInstalled, openRealHome, type RealHome, realCommand } from './real-home.js';
import { receivedTexts } from './received-texts.js';
import { haveConversation, lastAnswer, prepareWork } from './session-runs.js';

for (const { name, title } of Object.values(agentClis)) {
  describe.skipIf(!isInstalled(name))(`a session of the real ${title}`, () => {
    let home: RealHome;
    let inspection: SessionInspection;

    beforeAll(async () => {
      home = await openRealHome();
      prepareWork(home);
      await haveConversation(home, name);
      const homes = sessionHomes({}, home.root);
      const found = await findSession(homes, undefined, home.work);
      if (process.env.KEEP_SESSIONS !== undefined) {
        mkdirSync(process.env.KEEP_SESSIONS, { recursive: true });
        const text = readFileSync(found.path, 'utf8').replaceAll(home.work, '/home/ada/rates');
        writeFileSync(`${process.env.KEEP_SESSIONS}/${name}.jsonl`, text);
      }
      inspection = await inspectSession(found, { folder: home.work, homes, catalog: builtInCatalog });
    });
    afterAll(() => home?.close());

    it('is counted within 3 % of what the provider received', async () => {
      const meter = await loadMeter(inspection.meter);
      const last = home.loopback.calls.at(-1);
      const received = receivedTexts(name, last?.body ?? {});
      const weigh = (texts: readonly string[]) =>
        (inspection.scaled ?? 1) * texts.reduce((sum, text) => sum + meter.weigh(text) / meter.scale, 0);
      const ours = (kind: string) => inspection.parts.find((share) => share.kind === kind)?.tokens ?? 0;
      const near = (kind: string, texts: readonly string[]) =>
        expect(Math.abs(ours(kind) / weigh(texts) - 1), kind).toBeLessThan(0.03);
      // What it answered last was never sent, but is in its head.
      near('messages', [...received.messages, lastAnswer]);
      near('results', received.results);
    });

    it.runIf(name === 'claude')('counts itself, and nothing of it is written', async () => {
      const homes = sessionHomes({}, home.root);
      const found = await findSession(homes, undefined, home.work);
      const before = readFileSync(found.path, 'utf8');
      const hook = join(home.root, 'hook-ran');
      mkdirSync(join(home.work, '.claude'), { recursive: true });
      const hooks = { SessionStart: [{ hooks: [{ type: 'command', command: `touch ${hook}` }] }] };
      writeFileSync(join(home.work, '.claude', 'settings.json'), JSON.stringify({ hooks }));
      writeFileSync(join(home.work, 'CLAUDE.md'), 'Keep the sign of every rate. '.repeat(40));
      home.loopback.forgetCalls();
      const told = await claudeContext({
        command: realCommand(name),
        folder: home.work,
        session: found.id,
        model: inspection.model,
        signal: new AbortController().signal,
        environment: home.environment,
      });
      const exact = withExactCounts(inspection, told, { show: (path) => basename(path) });
      expect(exact.parts.map(({ kind }) => kind)).toEqual([
        'system',
        'tools',
        'memory',
        'messages',
        'results',
      ]);
      expect(exact.heaviest).toContainEqual(expect.objectContaining({ part: 'memory', target: 'CLAUDE.md' }));
      expect(exact.parts.every(({ tokens }) => tokens > 0)).toBe(true);
      // What it has said since, and the memory file that was not there then.
      const head = inspection.tokens ?? 0;
      expect(Math.abs((exact.tokens ?? 0) / head - 1)).toBeLessThan(0.05);
      expect(home.loopback.calls).toEqual([]);
      expect(readFileSync(found.path, 'utf8')).toBe(before);
      expect(existsSync(hook)).toBe(false);
    });
  });
}
