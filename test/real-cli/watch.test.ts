// Each real CLI through the recording proxy: the provider receives what it receives without it, and everything that is sent is read.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWatchProxy } from '../../src/agents/watch/watch-proxy.js';
import { createWatchRecord, type WatchReport } from '../../src/agents/watch/watch-record.js';
import { watchTarget } from '../../src/agents/watch/watch-target.js';
import { builtInCatalog } from '../../src/models/catalog/catalog.js';
import type { AgentCliName } from '../../src/models/cli/agent-cli.js';
import { agentClis } from '../../src/models/cli/find-agent-cli.js';
import type { Reply, Script } from '../../src/testing/loopback/open-loopback.js';
import { isInstalled, openRealHome, type RealHome } from './real-home.js';
import { conversation, firstRequest, goOnLines, prepareWork, runCli } from './session-runs.js';

/** What is new in every run: ids, times, and the tag that Claude Code makes of them. */
const steady = (bytes: Buffer) =>
  bytes
    .toString('utf8')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(/cch=\w+|cc_version=[\w.]+|"user_id":"[^"]*"/g, '')
    .replaceAll(
      /[\w-]*_?[0-9a-f]{24,}|\b\d{10,13}\b|(?<=toolu|call|run_shell_command|read_file|replace|write_todos)[_-][\w-]+/g,
      'ID',
    )
    .replaceAll(/Wall time: [\d.]+|chunk id: \w+/gi, '')
    // Codex writes its fields in any order.
    .replace(/"client_metadata":.*$/s, '')
    .replaceAll(/\d{1,2}:\d\d:\d\d/g, 'TIME');

/** Calls of one answer run side by side and end in any order, so each gets an answer of its own. */
function oneByOne(script: Script): Script {
  if (!Array.isArray(script)) return script;
  return (script as readonly Reply[]).flatMap(({ toolCalls, ...said }) =>
    toolCalls === undefined ? [said] : toolCalls.map((call) => ({ ...said, toolCalls: [call] })),
  );
}

function firstDifference(left: string, right: string): string {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at += 1;
  return left === right ? '' : `${left.slice(at - 60, at + 60)} | ${right.slice(at - 60, at + 60)}`;
}

for (const { name, title } of Object.values(agentClis)) {
  describe.skipIf(!isInstalled(name))(`the real ${title}, watched`, () => {
    let home: RealHome;
    let report: WatchReport;
    let straight: string[];
    let through: string[];

    const once = async (environment: NodeJS.ProcessEnv, args: readonly string[]) => {
      home.loopback.forgetCalls();
      home.loopback.forgetCache();
      home.loopback.play(oneByOne(conversation(name, home.work)));
      prepareWork(home);
      expect(await runCli({ ...home, environment }, name, args, firstRequest)).toBe(0);
      return home.loopback.calls.map(({ bytes }) => steady(bytes));
    };

    beforeAll(async () => {
      home = await openRealHome();
      const args = goOnLines[name as AgentCliName];
      straight = await once(home.environment, args);
      const codexConfig = readFileSync(join(home.root, '.codex', 'config.toml'), 'utf8');
      const target = watchTarget([name, ...args], { environment: home.environment, codexConfig });
      const record = createWatchRecord({ catalog: builtInCatalog, clock: Date.now, show: (path) => path });
      const proxy = await openWatchProxy({ ...target, environment: {}, listen: record.listen });
      const child = target.child(proxy.url);
      through = await once(child.environment, child.args);
      await proxy.close();
      report = await record.finish();
    });
    afterAll(() => home?.close());

    it('sends what it sends without the proxy', () => {
      expect(through.length).toBeGreaterThan(2);
      // Bodies are too long to be shown; where they part is enough.
      expect(through.map((body, at) => firstDifference(body, straight[at] ?? ''))).toEqual(
        through.map(() => ''),
      );
    });

    it('is read whole: every request, its usage, its parts', () => {
      expect(report).toMatchObject({ requests: through.length, unread: 0, failures: [] });
      for (const { usage, status, ending } of report.newest) {
        expect({ status, ending }).toEqual({ status: 200, ending: 'whole' });
        expect(usage?.inputTokens).toBeGreaterThan(0);
      }
      const main = report.conversations.find(({ requests }) => requests > 2);
      expect(main?.shares.map(({ kind }) => kind)).toEqual(
        expect.arrayContaining(['system', 'tools', 'messages', 'results']),
      );
      const used = report.newest.map(({ usage }) => usage);
      expect(used.map((one) => one?.inputTokens)).toEqual(
        home.loopback.calls.map(({ usage }) => usage?.input),
      );
      expect(used.map((one) => one?.cachedInputTokens)).toEqual(
        home.loopback.calls.map(({ usage }) => usage?.cacheRead),
      );
    });
  });
}
