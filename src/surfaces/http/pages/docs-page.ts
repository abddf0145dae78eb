// A page to read and try the operations: one file, no request to anywhere else, nothing that the policy does not name by hash.
import { createHash } from 'node:crypto';
import { galleyVersion } from '../../../core/model/version.js';
import { describeAnswer, type JsonSchema } from '../../../operations/describe-schema.js';
import { fieldTable, safe } from './field-table.js';
import type { OperationPage } from './open-api.js';

/** The system's fonts and colours, light or dark, from narrow screens up. */
const docsStyle = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.4rem; margin: 0; }
h2 { font-size: 1.2rem; margin: 1.5rem 0 .5rem; }
h3 { font-size: 1rem; margin: .75rem 0 .25rem; }
nav a { margin-right: .75rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .2rem .75rem .2rem 0; overflow-wrap: anywhere; }
th { font-weight: inherit; }
thead th { font-weight: 600; }
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
for (const place of document.querySelectorAll('.origin')) place.textContent = location.origin;
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
  const described = pages.map((page) => {
    const { schema: answer, nouns } = describeAnswer(page.operation.output);
    return { ...page, answer, nouns, family: familyOf(page) };
  });
  const nouns: Record<string, JsonSchema> = Object.assign({}, ...described.map((page) => page.nouns));
  const families = [...new Set(described.map(({ family }) => family))];
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
<p>Every operation takes one JSON object by POST and answers with one; a refusal is <code>{"error":{"code","message","details"}}</code> with
the status of its code. <a href="/openapi.json">OpenAPI 3.1</a></p>
<p>Each example works as it stands. What reads, changes or deletes something expects that the example which makes it was sent before.</p>
<p><label>Token, if the server asks for one <input id="token" type="password" autocomplete="off" spellcheck="false"></label></p>
<nav>${families.map((family) => `<a href="#${family}">${family}</a>`).join(' ')}</nav>
</header>
<main>
${families
  .map(
    (family) =>
      `<h2 id="${family}">${family}</h2>\n${described
        .filter((page) => page.family === family)
        .map(section)
        .join('\n')}`,
  )
  .join('\n')}
<h2>What several answers hold</h2>
${Object.keys(nouns)
  .sort()
  .map((name) => noun(name, nouns[name] ?? {}))
  .join('\n')}
</main>
<script>${docsScript}</script>
</body>
</html>
`;
  return { html, policy };
}

const familyOf = ({ operation }: OperationPage) => operation.id.split(':')[0] ?? '';

interface DescribedPage extends OperationPage {
  readonly answer: JsonSchema;
}

function section({ operation, path, schema, answer }: DescribedPage): string {
  const { id, summary, grant, errors, example, streams } = operation;
  const request = JSON.stringify(example, null, 1);
  return `<details id="${safe(id)}">
<summary><code>${safe(id)}</code> ${safe(summary)}</summary>
<p>POST <code>${safe(path)}</code>, needs the grant <code>${grant}</code>.${
    streams === true ? ` With its text and progress as events: <code>${safe(path)}/events</code>.` : ''
  }</p>
<h3>Example</h3>
<pre tabindex="0">curl <span class="origin">http://localhost:7433</span>${safe(path)} -H 'content-type: application/json' -d '${safe(JSON.stringify(example).replaceAll("'", "'\\''"))}'</pre>
<form data-path="${safe(path)}">
<label>Try it <textarea rows="${Math.min(request.split('\n').length + 1, 16)}" spellcheck="false">${safe(request)}</textarea></label>
<button>Send</button> <output></output>
</form>
<h3>Request</h3>
${fieldTable(schema)}
<h3>Answer</h3>
${fieldTable(answer)}
<p>May refuse with ${errors.map((code) => `<code>${code}</code>`).join(', ') || 'nothing of its own'}.</p>
</details>`;
}

const noun = (name: string, schema: JsonSchema) => `<details id="${name}">
<summary><code>${name}</code></summary>
${fieldTable(schema)}
</details>`;
