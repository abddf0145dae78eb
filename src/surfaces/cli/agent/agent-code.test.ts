// What galley agent --with-code says to a person when there is no code to give.
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { GalleyError } from '../../../core/model/error.js';
import { scratchRepository } from '../../../git/testing/scratch-repository.js';
import { reportError } from '../report-error.js';
import { agentCommand } from './agent-command.js';

const repository = scratchRepository();
repository.write('src/session.ts', 'export function sessionExpired() {}\n');
repository.commit('one');
const said: string[] = [];
const { isTTY } = process.stdin;

afterAll(() => repository.dispose());
beforeEach(() => {
  process.stdin.isTTY = true;
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said.push(String(text));
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  process.stdin.isTTY = isTTY;
  process.exitCode = undefined;
  said.length = 0;
});

describe('galley agent --with-code', () => {
  it('says when nothing was found, and nothing where something was', async () => {
    vi.spyOn(process, 'cwd').mockReturnValue(repository.folder);
    const ask = (message: string) => agentCommand({ agent: 'codex', message, withCode: '500' });
    await ask('session');
    expect(said).toEqual([]);
    await ask('zzyzx');
    expect(said).toEqual(['galley: --with-code found no code for this message, so the turn has none.\n']);
  });

  it('is not told of a flag it does not have', () => {
    const refusal = new GalleyError('NOT_A_REPOSITORY', 'This folder is not in a git repository.');
    reportError(refusal, { json: false, command: 'agent' });
    reportError(refusal, { json: false, command: 'review' });
    expect(said[0]).toContain('or leave out --with-code');
    expect(said[0]).not.toContain('--repo');
    expect(said[1]).toContain('--repo');
  });
});
