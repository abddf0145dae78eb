// Claude Code asked for its own counts: what it is started with, and what it may answer.
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { scratchFolder } from '../../git/testing/scratch-repository.js';
import { claudeContext, contextArguments } from './claude-context.js';

const scratch = scratchFolder();
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

let programs = 0;
/** A program that says something to every line it is told. */
function ask(says: string, session = 's1') {
  programs += 1;
  const command = join(scratch, `claude-${programs}`);
  writeFileSync(
    command,
    `#!${process.execPath}\nrequire('node:readline').createInterface({ input: process.stdin }).on('line', (line) => { ${says} });\n`,
  );
  chmodSync(command, 0o755);
  return claudeContext({ command, folder: scratch, session, signal: new AbortController().signal });
}
const answer = (response: object) =>
  `console.log(JSON.stringify({ type: 'control_response', response: { request_id: JSON.parse(line).request_id, response: ${JSON.stringify(response)} } }))`;

describe('Claude Code asked for its own counts', () => {
  it('goes on with the session without keeping, hooks and servers, as the model it was', () => {
    const line = contextArguments({ session: 's1', model: 'opus' }).join(' ');
    expect(line).toContain('--resume s1 --no-session-persistence');
    expect(line).toContain('--strict-mcp-config --settings {"disableAllHooks":true} --model opus');
    expect(contextArguments({ session: 's1' })).not.toContain('--model');
  });

  it('is told once and heard out', async () => {
    const categories = [{ name: 'System prompt', tokens: 7 }];
    const told = await ask(`console.log('noise'); ${answer({ categories })}`);
    expect(told).toEqual({ categories });
  });

  it.each([
    ['counts without its provider', answer({ categories: [{ name: 'Messages', tokens: 7 }] }), /provider/],
    ['knows no such question', answer({}).replace('response: {}', 'error: 1'), /too old/],
    ['ends without a word', 'process.exit(1)', /too old/],
  ])('is refused where it %s', async (_, says, message) => {
    await expect(ask(says)).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: expect.stringMatching(message),
    });
  });
});
