// What the status of a provider's answer says about why there is none.
import type { FailureReason } from './agent-cli.js';

export function reasonOfStatus(status: number): FailureReason {
  if (status === 401 || status === 403) return 'authentication';
  if (status === 429 || status === 529) return 'rate-limit';
  return status >= 400 && status < 500 && status !== 408 ? 'bad-request' : 'unavailable';
}
