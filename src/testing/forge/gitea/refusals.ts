// How Gitea and Forgejo say no.
import type { Answer } from '../host/request.js';

export function refusal(status: number, message: string): Answer {
  return { status, body: { message, url: 'https://gitea.example/api/swagger' } };
}

export const notFound = (): Answer => ({
  ...{ status: 404 },
  body: { errors: null, message: "The target couldn't be found.", url: 'https://gitea.example/api/swagger' },
});

export const narrowScope = (...scopes: readonly string[]) =>
  refusal(403, `token does not have at least one of required scope(s): [${scopes.join(' ')}]`);
