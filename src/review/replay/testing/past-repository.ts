// A repository with a past: merged changes, one of which had to be fixed later, also in a file it had not touched.
import { type ScratchRepository, scratchRepository } from '../../../git/testing/scratch-repository.js';

export const total = (rows: string) => `// Sums of orders.
import { rateOf } from './rates.js';

export function total(amounts: readonly number[], region: string): number {
${rows}
}
`;

/** The line of its return stands far from anything that the change touches. */
export const rates = (rate: string) => `const rates = new Map([['north', 0.2]]);

${Array.from({ length: 12 }, (_, at) => `export const band${at} = ${at};`).join('\n')}

export function rateOf(region: string): number {
  return ${rate};
}
`;

export const before = '  return amounts.reduce((sum, amount) => sum + amount, 0);';
export const brought = `  const sum = amounts.reduce((all, amount) => all + amount, 0);
  return sum * rateOf(region);`;
export const fixed = brought.replace('sum * rateOf', 'sum * (1 + rateOf').replace('(region);', '(region));');

export interface PastRepository extends ScratchRepository {
  /** Of the change that was fixed later. */
  readonly head: string;
}

/** Number 1 brings two lines, number 2 something else; a later commit moves the lines and another one fixes them. */
export function pastRepository({ squash = false } = {}): PastRepository {
  const made = scratchRepository();
  made.write('src/total.ts', total(before));
  made.write('src/rates.ts', rates('rates.get(region)!'));
  made.write('README.md', 'Totals.\n');
  made.commit('first');
  const head = arrive(made, 1, 'Totals with rates', squash, () => made.write('src/total.ts', total(brought)));
  arrive(made, 2, 'Names', squash, () => made.write('src/names.ts', 'export const names = [];\n'));
  made.write('src/total.ts', `// Moved.\n// Twice.\n${total(brought)}`);
  made.commit('Move things');
  made.write('README.md', 'Totals, with rates.\n');
  made.commit('docs: fix the words');
  made.write('src/names.ts', 'export const names = ["a"];\n');
  made.commit('More names');
  made.write('src/total.ts', `// Moved.\n// Twice.\n${total(fixed)}`);
  made.write('src/rates.ts', rates('rates.get(region) ?? 0'));
  made.commit('Fix totals of unknown regions');
  return { ...made, head };
}

function arrive(
  made: ScratchRepository,
  number: number,
  title: string,
  squash: boolean,
  change: () => void,
): string {
  if (squash) {
    change();
    return made.commit(`${title} (#${number})`);
  }
  made.git('checkout', '-q', '-b', `topic-${number}`);
  change();
  const head = made.commit(title);
  made.git('checkout', '-q', 'main');
  made.git('merge', '-q', '--no-ff', '-m', `Merge pull request #${number} from a/b\n\n${title}`, head);
  return head;
}
