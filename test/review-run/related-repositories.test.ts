// What a change uses of other repositories, as they declare it, beside the diff that uses it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ScratchRepository, scratchRepository } from '../../src/git/testing/scratch-repository.js';
import { groundForTest } from './review-ground.js';

const client = `import { send } from './wire';

export interface Order {
  readonly id: string;
  readonly cents: number;
}

/**
 * Charges an order, and never twice under the same key.
 */
export async function chargeOnce(order: Order, key: string): Promise<string> {
  return send('/charge', { order, key, hidden: 'the body is nobody’s business' });
}

export class Ledger {
  balanceOf(account: string): number {
    return account.length;
  }
}

export const settle = (order: Order) => order.cents;
`;

let payments: ScratchRepository;
let pin = '';
beforeAll(() => {
  payments = scratchRepository();
  payments.write('src/client.ts', client);
  payments.write(
    'src/client.test.ts',
    "import { chargeOnce } from './client';\nfunction chargeOnceTest() {}\n",
  );
  payments.write(
    'pay/charge.go',
    'package pay\n\n// Charge moves money.\nfunc Charge(cents int) error {\n\treturn nil\n}\n',
  );
  pin = payments.commit('payments');
});
afterAll(() => payments.dispose());

interface Scene {
  readonly files?: Readonly<Record<string, string>>;
  readonly before?: Readonly<Record<string, string>>;
  readonly fetched?: boolean;
  readonly request?: object;
}

async function page({ files = {}, before = {}, fetched = true, request = {} }: Scene) {
  const related = [{ name: 'payments', repository: '../payments', revision: pin }];
  const ground = groundForTest(
    (repository) => {
      for (const [path, text] of Object.entries(files)) repository.write(path, text);
    },
    (repository) => {
      repository.write('galley.config.json', JSON.stringify({ related }));
      repository.write('src/other.ts', 'export const other = 1;\n');
      for (const [path, text] of Object.entries(before)) repository.write(path, text);
      if (fetched) repository.git('fetch', '-q', payments.folder, '+HEAD:refs/galley/payments');
    },
  );
  const run = await ground.dryRun(request);
  const [first] = run.pages;
  return { prompt: first?.prompt ?? '', ledger: first?.receipt.ledger ?? [], warnings: run.warnings };
}

const order = `import { chargeOnce, type Order } from '@corp/payments';

export async function buy(order: Order): Promise<string> {
  return chargeOnce(order, order.id);
}
`;

describe('what a change uses of a related repository', () => {
  it('stands beside it as it is declared there, labelled and inside the fence', async () => {
    const { prompt, ledger, warnings } = await page({ files: { 'src/order.ts': order } });
    const inside = prompt.slice(
      prompt.indexOf('===== BEGIN UNTRUSTED'),
      prompt.indexOf('===== END UNTRUSTED'),
    );
    expect(inside).toContain(
      'payments:src/client.ts:8-11 · chargeOnce as the repository payments declares it\n',
    );
    expect(inside).toContain('and never twice under the same key.\n */\nexport async function chargeOnce(');
    expect(inside).toContain('export interface Order {\n  readonly id: string;');
    expect(prompt).not.toContain('nobody’s business');
    expect(warnings).toEqual([]);
    const shown = ledger.filter(({ source }) => source === 'interface');
    expect(shown.map(({ fragment, verdict, layer, ref }) => [fragment, verdict, layer, ref])).toEqual([
      ['context:new:payments:src/client.ts#L8-L11', 'kept', 'related', undefined],
      ['context:new:payments:src/client.ts#L3-L6', 'kept', 'related', undefined],
    ]);
  });

  it('is found through what was imported, in other languages too', async () => {
    const go =
      'package shop\n\nimport "corp.example/pay"\n\nfunc Buy() error {\n\treturn pay.Charge(12)\n}\n';
    const { prompt } = await page({ files: { 'shop/buy.go': go } });
    expect(prompt).toContain('payments:pay/charge.go:3-4 · Charge as the repository payments declares it');
    const member = `import * as pay from '@corp/payments';\nexport const b = new pay.Ledger().balanceOf('a');\n`;
    expect((await page({ files: { 'src/b.ts': member } })).prompt).toContain('export class Ledger {');
  });

  it('is nothing that this repository declares, that no added line uses, or that is its own', async () => {
    const before = { 'src/charge.ts': 'export function chargeOnce(): void {}\n' };
    const declared = await page({ files: { 'src/order.ts': order }, before });
    expect(declared.prompt).not.toContain('chargeOnce as the repository');
    expect(declared.prompt).toContain('Order as the repository payments');
    const unused = `import { settle } from '@corp/payments';\n\nexport const a = settle;\nexport const b = 1;\n`;
    const later = await page({
      before: { 'src/unused.ts': unused },
      files: { 'src/unused.ts': unused.replace('b = 1', 'b = 2') },
    });
    expect(later.prompt).not.toContain('payments:');
    const local = await page({ files: { 'src/order.ts': order.replace('@corp/payments', './other') } });
    expect(local.prompt).not.toContain('payments:');
  });

  it('gives way first when the room is short, and is not looked for where none is wanted', async () => {
    const tight = await page({ files: { 'src/order.ts': order }, request: { context: 30 } });
    expect(tight.prompt).not.toContain('payments:');
    const verdicts = tight.ledger
      .filter(({ source }) => source === 'interface')
      .map(({ verdict }) => verdict);
    expect(verdicts.length).toBeGreaterThan(0);
    expect(verdicts).not.toContain('kept');
    for (const context of ['plan', 'none']) {
      const { ledger } = await page({ files: { 'src/order.ts': order }, request: { context } });
      expect(ledger.some(({ source }) => source === 'interface')).toBe(false);
    }
  });

  it('is missing where its commit is, with the command that brings it', async () => {
    const { prompt, warnings } = await page({ files: { 'src/order.ts': order }, fetched: false });
    expect(prompt).not.toContain('payments:');
    expect(warnings).toMatchObject([
      {
        code: 'RELATED_NOT_HERE',
        message: expect.stringContaining(`git fetch ../payments +${pin}:refs/galley/payments brings it.`),
      },
    ]);
  });
});
