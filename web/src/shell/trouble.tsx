// What went wrong, where it went wrong.
import { CallRefused } from './call.js';
import { refusalText } from './words/facts.js';
import { word } from './words/word.js';

/** What was refused, in the server's words; what nobody foresaw, as such. */
export function Trouble({ error }: { error: unknown }) {
  const { text, code } = told(error);
  return (
    <p class="trouble" role="alert">
      {text} {code === undefined ? <small>{String(error)}</small> : <code>{code}</code>}
    </p>
  );
}

function told(error: unknown): { text: string; code?: string } {
  if (error instanceof CallRefused) {
    const { code, message } = error.refusal;
    return code === 'OFFLINE'
      ? { text: word('start.offline'), code: 'galley open' }
      : { text: refusalText(message), code };
  }
  // A part of the page that this server no longer has.
  const isStale = error instanceof TypeError && error.message.includes('dynamically imported module');
  return isStale ? { text: word('trouble.stale'), code: 'galley open' } : { text: word('trouble.page') };
}
