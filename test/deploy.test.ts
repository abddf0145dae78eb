// The files that run servers and workers name commands, flags and probes that exist.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { wholeProgram } from '../src/surfaces/cli/program.js';

interface Container {
  readonly args: readonly string[];
  readonly readinessProbe?: { httpGet: { path: string } };
  readonly livenessProbe?: { httpGet: { path: string } };
}

interface Manifest {
  readonly kind: string;
  readonly spec: { readonly template?: { readonly spec: { readonly containers: readonly Container[] } } };
}

/** What the program would not know of these words. */
function unknownWords(words: readonly string[]): readonly string[] {
  let command = wholeProgram();
  return words.filter((word, at) => {
    if (word.startsWith('--')) return !command.options.some(({ long }) => long === word);
    const child = command.commands.find((each) => each.name() === word);
    if (child === undefined) return !(words[at - 1] ?? '').startsWith('--');
    command = child;
    return false;
  });
}

describe('deploy/', () => {
  it('compose.yaml starts what there is', () => {
    const { services } = parse(readFileSync('deploy/compose.yaml', 'utf8'), { merge: true }) as {
      services: Record<string, { command?: readonly string[]; depends_on?: Record<string, unknown> }>;
    };
    const commands = Object.values(services).flatMap(({ command }) =>
      command === undefined ? [] : [command],
    );
    expect(commands.map(([first]) => first).sort()).toEqual(['serve', 'store', 'worker']);
    expect(commands.flatMap(unknownWords)).toEqual([]);
    for (const { depends_on = {} } of Object.values(services))
      for (const name of Object.keys(depends_on)) expect(services).toHaveProperty(name);
  });

  it('kubernetes.yaml starts what there is, and asks the probes of the server', () => {
    const documents = parseAllDocuments(readFileSync('deploy/kubernetes.yaml', 'utf8'));
    const manifests = documents.map((document) => document.toJS() as Manifest);
    const containers = manifests.flatMap(({ spec }) => spec.template?.spec.containers ?? []);
    expect(containers.map(({ args }) => args[0]).sort()).toEqual(['serve', 'store', 'worker']);
    expect(containers.flatMap(({ args }) => unknownWords(args))).toEqual([]);
    const server = containers.find(({ args }) => args[0] === 'serve');
    expect([server?.livenessProbe?.httpGet.path, server?.readinessProbe?.httpGet.path]).toEqual([
      '/healthz',
      '/readyz',
    ]);
  });

  it('the image is built from a checkout and from the package, which has neither lock file nor sources', () => {
    const lines = readFileSync('deploy/Dockerfile', 'utf8').split('\n');
    const copied = lines.filter((line) => /^COPY (?!--from)/.test(line));
    expect(copied).toEqual(['COPY package.json package-lock.jso[n] ./', 'COPY . .']);
    expect(lines.filter((line) => /npm (?:ci|run)/.test(line) && !/if \[ -[df]/.test(line))).toEqual([]);
  });

  it('the image has the packages that send traces, in the versions that are tested', () => {
    const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      devDependencies: Record<string, string>;
    };
    const image = readFileSync('deploy/Dockerfile', 'utf8');
    for (const name of ['sdk-trace-node', 'resources', 'exporter-trace-otlp-http'])
      expect(image).toContain(`@opentelemetry/${name}@${devDependencies[`@opentelemetry/${name}`]} `);
    expect(readFileSync('deploy/compose.yaml', 'utf8')).toContain('OTEL_EXPORTER_OTLP_ENDPOINT');
  });

  it('servers and workers are given what webhooks need', () => {
    for (const file of ['deploy/compose.yaml', 'deploy/kubernetes.yaml'])
      for (const name of ['GITHUB_TOKEN', 'GALLEY_WEBHOOK_SECRET'])
        expect(readFileSync(file, 'utf8')).toMatch(new RegExp(`^ +(?:- name: )?${name}\\b`, 'm'));
  });

  it('the example of a first token is a command', () => {
    const [, line = ''] =
      /run --rm worker (token [^\n]*)/.exec(readFileSync('deploy/compose.yaml', 'utf8')) ?? [];
    expect(unknownWords(line.split(/\s+/))).toEqual([]);
    expect(line).toContain('create');
  });
});
