// What does it mean for the caller when a CLI gave no answer? Only names, codes and counts leave this file.
import { type ErrorCode, GalleyError } from '../../core/model/error.js';
import type { AgentCli, CliFailureReason, Outcome } from './agent-cli.js';
import type { ProcessEnd, Stop } from './run-process.js';

/** What a failure says of an agent. */
export type AgentName = { readonly name: string } & Pick<AgentCli, 'title' | 'install'>;

type Ended = Extract<ProcessEnd, { kind: 'ended' }>;

const meanings: Record<CliFailureReason, { code: ErrorCode; says: string }> = {
  authentication: { code: 'MODEL_NOT_CONFIGURED', says: 'has no valid login or key' },
  'rate-limit': { code: 'MODEL_UNAVAILABLE', says: 'was told to slow down by its provider; try again later' },
  refused: { code: 'MODEL_REFUSED', says: 'declined to answer' },
  'bad-request': {
    code: 'MODEL_REFUSED',
    says: 'had its request rejected; the prompt may be too long for the model',
  },
  length: { code: 'MODEL_ANSWER_INVALID', says: 'stopped before its answer was whole' },
  'not-sent': { code: 'MODEL_ANSWER_INVALID', says: 'took the prompt for a command of its own' },
  'no-session': { code: 'NOT_FOUND', says: 'has no session of that id in this folder' },
  unavailable: { code: 'MODEL_UNAVAILABLE', says: 'could not get an answer from its provider' },
};

export function failedFor(
  cli: AgentCli,
  failure: { reason: CliFailureReason; status?: number },
  end: Ended,
): GalleyError {
  const known = end.exit === null ? undefined : cli.failureOfExit?.(end.exit, end.complaint);
  const { reason, status } = failure.reason === 'unavailable' && known !== undefined ? known : failure;
  const { code, says } = meanings[reason];
  const advice = reason === 'authentication' ? `; ${cli.login}` : '';
  return new GalleyError(code, `${cli.title} ${says}${advice}.`, {
    details: { ...place(cli, end, 'answer'), reason, ...(status === undefined ? {} : { status }) },
  });
}

export function stoppedBy(
  cli: AgentName,
  stop: Stop,
  { signal, end }: { signal: AbortSignal; end: Ended },
): GalleyError {
  switch (stop) {
    case 'cancelled':
      return cancelledRun(cli, signal);
    case 'too-large':
      return new GalleyError('MODEL_ANSWER_INVALID', `${cli.title} wrote more than an answer may hold.`, {
        details: { ...place(cli, end, 'answer'), reason: 'too-large' },
      });
    case 'first-byte':
      return new GalleyError('TIMEOUT', `${cli.title} did not begin to answer in time.`, {
        details: { cli: cli.name, phase: 'first-byte' },
      });
    case 'total':
      return new GalleyError('TIMEOUT', `${cli.title} did not finish in time.`, {
        details: { cli: cli.name, phase: 'total' },
      });
  }
}

/** A caller's own clock is a timeout too, not a cancellation. */
export function cancelledRun(cli: AgentName, signal: AbortSignal): GalleyError {
  const isClock = signal.reason instanceof Error && signal.reason.name === 'TimeoutError';
  return isClock
    ? new GalleyError('TIMEOUT', `${cli.title} did not finish in time.`, {
        details: { cli: cli.name, phase: 'caller' },
      })
    : new GalleyError('CANCELLED', `The run of ${cli.title} was cancelled.`, { details: { cli: cli.name } });
}

export function notStarted(cli: AgentName, cause: unknown): GalleyError {
  const kind = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
  return kind === 'E2BIG'
    ? new GalleyError('PAYLOAD_TOO_LARGE', `${cli.title} cannot be started with this much text.`, {
        details: { cli: cli.name, phase: 'start', kind },
        cause,
      })
    : new GalleyError(
        'MODEL_NOT_CONFIGURED',
        `${cli.title} could not be started; install it with: ${cli.install}`,
        {
          details: { cli: cli.name, phase: 'start', kind },
          cause,
        },
      );
}

/** The process ended without any verdict of its own, or with a bad exit code beside a good one. */
export function endedBadly(cli: AgentCli, end: Ended, outcome: Outcome): GalleyError | undefined {
  if (end.exit !== 0) {
    const known = end.exit === null ? undefined : cli.failureOfExit?.(end.exit, end.complaint);
    if (known !== undefined) return failedFor(cli, known, end);
    const how = end.exit === null ? `was ended by ${end.killedBy}` : `ended with exit code ${end.exit}`;
    return new GalleyError('MODEL_UNAVAILABLE', `${cli.title} ${how}.`, { details: place(cli, end, 'exit') });
  }
  if (!end.inputTaken)
    return new GalleyError(
      'MODEL_UNAVAILABLE',
      `${cli.title} stopped reading before the prompt was through.`,
      {
        details: place(cli, end, 'input'),
      },
    );
  if (outcome.kind !== 'answered')
    return new GalleyError('MODEL_ANSWER_INVALID', `${cli.title} ended without a result.`, {
      details: { ...place(cli, end, 'answer'), reason: 'no-result' },
    });
  if (outcome.text.trim() === '')
    return new GalleyError('MODEL_ANSWER_INVALID', `${cli.title} gave an empty answer.`, {
      details: { ...place(cli, end, 'answer'), reason: 'empty' },
    });
  return undefined;
}

function place(cli: AgentName, end: Ended, phase: string): Record<string, string | number> {
  const exit = end.exit === null ? {} : { exit: end.exit };
  return { cli: cli.name, phase, ...exit, ...(end.killedBy === null ? {} : { signal: end.killedBy }) };
}
