// What the page does when a form is sent: ask this server, show the status and the answer as text.

export const docsScript = `
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
