// A home for the real CLIs in which a provider on this machine is the only one they know.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Loopback, openLoopback } from '../../src/testing/loopback/open-loopback.js';

export interface RealHome {
  readonly root: string;
  readonly work: string;
  readonly loopback: Loopback;
  readonly environment: NodeJS.ProcessEnv;
  close(): Promise<void>;
}

const programs = process.env.GALLEY_REAL_CLI;

export const realCommand = (name: string) => join(programs ?? '', 'node_modules', '.bin', name);
export const isInstalled = (name: string) => programs !== undefined && existsSync(realCommand(name));

export async function openRealHome(): Promise<RealHome> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'galley-real-cli-')));
  const loopback = await openLoopback();
  for (const folder of ['work', '.claude', '.codex', '.gemini']) mkdirSync(join(root, folder));
  const settings = { security: { auth: { selectedType: 'gemini-api-key' } } };
  writeFileSync(join(root, '.gemini', 'settings.json'), JSON.stringify(settings));
  const provider = `name = "x"\nbase_url = "${loopback.url}/v1"\nenv_key = "OPENAI_API_KEY"\nwire_api = "responses"\n`;
  const retries = 'request_max_retries = 1\nstream_max_retries = 1\n';
  writeFileSync(
    join(root, '.codex', 'config.toml'),
    `model_provider = "x"\n[model_providers.x]\n${provider}${retries}`,
  );
  return {
    root,
    work: join(root, 'work'),
    loopback,
    environment: {
      PATH: process.env.PATH,
      HOME: root,
      ANTHROPIC_API_KEY: 'none',
      ANTHROPIC_BASE_URL: loopback.url,
      OPENAI_API_KEY: 'none',
      GEMINI_API_KEY: 'none',
      GEMINI_MODEL: 'gemini-2.5-flash',
      GOOGLE_GEMINI_BASE_URL: loopback.url,
    },
    async close() {
      await loopback.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
