// How GitLab says no.
import type { Answer } from '../host/request.js';

export function refusal(status: number, message: string): Answer {
  return { status, body: { message } };
}

export const notFound = (what = '') => refusal(404, what === '' ? '404 Not found' : `404 ${what} Not Found`);

export const badNote = (problem: string) => refusal(400, `400 Bad request - Note {${problem}}`);

export const tooOften = (): Answer => ({
  status: 429,
  body: { message: { error: 'This endpoint has been requested too many times. Try again later.' } },
});

/** The token is fine and was made for less. */
export const narrowScope = (scope: string): Answer => ({
  status: 403,
  body: {
    error: 'insufficient_scope',
    error_description: 'The request requires higher privileges than provided by the access token.',
    scope,
  },
});
