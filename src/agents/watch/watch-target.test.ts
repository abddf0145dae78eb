// Where each CLI is pointed, and where its requests go from there.
import { describe, expect, it } from 'vitest';
import { watchTarget } from './watch-target.js';

const url = 'http://127.0.0.1:1/abc';
const has =
  (...names: string[]) =>
  (name: string) =>
    names.includes(name);
const target = (command: string[], more: { environment?: NodeJS.ProcessEnv; codexConfig?: string } = {}) =>
  watchTarget(command, { environment: {}, codexConfig: '', ...more });

describe('Claude Code and Gemini CLI', () => {
  it('are told by their variable, and asked for where that pointed before', () => {
    const claude = target(['/usr/bin/claude', '-p', 'x']);
    expect(claude.upstream('/v1/messages', has())).toBe('https://api.anthropic.com');
    expect(claude.child(url)).toEqual({ args: ['-p', 'x'], environment: { ANTHROPIC_BASE_URL: url } });
    const environment = { ANTHROPIC_BASE_URL: 'https://gateway.example/anthropic' };
    expect(target(['claude'], { environment }).upstream('/v1/messages', has())).toBe(
      environment.ANTHROPIC_BASE_URL,
    );
    const gemini = target(['gemini']);
    expect(gemini.upstream('/v1beta/models/x:generateContent', has())).toMatch(/generativelanguage/);
    expect(gemini.upstream('/v1internal:generateContent', has())).toMatch(/cloudcode/);
  });

  it('do not ask the proxy of a company for this machine', () => {
    const environment = { HTTPS_PROXY: 'http://proxy.example', NO_PROXY: 'example.org' };
    const child = target(['claude'], { environment }).child(url);
    expect(child.environment.NO_PROXY).toBe('example.org,127.0.0.1');
  });
});

describe('Codex', () => {
  const upstream = (command: string[], codexConfig = '', ...headers: string[]) =>
    target(command, { codexConfig }).upstream('/responses', has(...headers));

  it('goes where its key or its login goes', () => {
    expect(upstream(['codex'])).toBe('https://api.openai.com/v1');
    expect(upstream(['codex'], '', 'chatgpt-account-id')).toBe('https://chatgpt.com/backend-api/codex');
    expect(upstream(['codex'], 'openai_base_url = "https://eu.example/v1" # ours\n')).toBe(
      'https://eu.example/v1',
    );
    expect(target(['codex', 'exec', '--', '-c']).child(url).args).toEqual([
      'exec',
      '-c',
      `openai_base_url="${url}"`,
      '--',
      '-c',
    ]);
  });

  it('goes to the provider of its settings, in whatever form they name it', () => {
    const table =
      'model_provider = "x"\n[other]\nbase_url = "https://no.example"\n[model_providers.x]\nname = "x"\nbase_url = "https://x.example/v1"\n';
    expect(upstream(['codex'], table)).toBe('https://x.example/v1');
    expect(target(['codex'], { codexConfig: table }).child(url).args).toEqual([
      '-c',
      `model_providers.x.base_url="${url}"`,
    ]);
    const inline = 'model_providers.y={name="y",base_url="https://y.example/v1",wire_api="responses"}';
    expect(upstream(['codex', 'exec', '-c', 'model_provider="y"', '-c', inline], table)).toBe(
      'https://y.example/v1',
    );
    expect(
      upstream([
        'codex',
        '--config=model_provider=x',
        '-c',
        'model_providers.x.base_url="https://z.example"',
      ]),
    ).toBe('https://z.example');
    expect(() => upstream(['codex'], 'model_provider = "lost"')).toThrow(/--upstream/);
  });
});
