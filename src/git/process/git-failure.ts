// What does a failed git call mean for the caller? Its stderr may quote paths and text, so only its kind leaves this file.
import { GalleyError } from '../../core/model/error.js';
import type { ErrorCode } from '../../core/model/error-table.js';

export interface FailedCall {
  readonly command: string;
  readonly exit: number | null;
  readonly stderr: string;
}

interface Meaning {
  readonly sign: RegExp;
  readonly code: ErrorCode;
  readonly reason: string;
  readonly advice: string;
}

const meanings: readonly Meaning[] = [
  {
    sign: /dubious ownership|unsafe repository/,
    code: 'GIT_FAILED',
    reason: 'ownership',
    advice: 'The repository belongs to another user; allow it with git config --global --add safe.directory.',
  },
  {
    sign: /not a git repository|must be run in a work tree/,
    code: 'NOT_A_REPOSITORY',
    reason: 'no-repository',
    advice: 'The path is not inside a git repository; name a folder of one.',
  },
  {
    sign: /bad config|unable to parse config|invalid section|config value/i,
    code: 'GIT_FAILED',
    reason: 'unreadable-config',
    advice: 'The git configuration cannot be read; git config --list names the file and the line.',
  },
  {
    sign: /index file (corrupt|smaller)|bad (index|signature)|unordered stage entries/,
    code: 'GIT_FAILED',
    reason: 'corrupt-index',
    advice: 'The index is damaged; git reset rebuilds it.',
  },
  {
    sign: /unable to read|corrupt|bad object|bad tree|missing blob|inflate|object file|could not parse|unpack/i,
    code: 'GIT_FAILED',
    reason: 'unreadable-object',
    advice: 'An object of the repository is missing or damaged; git fsck names it.',
  },
  {
    sign: /unknown revision|bad revision|ambiguous argument|single revision|not a valid (object|commit)/i,
    code: 'REVISION_NOT_FOUND',
    reason: 'revision',
    advice: 'A revision was not found; check its spelling or fetch it.',
  },
];

export function gitFailure(call: FailedCall): GalleyError {
  const meaning = meanings.find(({ sign }) => sign.test(call.stderr));
  const exit = call.exit ?? -1;
  return meaning === undefined
    ? new GalleyError('GIT_FAILED', `git ${call.command} ended with exit code ${exit}.`, {
        details: { command: call.command, exit, reason: 'unknown' },
      })
    : new GalleyError(meaning.code, meaning.advice, {
        details: { command: call.command, exit, reason: meaning.reason },
      });
}

export function gitNotStarted(command: string, cause: unknown): GalleyError {
  return new GalleyError('GIT_FAILED', 'git could not be started; install git and put it on the PATH.', {
    details: { command, exit: -1, reason: 'not-started' },
    cause,
  });
}
