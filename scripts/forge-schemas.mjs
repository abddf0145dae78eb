// Takes from GitHub's description of its REST API the few schemas the loopback forge is judged by; the whole of it is far too large to
// install. Usage: node scripts/forge-schemas.mjs <folder of @octokit/openapi>
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2];
if (folder === undefined) {
  console.error('forge schemas: name the folder of @octokit/openapi');
  process.exit(2);
}
const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const api = JSON.parse(readFileSync(join(folder, 'generated/api.github.com.json'), 'utf8'));

const repository = '/repos/{owner}/{repo}';
const operations = [
  ['get', `${repository}/pulls`],
  ['get', `${repository}/pulls/{pull_number}`],
  ['patch', `${repository}/pulls/{pull_number}`],
  ['get', `${repository}/commits/{commit_sha}/pulls`],
  ['get', `${repository}/issues/{issue_number}/comments`],
  ['post', `${repository}/issues/{issue_number}/comments`],
  ['get', `${repository}/issues/comments/{comment_id}`],
  ['patch', `${repository}/issues/comments/{comment_id}`],
  ['delete', `${repository}/issues/comments/{comment_id}`],
  ['get', `${repository}/pulls/{pull_number}/reviews`],
  ['post', `${repository}/pulls/{pull_number}/reviews`],
  ['get', `${repository}/pulls/{pull_number}/comments`],
  ['get', `${repository}/pulls/comments/{comment_id}`],
  ['patch', `${repository}/pulls/comments/{comment_id}`],
  ['delete', `${repository}/pulls/comments/{comment_id}`],
  ['post', `${repository}/pulls/{pull_number}/comments/{comment_id}/replies`],
  ['post', `${repository}/check-runs`],
  ['patch', `${repository}/check-runs/{check_run_id}`],
  ['post', `${repository}/statuses/{sha}`],
  ['get', `${repository}/collaborators/{username}/permission`],
  ['post', `${repository}/code-scanning/sarifs`],
];

const words = new Set(['description', 'example', 'examples', 'title', 'externalDocs']);
/** Words for people are left out, but not properties of the same names. */
function bare(value, isProperties = false) {
  if (Array.isArray(value)) return value.map((item) => bare(item));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => isProperties || !words.has(name));
  const copy = Object.fromEntries(
    entries.map(([name, item]) => [name, bare(item, !isProperties && name === 'properties')]),
  );
  // Where null is allowed it is one of the values, which the description forgets to say.
  return copy.nullable === true && Array.isArray(copy.enum) ? { ...copy, enum: [...copy.enum, null] } : copy;
}
const found = (reference) =>
  reference
    .slice(2)
    .split('/')
    .reduce((value, name) => value[name], api);
const direct = (value) => (value?.$ref === undefined ? value : found(value.$ref));
const schemaIn = (value) => direct(value)?.content?.['application/json']?.schema;

const schemas = {};
function take(value) {
  if (Array.isArray(value)) value.forEach(take);
  else if (typeof value === 'object' && value !== null) {
    if (typeof value.$ref === 'string') {
      const name = value.$ref.split('/').at(-1);
      if (schemas[name] === undefined) {
        schemas[name] = {};
        schemas[name] = bare(found(value.$ref));
        take(schemas[name]);
      }
    }
    Object.values(value).forEach(take);
  }
}

const rows = operations.map(([method, path]) => {
  const { requestBody, responses } = api.paths[path][method];
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const row = {
    request: bare(schemaIn(requestBody)) ?? null,
    answers: Object.fromEntries(good.map(([status, answer]) => [status, bare(schemaIn(answer)) ?? null])),
  };
  take(row);
  return [`${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}')}`, row];
});
const text = JSON.stringify({ version, operations: Object.fromEntries(rows), components: { schemas } });
writeFileSync('src/testing/forge/github/fixtures/rest-schemas.json', `${text}\n`);
console.log(`forge schemas: ${rows.length} operations, ${Object.keys(schemas).length} schemas`);
