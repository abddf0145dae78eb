// How GitHub says no, and to which texts.
import type { Account, Right } from '../host/accounts.js';
import { secondaryText } from '../host/faults.js';
import type { Answer, Exchange } from '../host/request.js';

const documentation = 'https://docs.github.com/rest';

export function refusal(status: number, message: string, more: Record<string, unknown> = {}): Answer {
  return { status, body: { message, ...more, documentation_url: documentation, status: String(status) } };
}

export const notFound = () => refusal(404, 'Not Found');

/** The request has another form than the API describes. */
export const invalidRequest = (text: string) => refusal(422, `Invalid request.\n\n${text}`);

/** A value the API has a form for, and that is not taken. */
export const validationFailed = (resource: string, message: string) =>
  refusal(422, 'Validation Failed', {
    errors: [{ resource, code: 'unprocessable', field: 'data', message }],
  });

export const unprocessable = (...errors: readonly string[]) =>
  refusal(422, 'Unprocessable Entity', { errors });

export function withoutRight({ isApp }: Account): Answer {
  return refusal(
    403,
    isApp === true
      ? 'Resource not accessible by integration'
      : 'Resource not accessible by personal access token',
  );
}

export const needs =
  (right: Right) =>
  ({ account }: Exchange): Answer | undefined =>
    account.rights.includes(right) ? undefined : withoutRight(account);

/** Neither a time to wait nor an exhausted quota: only the text tells. */
export const secondaryLimit = () => refusal(403, secondaryText);

const longest = 65_536;

/** Undefined where it is taken. */
export function bodyProblem(body: string): string | undefined {
  if (body.trim() === '') return 'Body cannot be blank';
  return isLonger(body, longest) ? `Body is too long (maximum is ${longest} characters)` : undefined;
}

/** Characters are counted, not the halves some of them have here. */
export function isLonger(text: string, most: number): boolean {
  return text.length > most && [...text].length > most;
}
