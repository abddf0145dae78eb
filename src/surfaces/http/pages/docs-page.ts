// A page to read and try the operations: one file, no request to anywhere else, nothing that the policy does not name by hash.
import { createHash } from 'node:crypto';
import { galleyVersion } from '../../../core/model/version.js';
import { answerJsonSchema } from '../../../operations/published-schema.js';
import type { OperationPage } from './open-api.js';

/** The system's fonts and colours, light or dark, from narrow screens up. */
const docsStyle = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.4rem; margin: 0; }
h2 { font-size: 1rem; margin: .5rem 0; }
details { border-top: 1px solid color-mix(in srgb, currentColor 25%, transparent); padding: .5rem 0; }
summary { cursor: pointer; }
code, pre, textarea, output { font-family: ui-monospace, monospace; font-size: .9rem; }
pre, output { display: block; overflow: auto; max-height: 24rem; white-space: pre-wrap; overflow-wrap: anywhere; }
textarea { display: block; width: 100%; box-sizing: border-box; }
input { font: inherit; max-width: 100%; }
button { font: inherit; padding: .25rem 1rem; }
`;

/** When a form is sent: ask this server, show the status and the answer as text. */
const docsScript = `
'use strict';
for (const form of document.querySelectorAll('form')) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const token = document.getElementById('token').value.trim();
    const output = form.querySelector('output');
    const headers = { 'content-type': 'application/json' };
    if (token !== '') headers.authorization = 'Bearer ' + token;
    output.textContent = '…';
    try {
      const answer = await fetch(form.dataset.path, {
        method: 'POST', headers, body: form.querySelector('textarea').value, credentials: 'omit',
      });
      const text = await answer.text();
      let shown = text;
      try { shown = JSON.stringify(JSON.parse(text), null, 1); } catch {}
      output.textContent = answer.status + '\\n' + shown;
    } catch {
      output.textContent = 'The server did not answer.';
    }
  });
}
`;

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const policy = [
  "default-src 'none'",
  `script-src ${hashOf(docsScript)}`,
  `style-src ${hashOf(docsStyle)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  'img-src data:',
  "frame-ancestors 'none'",
].join('; ');

export function docsPage(pages: readonly OperationPage[]): { html: string; policy: string } {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Galley ${galleyVersion}</title>
<link rel="icon" href="data:,">
<style>${docsStyle}</style>
</head>
<body>
<header>
<h1>Galley ${galleyVersion}</h1>
<p>Every operation takes one JSON value by POST and answers one. <a href="/openapi.json">OpenAPI 3.1</a></p>
<p><label>Token <input id="token" type="password" autocomplete="off" spellcheck="false"></label></p>
</header>
<main>
${pages.map(section).join('\n')}
</main>
<script>${docsScript}</script>
</body>
</html>
`;
  return { html, policy };
}

function section({ operation, path, schema }: OperationPage): string {
  const { id, summary, grant, errors } = operation;
  const label = safe(id);
  return `<details>
<summary><code>${label}</code> ${safe(summary)}</summary>
<p>POST <code>${safe(path)}</code>, needs the grant <code>${grant}</code></p>
<h2>Request</h2>
<pre tabindex="0">${safe(JSON.stringify(schema, null, 1))}</pre>
<h2>Answer</h2>
<pre tabindex="0">${safe(JSON.stringify(answerJsonSchema(operation.output), null, 1))}</pre>
<p>May refuse with ${errors.map((code) => `<code>${code}</code>`).join(', ') || 'nothing of its own'}.</p>
<form data-path="${safe(path)}">
<label>Try ${label} <textarea rows="6" spellcheck="false">${safe(example(schema))}</textarea></label>
<button>Send</button> <output></output>
</form>
</details>`;
}

/** The fields a request must have, empty. */
function example({ required, properties }: OperationPage['schema']): string {
  const fields = Object(properties) as Record<string, { type?: string; enum?: unknown[] }>;
  const value = ({ type, enum: choices }: { type?: string; enum?: unknown[] }) =>
    choices?.[0] ?? { string: '', integer: 0, number: 0, boolean: false, array: [] }[type ?? ''] ?? {};
  const names = Array.isArray(required) ? (required as string[]) : [];
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, value(fields[name] ?? {})])), null, 1);
}

function safe(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
