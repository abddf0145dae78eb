// Does the simulator tell careless layouts from careful ones? The reference policies on the scripted session, as a table.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEditingSession } from './editing-session.js';
import { type CacheResult, replay } from './prefix-cache.js';
import { providerRules } from './provider-rules.js';
import { layOut, policies } from './reference-policies.js';
import { requestOf } from './request.js';

const novel = process.env.GALLEY_BENCH_NOVEL ?? join(process.cwd(), '../shared/data/text/hongloumeng.txt');

function runPolicies(): { policy: string; tokensPerCall: number; results: CacheResult[] }[] {
  const session = createEditingSession(readFileSync(novel, 'utf8'));
  return Object.entries(policies).map(([name, policy]) => {
    const requests = session.steps.map(layOut(session, policy));
    const results = providerRules.map((rule) => replay(requests, rule));
    return { policy: name, tokensPerCall: Math.round(results[0]!.promptTokens / requests.length), results };
  });
}

const tolerance = 0.01;

/** Each of the first five policies must do at least as well as the one before, under every rule. */
function inOrder(rows: readonly { readonly results: readonly CacheResult[] }[]): boolean {
  return providerRules.every((_, rule) =>
    rows
      .slice(1, 5)
      .every((row, index) => row.results[rule]!.hitRatio >= rows[index]!.results[rule]!.hitRatio - tolerance),
  );
}

/** Cases small enough to work out by hand: 5,000 tokens sent twice, then with another last block, then with another first. */
function countsRight(): boolean {
  const [head, tail] = [' a'.repeat(4_500), ' b'.repeat(500)];
  const ask = (first: string, last: string) =>
    requestOf('simulated', [
      { text: first, marker: true },
      { text: last, marker: true },
    ]);
  const requests = [ask(head, tail), ask(head, tail), ask(head, ' c'.repeat(500)), ask(` ${head}`, tail)];
  const cached = providerRules.map((rule) => replay(requests, rule).cachedTokens);
  const expected = [4_992 + 4_496, 4_992 + 4_480, 5_000 + 4_500, 5_000 + 4_500];
  return JSON.stringify(cached) === JSON.stringify(expected);
}

if (existsSync(novel)) {
  const rows = runPolicies();
  console.log(`| policy | tokens a call | ${providerRules.map((rule) => rule.id).join(' | ')} |`);
  console.log(`|---|---|${providerRules.map(() => '---|').join('')}`);
  for (const { policy, tokensPerCall, results } of rows) {
    const cells = results.map(
      ({ hitRatio, billed }) => `${(hitRatio * 100).toFixed(1)} (${billed.toFixed(2)})`,
    );
    console.log(`| ${policy} | ${tokensPerCall} | ${cells.join(' | ')} |`);
  }
  const [ordered, counted] = [inOrder(rows), countsRight()];
  console.log(`\n${JSON.stringify({ benchmark: 'cache-simulator', ordered, counted, rows })}`);
  if (!ordered || !counted) process.exitCode = 1;
} else console.log('cache simulator: no novel found; name a text file in GALLEY_BENCH_NOVEL.');
