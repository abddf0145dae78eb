// galley doctor: what is there, what is missing, and the command that repairs it. Exit 5 when something needed is broken.
import { storePath } from '../../shared-store.js';
import { cancellation } from '../shell/cancellation.js';
import { colours } from '../terminal/colours.js';
import { padded } from '../terminal/table.js';
import { widthOf, wrapped } from '../terminal/text-width.js';
import { factWords, word } from '../words/word.js';
import { checkForge } from './check-forge.js';
import { checkMcp } from './check-mcp.js';
import { checkModels } from './check-models.js';
import { checkBrowser, checkGit, checkNode } from './check-programs.js';
import { checkProxy } from './check-proxy.js';
import { checkRepository } from './check-repository.js';
import { checkStore } from './check-store.js';
import type { DoctorFinding, Patient } from './finding.js';

const broken = 5;
/** Places that what is found gets on any terminal. */
const least = 20;

export interface DoctorOptions {
  readonly store?: string;
  readonly json?: boolean;
}

export async function doctorCommand(options: DoctorOptions): Promise<void> {
  const folder = process.cwd();
  const env = process.env;
  const store = storePath(folder, options.store);
  const checks = await examine({ folder, env, store, signal: cancellation() });
  const ok = checks.every(({ status }) => status !== 'fail');
  process.stdout.write(options.json ? `${JSON.stringify({ ok, checks })}\n` : page(checks));
  if (!ok) process.exitCode = broken;
}

async function examine(patient: Patient): Promise<DoctorFinding[]> {
  const git = await checkGit(patient);
  const [repository, forge, store, models, browser, mcp] = await Promise.all([
    git.problem === 'missing' ? [] : checkRepository(patient),
    git.problem === 'missing' ? [] : [await checkForge(patient)],
    checkStore(patient),
    checkModels(patient),
    checkBrowser(patient),
    checkMcp(),
  ]);
  return [checkNode(), git, ...repository, ...forge, store, ...models, checkProxy(patient.env), browser, mcp];
}

function page(checks: readonly DoctorFinding[]): string {
  const names = checks.map(({ id }) => word(`doctor.${id}`));
  const wide = Math.max(...names.map(widthOf));
  const lines = checks.flatMap((check, index) => {
    const name = padded(names[index] ?? '', wide);
    const blank = ' '.repeat(wide + 4);
    const room = Math.max(least, (process.stdout.columns ?? Number.POSITIVE_INFINITY) - blank.length);
    const about = wrapped(wordsOf(check), room).replaceAll('\n', `\n${blank}`);
    const line = `${markOf(check)} ${name}  ${about}`;
    return check.repair === undefined ? [line] : [line, `${blank}${colours.cyan(check.repair)}`];
  });
  const count = (status: DoctorFinding['status']) => checks.filter((check) => check.status === status).length;
  const optional = checks.filter(({ status, problem }) => status === 'ok' && problem !== undefined).length;
  const ok = count('ok') - optional;
  const sum = word('doctor.sum', { ok, optional, warn: count('warn'), fail: count('fail') });
  return `${lines.join('\n')}\n\n${sum}\n`;
}

function markOf({ status, problem }: DoctorFinding): string {
  if (status === 'fail') return colours.red('✗');
  if (status === 'warn') return colours.yellow('!');
  return problem === undefined ? colours.green('✓') : colours.dim('·');
}

function wordsOf({ id, problem, found = '', wanted = '' }: DoctorFinding): string {
  if (id === 'mcp') return word('doctor.is.mcp', { n: found });
  if (problem === undefined && id === 'forge') return word('doctor.is.ready', { found, wanted });
  if (problem === undefined) return factWords(`found.${id}.${found}`, found);
  // Every problem may use both facts; most use none.
  return word(`doctor.is.${problem}`, { found, wanted });
}
