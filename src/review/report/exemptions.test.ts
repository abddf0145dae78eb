import { describe, expect, it } from 'vitest';
import { groundForTest } from '../../../test/review-run/review-ground.js';
import { scriptedModel } from '../../testing/scripted-model.js';
import { someFinding } from '../findings/testing/some-finding.js';
import { parseExemptions, withExemptions } from './exemptions.js';

const finding = someFinding({ path: 'src/pay.ts', evidence: 'return amount * 0;', startLine: 2, endLine: 2 });
const answer = (message: string) =>
  JSON.stringify({
    findings: [{ ...finding, id: undefined, severity: 'critical', message }],
  });

describe('exemptions', () => {
  it('are added once, and read back as they were', () => {
    const { text, added } = withExemptions([], [finding, finding], '#42');
    expect(added).toBe(1);
    expect(parseExemptions(text)).toMatchObject([{ path: 'src/pay.ts', why: '#42' }]);
    expect(withExemptions(parseExemptions(text), [finding], '#43')).toEqual({ text, added: 0 });
  });

  it.each(['', '[]', '{"exemptions":[{"path":1}]}', '{"exemptions":[],"more":1}'])(
    'that cannot be read are refused by name: %s',
    (text) => {
      expect(() => parseExemptions(text)).toThrow(/^\.galley\/exemptions\.json: /);
    },
  );
});

describe('a review', () => {
  const change = (text: string) => `export function pay(amount: number): number {\n  ${text}\n}\n`;
  const said = 'Nobody is ever paid, since the amount is multiplied by nothing.';

  it('holds back what the base calls intended, however it is worded now, and fails no build for it', async () => {
    const ground = groundForTest(
      (repository) => repository.write('src/pay.ts', change('return amount * 0;')),
      (repository) => {
        repository.write('src/pay.ts', change('return amount;'));
        repository.write('.galley/exemptions.json', withExemptions([], [finding], '#1').text);
      },
    );
    const run = await ground.run(scriptedModel([answer(said)]), { failLevel: 'high', format: 'json' });
    expect(run.fails).toBe(false);
    expect(JSON.parse(run.report)).toMatchObject({
      findings: [],
      held: [{ holdReason: 'exempt', path: 'src/pay.ts' }],
    });
  });

  it('does not let a change exempt itself, and says that it tried', async () => {
    const ground = groundForTest(
      (repository) => {
        repository.write('src/pay.ts', change('return amount * 0;'));
        repository.write('.galley/exemptions.json', withExemptions([], [finding], '#1').text);
      },
      (repository) => repository.write('src/pay.ts', change('return amount;')),
    );
    const run = await ground.run(scriptedModel([answer(said)]), { failLevel: 'high' });
    expect(run.fails).toBe(true);
    expect(run.warnings.map(({ message }) => message).join()).toMatch(/\.galley\/exemptions\.json/);
  });
});
