// The first minute of a newcomer: the demo of the README, to its end.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';

it('the demo shows all three desks and leaves what it promises', () => {
  const said = execFileSync(process.execPath, ['scripts/demo.mjs'], { encoding: 'utf8' });
  expect(said).toMatch(/^1\. Review: .*^2\. Writing: .*^3\. Agents: /ms);
  expect(said).toContain('prefix unchanged');
  expect(said).toContain('prefix changed: added constraint');
  for (const file of ['report.md', 'report.json', 'report.sarif', 'receipt.json'])
    expect(existsSync(`.galley-demo/${file}`), file).toBe(true);
});
