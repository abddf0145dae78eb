import { CallRefused } from './call.js';
import { word } from './words/word.js';

/** What was refused, in the server's words; what nobody foresaw, as such. */
export function Trouble({ error }: { error: unknown }) {
  const refusal = error instanceof CallRefused ? error.refusal : undefined;
  const text =
    refusal === undefined
      ? word('trouble.page')
      : refusal.code === 'OFFLINE'
        ? word('start.offline')
        : refusal.message;
  return (
    <p class="trouble" role="alert">
      {text} {refusal === undefined ? <small>{String(error)}</small> : <code>{refusal.code}</code>}
    </p>
  );
}
